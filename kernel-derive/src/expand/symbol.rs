//! A symbol for each kernel. Two kernels of one name in a module, each in a function of its own, would have one path; rustc
//! then reports this symbol twice, and the symbol reads as the message.

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering};

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::ext::IdentExt;

/// A number that no other macro call of the crate gets: one process expands all of them.
pub(crate) fn next_number() -> usize {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    CALLS.fetch_add(1, Ordering::Relaxed)
}

/// A static that only one kernel of this name can have in a module.
pub(super) fn symbol(private: &TokenStream, kernel: &Ident) -> TokenStream {
    let (prefix, kernel) = (prefix(|variable| env::var(variable).ok()), format!("::{}", kernel.unraw()));
    // A crate's unit tests may be linked with the crate itself, through a dev-dependency.
    let in_tests = format!("{kernel}__in_tests");
    let symbol = |end: &str| quote!(#private::core::concat!(#prefix, #private::core::module_path!(), #end));
    let (symbol, in_tests) = (symbol(&kernel), symbol(&in_tests));
    // Why the `unsafe` attribute may stand: nothing refers to the symbol, and no other has its name.
    quote! {
        #[cfg_attr(not(test), unsafe(export_name = #symbol))]
        #[cfg_attr(test, unsafe(export_name = #in_tests))]
        static UNIQUE: #private::core::primitive::u8 = 0;
    }
}

/// What stands before the kernel's path, from what cargo says of the crate being compiled; rustc alone says nothing.
fn prefix(variable: impl Fn(&str) -> Option<String>) -> String {
    let mut parts = vec!["gridwright_kernel_names_must_be_unique_in_a_module".to_owned()];
    if let (Some(package), Some(version)) = (variable("CARGO_PKG_NAME"), variable("CARGO_PKG_VERSION")) {
        parts.push(format!("{package}_{version}"));
    }
    if let Some(name) = variable("CARGO_CRATE_NAME") {
        // A package's library and its binary may have one name, and are linked together.
        let is_binary = variable("CARGO_BIN_NAME").is_some();
        parts.push(if is_binary { format!("{name}_bin") } else { name });
    }
    parts.push(String::new());
    parts.join("__").replace(|c: char| !c.is_ascii_alphanumeric(), "_")
}

#[cfg(test)]
mod tests {
    use super::prefix;

    #[test]
    fn reads_as_a_message() {
        let prefix = prefix(|variable| match variable {
            "CARGO_PKG_NAME" => Some("my-app".to_owned()),
            "CARGO_PKG_VERSION" => Some("0.1.0".to_owned()),
            "CARGO_CRATE_NAME" => Some("my_app".to_owned()),
            _ => None,
        });
        assert_eq!(prefix, "gridwright_kernel_names_must_be_unique_in_a_module__my_app_0_1_0__my_app__");
    }

    #[test]
    fn does_without_cargo() {
        assert_eq!(prefix(|_| None), "gridwright_kernel_names_must_be_unique_in_a_module__");
    }
}
