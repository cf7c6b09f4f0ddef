//! What the attribute demands of a launch: `block = …`, `max_threads = …`, `min_groups = …`.

use syn::parse::ParseStream;
use syn::{Error, Expr, Result};

use crate::messages;
use crate::model::Block;

/// `n`, `(x)`, `(x, y)` or `(x, y, z)`, each a constant expression.
pub(super) fn block(input: ParseStream<'_>) -> Result<Block> {
    let whole: Expr = input.parse()?;
    let axes = match peeled(&whole) {
        Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
        _ => vec![whole.clone()],
    };
    if axes.is_empty() || axes.len() > 3 {
        return Err(Error::new_spanned(whole, messages::BLOCK));
    }
    Ok(Block { axes })
}

/// An expression without parentheses, and without the invisible ones around what a `macro_rules!` put in for
/// a `$block:expr`.
fn peeled(mut expr: &Expr) -> &Expr {
    loop {
        expr = match expr {
            Expr::Group(group) => &group.expr,
            Expr::Paren(paren) => &paren.expr,
            _ => return expr,
        };
    }
}

#[cfg(test)]
mod tests {
    use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
    use syn::parse::Parser as _;

    fn axes(block: TokenStream) -> usize {
        super::block.parse2(block).expect("a block").axes.len()
    }

    #[test]
    fn a_tuple_is_seen_through_parentheses_and_what_a_macro_wraps_around_it() {
        let tuple: TokenStream = "(16, 8)".parse().expect("test input lexes");
        let wrapped = |delimiter| TokenStream::from(TokenTree::from(Group::new(delimiter, tuple.clone())));
        for block in [tuple.clone(), wrapped(Delimiter::Parenthesis), wrapped(Delimiter::None)] {
            assert_eq!(axes(block.clone()), 2, "{block}");
        }
        assert_eq!(axes("(256)".parse().expect("test input lexes")), 1);
    }
}
