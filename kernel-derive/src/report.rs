//! The errors of one macro call, gathered so that the user sees all of them at once.

use std::fmt::Display;

use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Error;

/// Every error found so far, in the order found.
#[derive(Default)]
pub(crate) struct Report {
    errors: Vec<Error>,
}

impl Report {
    /// An error that underlines all of `tokens`.
    pub(crate) fn error(&mut self, tokens: impl ToTokens, message: impl Display) {
        self.push(Error::new_spanned(tokens, message));
    }

    /// An error at one place.
    pub(crate) fn error_at(&mut self, span: Span, message: impl Display) {
        self.push(Error::new(span, message));
    }

    pub(crate) fn push(&mut self, error: Error) {
        self.errors.push(error);
    }

    pub(crate) fn append(&mut self, mut other: Report) {
        self.errors.append(&mut other.errors);
    }

    pub(crate) fn append_errors(&mut self, errors: impl IntoIterator<Item = Option<Error>>) {
        self.errors.extend(errors.into_iter().flatten());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors as `compile_error!` calls, where nothing stands in for what is refused.
    pub(crate) fn into_tokens(self) -> TokenStream {
        self.errors.iter().map(Error::to_compile_error).collect()
    }

    /// The errors as `compile_error!` calls by a path from the framework. By `::core`, as `syn` writes it, a crate that calls another one
    /// so could let the errors be nothing, and the program compile with what stands in.
    pub(crate) fn into_tokens_by(self, private: &TokenStream) -> TokenStream {
        let mut calls = TokenStream::new();
        let mut is_start = true;
        for token in self.into_tokens() {
            match &token {
                TokenTree::Ident(name) if name == "core" => {
                    let span = name.span();
                    calls.extend(quote!(#private::core).into_iter().map(|mut part| {
                        // `$crate` is the crate of its own span.
                        let is_crate = matches!(&part, TokenTree::Ident(name) if name == "$crate");
                        part.set_span(if is_crate { part.span().located_at(span) } else { span });
                        part
                    }));
                    is_start = false;
                }
                // The colons in front of it.
                TokenTree::Punct(_) if is_start => {}
                _ => {
                    is_start = matches!(token, TokenTree::Group(_));
                    calls.extend([token]);
                }
            }
        }
        calls
    }

    /// Each message in turn, for the tests.
    #[cfg(test)]
    pub(crate) fn messages(self) -> Vec<String> {
        self.errors.into_iter().flatten().map(|error| error.to_string()).collect()
    }
}
