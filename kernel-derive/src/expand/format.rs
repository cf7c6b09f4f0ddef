//! `format!` in kernels: a call of the device's `format`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::quiet;
use crate::parse::Format;
use crate::report::Report;
use crate::validate;

/// The call, or the errors.
pub(crate) fn format(tokens: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let format: Format = match syn::parse2(tokens) {
        Ok(format) => format,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!({ #error });
        }
    };
    validate::format(&format, &mut report);
    if !report.is_empty() {
        let errors = report.into_tokens();
        return quote!({ #errors });
    }
    let Format { root, format, arguments } = format;
    let arguments = arguments.iter().map(|argument| {
        let span = quiet(argument.span());
        quote_spanned!(span=> #root::__private::Formatted::argument(&(#argument)))
    });
    quote!(#root::__private::format(#format, &[#(#arguments),*]))
}
