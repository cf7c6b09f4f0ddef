//! A file's tokens, macros' bodies included, without its in-file tests. Comments and strings aren't code.

use anyhow::anyhow;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

use crate::tidy::tree::Source;

/// Calls `visit` with the tokens from each token on to the end of its group.
pub(super) fn walk(source: &Source, mut visit: impl FnMut(&[TokenTree])) -> anyhow::Result<()> {
    let tokens: TokenStream = source.text.parse().map_err(|error| anyhow!("{}: {error}", source.path))?;
    walk_group(tokens, &mut visit);
    Ok(())
}

fn walk_group(tokens: TokenStream, visit: &mut dyn FnMut(&[TokenTree])) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut rest = &tokens[..];
    while let [first, after @ ..] = rest {
        if is_punct(first, '#') && after.first().is_some_and(is_test_attribute) {
            rest = after_item(after);
            continue;
        }
        visit(rest);
        if let TokenTree::Group(group) = first {
            walk_group(group.stream(), visit);
        }
        rest = after;
    }
}

/// `[test]`, `[cfg(test)]`
fn is_test_attribute(token: &TokenTree) -> bool {
    match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Bracket => {
            matches!(group.stream().to_string().replace(' ', "").as_str(), "test" | "cfg(test)")
        }
        _ => false,
    }
}

/// The tokens after an item, which ends with its braces or with a semicolon.
fn after_item(tokens: &[TokenTree]) -> &[TokenTree] {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        token => is_punct(token, ';'),
    };
    let end = tokens.iter().position(ends).map_or(tokens.len(), |end| end + 1);
    &tokens[end..]
}

pub(super) fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

pub(super) fn is_ident(token: &TokenTree, expected: &str) -> bool {
    matches!(token, TokenTree::Ident(ident) if ident == expected)
}

pub(super) fn line(token: &TokenTree) -> usize {
    token.span().start().line
}
