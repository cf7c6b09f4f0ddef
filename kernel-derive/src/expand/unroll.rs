//! `unroll!`: the body of a loop as often as it runs, or several times in a loop.

use proc_macro2::TokenStream;
use quote::quote;

use super::local;
use crate::report::Report;
use crate::validate;
use crate::validate::{Copies, Unrolled};

/// The copies, or the errors.
pub(crate) fn unroll(tokens: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let unroll = match syn::parse2(tokens) {
        Ok(unroll) => unroll,
        Err(error) => {
            let error = error.into_compile_error();
            return quote!({ #error });
        }
    };
    let Some(unrolled) = validate::unroll(unroll, &mut report) else {
        let errors = report.into_tokens();
        return quote!({ #errors });
    };
    let Unrolled { pattern, body, copies, all, turn } = unrolled;
    let turns = match copies {
        Copies::All(numbers) => quote!(#(#turn: { let #pattern = #numbers; #body })*),
        Copies::By(copies, bounds) => {
            let (start, end) = *bounds;
            let (range, at, last) = (local("range", 0), local("at", 0), local("end", 0));
            let one = quote!(#turn: { let #pattern = #at; #body } #at += 1;);
            let several = vec![&one; copies];
            let copies = proc_macro2::Literal::usize_unsuffixed(copies);
            quote! {
                let #range = (#start)..(#end);
                let (mut #at, #last) = (#range.start, #range.end);
                // Signed numbers may be further apart than their type counts: then one by one.
                while #at < #last && #last.wrapping_sub(#at) >= #copies {
                    #(#several)*
                }
                while #at < #last {
                    #one
                }
            }
        }
    };
    quote! {{
        #[allow(unused_labels, unused_assignments, unreachable_code)]
        let () = #all: { #turns };
    }}
}
