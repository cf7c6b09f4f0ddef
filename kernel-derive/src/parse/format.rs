//! What `format!` in a kernel is called with: `[gridwright] "format", arguments`. The facade's macro puts the brackets there.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, LitStr, Result, Token, bracketed};

use super::print::text;
use crate::messages;

/// A text to make.
pub(crate) struct Format {
    /// `$crate` of the facade's macro.
    pub(crate) root: proc_macro2::TokenStream,
    pub(crate) format: LitStr,
    pub(crate) arguments: Vec<Expr>,
}

impl Parse for Format {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let brackets;
        bracketed!(brackets in input);
        let root = brackets.parse()?;
        let mut expressions = Punctuated::<Expr, Token![,]>::parse_terminated(input)?.into_iter();
        let nothing = || syn::Error::new(Span::call_site(), messages::FORMAT_OF_NOTHING);
        let format = expressions.next().ok_or_else(nothing)?;
        let format = match text(&format) {
            Some(text) => text.clone(),
            None => return Err(syn::Error::new_spanned(format, messages::FORMAT_OF_NOTHING)),
        };
        Ok(Self { root, format, arguments: expressions.collect() })
    }
}
