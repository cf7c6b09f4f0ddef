//! One entry of `instances(...)`: `f32`, `4` or `(f32, 4)`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::discouraged::Speculative;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Expr, Result, Token, Type, parenthesized, token};

/// The arguments of one instance.
pub(crate) struct Entry {
    /// The tokens as written, for errors about the whole entry.
    pub(crate) tokens: TokenStream,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument of an instance: what one generic parameter becomes.
pub(crate) enum Argument {
    /// An argument that reads as a type; the name of a constant does too.
    Type(Type),
    /// An argument that reads as a value only.
    Value(Expr),
}

impl Parse for Entry {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        if input.peek(token::Paren) && ends_after_group(input) {
            let content;
            let parens = parenthesized!(content in input);
            let arguments = Punctuated::<Argument, Token![,]>::parse_terminated(&content)?;
            let mut tokens = TokenStream::new();
            parens.surround(&mut tokens, |inner| arguments.to_tokens(inner));
            return Ok(Entry { tokens, arguments: arguments.into_iter().collect() });
        }
        let argument: Argument = input.parse()?;
        Ok(Entry { tokens: quote!(#argument), arguments: vec![argument] })
    }
}

/// Tells the list `(f32, 4)` from an expression that only starts with a parenthesis.
fn ends_after_group(input: ParseStream<'_>) -> bool {
    let ahead = input.fork();
    ahead.parse::<proc_macro2::Group>().is_ok() && ends(&ahead)
}

fn ends(input: ParseStream<'_>) -> bool {
    input.is_empty() || input.peek(Token![,])
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let ahead = input.fork();
        if let Ok(ty) = ahead.parse::<Type>()
            && ends(&ahead)
        {
            input.advance_to(&ahead);
            return Ok(Argument::Type(ty));
        }
        input.parse().map(Argument::Value)
    }
}

impl ToTokens for Argument {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            Argument::Type(ty) => ty.to_tokens(tokens),
            Argument::Value(value) => value.to_tokens(tokens),
        }
    }
}
