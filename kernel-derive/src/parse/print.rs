//! What `gpu_println!` is called with: `[gridwright] thread, "format", arguments`. The facade's macro puts the brackets
//! there.

use proc_macro2::Span;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, ExprLit, Lit, LitStr, Result, Token, bracketed};

use crate::messages;

/// A line to print.
pub(crate) struct Print {
    /// `$crate` of the facade's macro.
    pub(crate) root: proc_macro2::TokenStream,
    pub(crate) thread: Expr,
    pub(crate) format: LitStr,
    pub(crate) arguments: Vec<Expr>,
}

impl Parse for Print {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let brackets;
        bracketed!(brackets in input);
        let root = brackets.parse()?;
        let mut expressions = Punctuated::<Expr, Token![,]>::parse_terminated(input)?.into_iter();
        let nothing = || syn::Error::new(Span::call_site(), messages::PRINTS_NOTHING);
        let thread = expressions.next().ok_or_else(nothing)?;
        if text(&thread).is_some() {
            return Err(syn::Error::new_spanned(thread, messages::NO_WITNESS));
        }
        let Some(format) = expressions.next() else {
            return Err(syn::Error::new_spanned(thread, messages::PRINTS_NOTHING));
        };
        let format = match text(&format) {
            Some(text) => text.clone(),
            None => return Err(syn::Error::new_spanned(format, messages::FORMAT_NOT_TEXT)),
        };
        Ok(Self { root, thread, format, arguments: expressions.collect() })
    }
}

pub(super) fn text(expression: &Expr) -> Option<&LitStr> {
    match expression {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text),
        _ => None,
    }
}
