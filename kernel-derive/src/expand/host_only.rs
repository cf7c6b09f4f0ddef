//! `#[host_only]`: the item, on the host.

use proc_macro2::TokenStream;
use quote::quote;

use crate::messages;
use crate::report::Report;

/// The item unless the target is a GPU; whatever the item is, it isn't looked at.
pub(crate) fn host_only(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    let item = quote! {
        #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
        #item
    };
    if arguments.is_empty() {
        return item;
    }
    let mut report = Report::default();
    report.error(arguments, messages::HOST_ONLY_ARGUMENTS);
    let mut tokens = report.into_tokens();
    tokens.extend(item);
    tokens
}
