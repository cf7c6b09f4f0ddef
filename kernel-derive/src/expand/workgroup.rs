//! A group kernel's workgroup memory. It lies where the contract between the crates puts it: what collectives
//! use, then each array, then what a launch sizes, each in the order of the parameters.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Type;
use syn::ext::IdentExt;

use super::{aliases, lifetimes, local};
use crate::model::{Kernel, Level};

/// The values of the parameters that are workgroup memory, made of `memory`; `len` is the length of a
/// launch-sized one, by its number among them and its place among the parameters. `cluster` is where a kernel of clusters has its own.
///
/// What this writes belongs into an `unsafe` block.
pub(super) fn values(
    kernel: &Kernel,
    memory: &Ident,
    cluster: &Ident,
    len: impl Fn(usize, usize) -> TokenStream,
) -> TokenStream {
    let private = kernel.private();
    let fixed = kernel.fixed().map(|(i, _)| {
        let (value, array) = (local("value", i), aliases::element(i));
        let made = of_level(kernel, cluster, quote!(#private::Memory::fixed::<#array>(&mut #memory)));
        quote!(let #value = #made;)
    });
    let partitions = kernel.partitions().enumerate().map(|(number, (i, _))| {
        let (value, element, size) = (local("value", i), aliases::element(i), local("size", i));
        let len = len(number, i);
        let made =
            of_level(kernel, cluster, quote!(#private::Memory::partition::<#element>(&mut #memory, #size)));
        quote!(let #size = #len; let #value = #made;)
    });
    quote!(#(#fixed)* #(#partitions)*)
}

/// A group's memory as what a kernel's body gets of it.
fn of_level(kernel: &Kernel, cluster: &Ident, memory: TokenStream) -> TokenStream {
    let private = kernel.private();
    match kernel.level {
        Level::Cluster => quote!(#private::Workgroup::of_cluster(#memory, &#cluster)),
        _ => memory,
    }
}

/// Whether the kernel has any workgroup memory.
pub(super) fn is_used(kernel: &Kernel) -> bool {
    kernel.fixed().next().is_some() || kernel.partitions().next().is_some()
}

/// The elements of what a launch sizes, as a nested list.
pub(super) fn sizes(kernel: &Kernel) -> TokenStream {
    kernel.partitions().fold(quote!(()), |before, (_, element)| {
        let element = lifetimes::launched(element);
        quote!((#before, #element))
    })
}

/// What `Signature` says of workgroup memory.
pub(super) fn constants(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let sizes = sizes(kernel);
    let partitions = kernel.partitions().map(|(i, element)| {
        let element = lifetimes::launched(element);
        let name = kernel.parameters[i].name.unraw().to_string();
        quote!(#private::PartitionLayout::of::<#element>(#name))
    });
    let arrays = kernel.fixed().map(|(_, array)| {
        let array = lifetimes::launched(array);
        quote!(+ #private::partition_bytes(#private::core::mem::size_of::<#array>()))
    });
    let bytes = match kernel.level {
        Level::Thread => quote!(0),
        Level::Group(_) | Level::Grid => quote!(#private::COLLECTIVE_BYTES #(#arrays)*),
        Level::Cluster => quote!(#private::COLLECTIVE_BYTES + #private::CLUSTER_BYTES #(#arrays)*),
        // No collectives: all of a group's memory is for such a kernel's own, as CUDA has it.
        Level::UnsafeThread => quote!(0 #(#arrays)*),
    };
    quote! {
        type Sizes = #sizes;
        const PARTITIONS: &'static [#private::PartitionLayout] = &[#(#partitions),*];
        const FIXED_BYTES: #private::core::primitive::usize = #bytes;
    }
}

/// The types of what lies in workgroup memory: host and device have to agree on the size of each.
pub(super) fn contents(kernel: &Kernel) -> impl Iterator<Item = Type> {
    let fixed = kernel.fixed().map(|(_, array)| array);
    let partitions = kernel.partitions().map(|(_, element)| element);
    fixed.chain(partitions).map(lifetimes::launched)
}
