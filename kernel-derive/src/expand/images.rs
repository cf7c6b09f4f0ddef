//! The device images that `gridwright-build` left for the target that is being compiled.

use std::env;
use std::path::PathBuf;

use proc_macro2::TokenStream;
use quote::quote;

use crate::messages;

/// The images as a constant expression: the table of what has a kernel's name, or why there is none.
pub(super) fn images(private: &TokenStream, kernel: &str) -> TokenStream {
    // The table speaks of `__gridwright`.
    match (table("", kernel), table(".test", kernel)) {
        (Some(table), None) => quote! {
            &{
                use #private as __gridwright;
                #private::core::include!(#table)
            }
        },
        // The target's unit tests have kernels, and so images of their own. A macro isn't told whether they are compiled.
        (Some(table), Some(of_tests)) => quote! {
            &{
                use #private as __gridwright;
                #[cfg(not(test))]
                const IMAGES: __gridwright::Images = #private::core::include!(#table);
                #[cfg(test)]
                const IMAGES: __gridwright::Images = #private::core::include!(#of_tests);
                IMAGES
            }
        },
        (None, _) => {
            let is_new = folder().is_some_and(|folder| folder.is_dir());
            let missing = if is_new { messages::NEW_TARGET } else { messages::NO_BUILD_SCRIPT };
            quote!(&#private::Images { missing: #missing, images: &[], cpu: #private::CpuCode::All })
        }
    }
}

/// The path of the kernel's table in the target's images, or in those of its unit tests, if the package's build script wrote them: of the
/// whole target's where no image has a kernel of the name.
fn table(of: &str, kernel: &str) -> Option<String> {
    let name = env::var("CARGO_CRATE_NAME").ok()?;
    let target = folder()?.join(format!("{}-{name}{of}", kind()));
    let of_kernel = target.join(format!("kernel-{}.rs", kernel.to_lowercase()));
    let mut of_target = target.into_os_string();
    of_target.push(".rs");
    let table = [of_kernel, of_target.into()].into_iter().find(|table| table.is_file())?;
    table.into_os_string().into_string().ok()
}

/// The folder of the package's tables, if its build script writes any.
fn folder() -> Option<PathBuf> {
    Some(PathBuf::from(env::var_os("OUT_DIR")?).join("gridwright"))
}

/// The kind of target that is being compiled, by what cargo says of it.
fn kind() -> &'static str {
    if env::var_os("CARGO_BIN_NAME").is_some() {
        "bin"
    } else if env::var_os("CARGO_TARGET_TMPDIR").is_some() {
        "test"
    } else {
        "lib"
    }
}
