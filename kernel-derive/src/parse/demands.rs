//! What the attribute demands of a launch: `block = …`, `max_threads = …`, `min_groups = …`.

use syn::parse::ParseStream;
use syn::{Error, Expr, Result};

use crate::messages;
use crate::model::Block;

/// `n`, `(x)`, `(x, y)` or `(x, y, z)`, each a constant expression.
pub(super) fn block(input: ParseStream<'_>) -> Result<Block> {
    let whole: Expr = input.parse()?;
    let axes = match &whole {
        Expr::Tuple(tuple) => tuple.elems.iter().cloned().collect(),
        _ => vec![whole.clone()],
    };
    if axes.is_empty() || axes.len() > 3 {
        return Err(Error::new_spanned(whole, messages::BLOCK));
    }
    Ok(Block { axes })
}
