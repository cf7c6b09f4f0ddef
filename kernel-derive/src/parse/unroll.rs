//! What `unroll!` is called with: `for i in 0..8 { … }`, or `4; for i in 0..n { … }`.

use syn::parse::{Parse, ParseStream};
use syn::{ExprForLoop, LitInt, Result, Token};

/// A loop to unroll.
pub(crate) struct Unroll {
    /// How many turns are written out at a time; all of them, if no number is given.
    pub(crate) factor: Option<LitInt>,
    pub(crate) turns: ExprForLoop,
}

impl Parse for Unroll {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let factor = if input.peek(LitInt) {
            let factor = input.parse()?;
            input.parse::<Token![;]>()?;
            Some(factor)
        } else {
            None
        };
        Ok(Self { factor, turns: input.parse()? })
    }
}
