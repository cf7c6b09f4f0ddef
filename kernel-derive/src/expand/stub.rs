//! What stands in for an item with errors, so that the code that uses it has none of its own.

use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt;

use super::{again, item};
use crate::model::{Kernel, KernelArg};

/// A kernel that takes whatever it is launched with and does nothing. With a `self` it stands in an
/// `impl`, where no type can.
pub(super) fn kernel(kernel: &Kernel) -> TokenStream {
    if kernel.signature.receiver().is_some() {
        return TokenStream::new();
    }
    let private = kernel.private();
    let item = item::item(kernel);
    let load = item::load(kernel);
    let block = &kernel.attributes.block;
    let this = again(&kernel.name);
    let (declared, named) = (item::declared(kernel), item::named(kernel));
    let types: Vec<_> = kernel.types().collect();
    let name = kernel.name.unraw().to_string();
    let is_unsafe = kernel.is_unsafe();
    quote! {
        #item

        #(#block)*
        const _: () = {
            #load

            // SAFETY: there are no parameters, and the crate doesn't compile.
            unsafe impl #declared #private::Signature for #this #named
            where
                #(#types: 'static,)*
            {
                type Params = #private::Refused;
                type Sizes = #private::Refused;
                const NAME: &'static #private::core::primitive::str = #name;
                const PARAMETERS: &'static [&'static #private::core::primitive::str] = &[];
                const ENTRY: &'static #private::core::primitive::str = #name;
                const IMAGES: &'static #private::Images =
                    &#private::Images { missing: "", images: &[], cpu: #private::CpuCode::All };
                const BOUNDS: #private::Bounds = #private::Bounds {
                    rank: 3,
                    index: #private::IndexWidth::Bits32,
                    block: #private::core::option::Option::None,
                    most_threads: #private::core::option::Option::None,
                    whole_groups: false,
                    tile: #private::core::option::Option::None,
                };
                const PARTITIONS: &'static [#private::PartitionLayout] = &[];
                const FIXED_BYTES: #private::core::primitive::usize = 0;
                const CPU: #private::CpuEntry = #private::CpuEntry::Threads(#private::run_chunk::<Self>);
                const IS_UNSAFE: #private::core::primitive::bool = #is_unsafe;
                fn require(
                    _: &#private::Raw<Self>,
                    _: #private::GroupExtent,
                    _: &[#private::core::primitive::usize],
                ) -> #private::core::result::Result<(), &'static #private::core::primitive::str> {
                    #private::core::result::Result::Ok(())
                }
            }

            // SAFETY: `run` touches nothing.
            unsafe impl #declared #private::ThreadKernel for #this #named
            where
                #(#types: 'static,)*
            {
                unsafe fn run<__Shape: #private::Shape>(
                    _: __Shape,
                    _: &#private::Chunk,
                    _: &#private::Raw<Self>,
                ) {
                }
            }
        };
    }
}

/// The traits of an argument, where nothing in the struct could contradict them.
pub(super) fn kernel_arg(kernel_arg: &KernelArg) -> TokenStream {
    if kernel_arg.is_sound { super::kernel_arg::implementations(kernel_arg) } else { TokenStream::new() }
}
