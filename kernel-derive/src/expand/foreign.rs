//! Kernels that were compiled elsewhere: for each its type, `load` and a signature.

use gridwright_image::{Format, Parameter};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{again, lifetimes, path_at, quiet, signature};
use crate::messages;
use crate::model::{Foreign, ForeignImage, ForeignKernel};
use crate::text;

/// The code that stands in place of the block. If it is not `sound`, the images aren't looked at.
pub(super) fn kernels(foreign: &Foreign, is_sound: bool) -> TokenStream {
    let images = if is_sound { &*foreign.images } else { &[] };
    foreign.kernels.iter().map(|kernel| self::kernel(foreign, images, kernel)).collect()
}

fn kernel(foreign: &Foreign, images: &[ForeignImage], kernel: &ForeignKernel) -> TokenStream {
    let private = foreign.private();
    let block = &foreign.attributes;
    let (attributes, visibility, name) = (&kernel.attributes, &kernel.visibility, &kernel.name);
    let this = again(name);
    let host = signature::host();
    let types: Vec<Type> =
        kernel.parameters.iter().map(|parameter| lifetimes::launched(&parameter.ty)).collect();
    let count = types.len();
    let names = kernel.parameters.iter().map(|parameter| parameter.name.unraw().to_string());
    let text = name.unraw().to_string();
    let entry = &kernel.entry;
    let (sizes, partitions) = match &kernel.memory {
        None => (quote!(()), None),
        Some((name, element)) => {
            let (name, element) = (name.unraw().to_string(), lifetimes::launched(element));
            (quote!(((), #element)), Some(quote!(#private::PartitionLayout::of::<#element>(#name))))
        }
    };
    let docs = messages::LOAD_DOCS;
    let images = images.iter().filter_map(|image| Some((image, image.image.entry(entry)?)));
    let asserts: TokenStream = images
        .clone()
        .flat_map(|(image, entry)| asserts(&private, &types, image, &entry.parameters, &kernel.entry))
        .collect();
    let images = images.map(|(image, _)| {
        let (path, architecture) = (&image.path, &image.image.architecture);
        let kind = match image.image.format {
            Format::Ptx => quote!(Ptx),
            Format::Cubin => quote!(Cubin),
            _ => quote!(CodeObject),
        };
        quote! {
            #private::Image {
                architecture: #architecture,
                compiled_for: #architecture,
                kind: #private::ImageKind::#kind,
                bytes: #private::core::include_bytes!(#path),
                entries: &[#private::ImageEntry {
                    name: #entry,
                    path: #entry,
                    parameters: &__PARAMETERS,
                    layout: &[],
                    // Another compiler's kernels may have variables in common.
                    parts: &[],
                }],
                panics: &[],
            }
        }
    });
    let item = quote_spanned!(name.span()=> #visibility struct #name {});
    quote! {
        #(#block)*
        #(#attributes)*
        #[allow(non_camel_case_types, missing_debug_implementations)]
        #item

        #(#block)*
        #[cfg(#host)]
        const _: () = {
            #asserts

            const __PARAMETERS: [#private::ImageParameter; #count] = #private::ImageParameter::in_order([
                #((#private::core::mem::size_of::<#types>(), #private::core::mem::align_of::<#types>())),*
            ]);

            impl #this {
                #(#[doc = #docs])*
                #visibility fn load(
                    device: &#private::Device,
                ) -> #private::core::result::Result<#private::UnsafeKernel<Self>, #private::Error> {
                    #private::load_unsafe::<Self>(device)
                }
            }

            // SAFETY: there is no code for the CPU; the images have entries with parameters of these sizes.
            unsafe impl #private::Signature for #this {
                type Params = (#(#types,)*);
                type Sizes = #sizes;
                const NAME: &'static #private::core::primitive::str = #text;
                const PARAMETERS: &'static [&'static #private::core::primitive::str] = &[#(#names),*];
                const ENTRY: &'static #private::core::primitive::str = #entry;
                const IMAGES: &'static #private::Images =
                    &#private::Images { missing: "", images: &[#(#images),*], cpu: #private::CpuCode::All };
                const BOUNDS: #private::Bounds =
                    #private::Bounds { whole_groups: true, ..#private::Bounds::of_rank(3) };
                const PARTITIONS: &'static [#private::PartitionLayout] = &[#partitions];
                const FIXED_BYTES: #private::core::primitive::usize = 0;
                const CPU: #private::CpuEntry = #private::CpuEntry::Foreign;
                const IS_UNSAFE: #private::core::primitive::bool = true;
                fn require(
                    _: &#private::Raw<Self>,
                    _: #private::GroupExtent,
                    _: &[#private::core::primitive::usize],
                ) -> #private::core::result::Result<(), &'static #private::core::primitive::str> {
                    #private::core::result::Result::Ok(())
                }
            }
        };
    }
}

/// Assertions that each parameter has the size that an image says.
fn asserts(
    private: &TokenStream,
    types: &[Type],
    image: &ForeignImage,
    found: &[Parameter],
    entry: &str,
) -> TokenStream {
    let parameters = types.iter().zip(found).enumerate();
    parameters
        .map(|(number, (ty, found))| {
            let bytes = u64::from(found.size);
            let message = text::unformatted(&messages::entry_size(&image.written, entry, number, bytes));
            let private = path_at(private, ty.span());
            quote_spanned! {quiet(ty.span())=>
                const _: () =
                    #private::core::assert!(#private::core::mem::size_of::<#ty>() as #private::core::primitive::u64 == #bytes, #message);
            }
        })
        .collect()
}
