//! `gpu_println!`: a call of the device's `print`.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::quiet;
use crate::parse::Print;
use crate::report::Report;
use crate::validate;

/// The call, or the errors.
pub(crate) fn print(tokens: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let print: Print = match syn::parse2(tokens) {
        Ok(print) => print,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!({ #error });
        }
    };
    validate::print(&print, &mut report);
    if !report.is_empty() {
        let errors = report.into_tokens();
        return quote!({ #errors });
    }
    let Print { root, thread, format, arguments } = print;
    let arguments = arguments.iter().map(|argument| {
        let span = quiet(argument.span());
        quote_spanned!(span=> #root::__private::argument(#argument))
    });
    quote!(#root::__private::print(#thread, #format, [#(#arguments),*]))
}
