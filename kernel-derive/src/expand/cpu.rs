//! A kernel's code on the CPU: how its threads, or its groups, call the body.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;

use super::{again, bounds, call, direct, item, local, signature, workgroup};
use crate::model::{Kernel, Level};

/// `Signature::CPU`.
pub(super) fn constant(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let code = match kernel.level {
        _ if !kernel.has_cpu_code => quote!(CpuEntry::Off),
        Level::Thread => quote!(CpuEntry::Threads(#private::run_chunk::<Self>)),
        Level::Group(_) => quote!(CpuEntry::Groups(#private::run_groups::<Self>)),
        Level::Cluster => quote!(CpuEntry::Clusters(#private::run_clusters::<Self>)),
        Level::Grid => quote!(CpuEntry::Grid(#private::run_grid::<Self>)),
        Level::UnsafeThread => quote!(fibers::<Self>()),
    };
    quote!(const CPU: #private::CpuEntry = #private::#code;)
}

/// `ThreadKernel`, `GroupKernel`, `ClusterKernel`, `GridKernel` or `FiberKernel`, for the host, if the CPU runs the kernel.
pub(super) fn implementation(kernel: &Kernel) -> TokenStream {
    if !kernel.has_cpu_code {
        return TokenStream::new();
    }
    match kernel.level {
        Level::Thread => thread_kernel(kernel),
        Level::Group(_) => group_kernel(kernel),
        Level::Cluster => together(kernel, ["ClusterKernel", "Cluster", "with_cluster_parameters"]),
        Level::Grid => together(kernel, ["GridKernel", "Grid", "with_grid_parameters"]),
        Level::UnsafeThread => fiber_kernel(kernel),
    }
}

// Names in what follows are hygienic, so that no parameter can have one of them.

fn thread_kernel(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let host = signature::host();
    let (this, named) = (again(&kernel.name), item::named(kernel));
    let body = call::name();
    let (shape, chunk, arguments, thread) = (name("shape"), name("chunk"), name("arguments"), name("thread"));
    let values: Vec<_> = (0..kernel.parameters.len()).map(|i| local("value", i)).collect();
    let core = quote!(#private::core);
    let direct = direct::parameters(kernel).map(|bits| quote!(const DIRECT: #core::primitive::u64 = #bits;));
    quote! {
        // SAFETY: `run` hands the arguments on as they are.
        #[cfg(#host)]
        unsafe impl #private::ThreadKernel for #this #named {
            #direct

            #[inline(always)]
            unsafe fn run<__Shape: #private::Shape>(
                #shape: __Shape,
                #chunk: &#private::Chunk,
                #arguments: &#private::Raw<Self>,
            ) {
                // SAFETY: the arguments are live, with each parameter's kind of access, and the chunk is one of the launch, with
                // the shape's sizes and facts: `run` asks for both.
                unsafe {
                    #private::run_threads::<Self::Params, __Shape, _>(
                        #shape,
                        #chunk,
                        #arguments,
                        |#thread, (#(#values,)*)| #body(#thread, #(#values),*),
                    )
                }
            }
        }
    }
}

fn group_kernel(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let host = signature::host();
    let (this, named) = (again(&kernel.name), item::named(kernel));
    let body = call::name();
    let block = bounds::block(kernel);
    let (group, arguments, memory) = (name("group"), name("arguments"), name("memory"));
    let passed = kernel.passed().map(|(i, _)| local("value", i));
    let values = (0..kernel.parameters.len()).map(|i| local("value", i));
    let made = workgroup_memory(kernel, &memory);
    quote! {
        // SAFETY: `run` hands the arguments on as they are, and takes each piece of the memory once, in the order in
        // which `FIXED_BYTES` and `PARTITIONS` count them.
        #[cfg(#host)]
        unsafe impl #private::GroupKernel for #this #named {
            type Block = #block;

            #[inline(always)]
            unsafe fn run<__Shape: #private::GroupShape>(
                #group: &#private::Group<'_, __Shape>,
                #arguments: &#private::Raw<Self>,
                #memory: #private::Memory<'_>,
            ) {
                // SAFETY: the arguments are live, with each parameter's kind of access, as `run` asks; the memory is as large as
                // the launch made it of `FIXED_BYTES` and `PARTITIONS`.
                unsafe {
                    #private::with_parameters::<Self::Params, __Shape, _>(
                        #group,
                        #arguments,
                        |(#(#passed,)*)| {
                            #made
                            #body(#group, #(#values),*)
                        },
                    )
                }
            }
        }
    }
}

/// The implementation for a grid or a cluster, whose groups run together: the trait, and what the body is
/// given.
fn together(kernel: &Kernel, [kind, level, parameters]: [&str; 3]) -> TokenStream {
    let first = name(&level.to_lowercase());
    let [kind, level, parameters] = [kind, level, parameters].map(name);
    let private = kernel.private();
    let host = signature::host();
    let (this, named) = (again(&kernel.name), item::named(kernel));
    let body = call::name();
    let block = bounds::block(kernel);
    let (arguments, memory) = (name("arguments"), name("memory"));
    let passed = kernel.passed().map(|(i, _)| local("value", i));
    let values = (0..kernel.parameters.len()).map(|i| local("value", i));
    let made = workgroup_memory(kernel, &memory);
    quote! {
        // SAFETY: `run` hands the arguments on as they are, and takes each piece of the memory once, in the order in
        // which `FIXED_BYTES` and `PARTITIONS` count them.
        #[cfg(#host)]
        unsafe impl #private::#kind for #this #named {
            type Block = #block;

            #[inline(always)]
            unsafe fn run<__Shape: #private::GroupShape>(
                #first: &#private::#level<'_, __Shape>,
                #arguments: &#private::Raw<Self>,
                #memory: #private::Memory<'_>,
            ) {
                // SAFETY: the arguments are live, with each parameter's kind of access, as `run` asks; the memory is as large as
                // the launch made it of `FIXED_BYTES` and `PARTITIONS`.
                unsafe {
                    #private::#parameters::<Self::Params, __Shape, _>(
                        #first,
                        #arguments,
                        |(#(#passed,)*)| {
                            #made
                            #body(#first, #(#values),*)
                        },
                    )
                }
            }
        }
    }
}

fn fiber_kernel(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let host = signature::host();
    let (this, named) = (again(&kernel.name), item::named(kernel));
    let body = call::name();
    let (thread, place, arguments, memory) =
        (name("thread"), name("place"), name("arguments"), name("memory"));
    let passed = kernel.passed().map(|(i, _)| local("value", i));
    let values = (0..kernel.parameters.len()).map(|i| local("value", i));
    let made = workgroup_memory(kernel, &memory);
    quote! {
        // SAFETY: `run` hands the arguments on as they are, and takes each piece of the memory once, in the order in
        // which `FIXED_BYTES` and `PARTITIONS` count them.
        #[cfg(#host)]
        unsafe impl #private::FiberKernel for #this #named {
            #[inline(always)]
            unsafe fn run<__Copy>(
                #thread: #private::Thread<'_>,
                #place: &#private::GroupPlace,
                #arguments: &#private::Raw<Self>,
                #memory: #private::Memory<'_>,
            ) {
                // SAFETY: the arguments are live, with each parameter's kind of access, and as the kernel's author asks: `run` asks
                // for both. The memory is as large as the launch made it of `FIXED_BYTES` and `PARTITIONS`.
                unsafe {
                    #private::with_fiber_parameters::<Self::Params, _>(
                        #place,
                        #arguments,
                        |(#(#passed,)*)| {
                            #made
                            #body(#thread, #(#values),*)
                        },
                    )
                }
            }
        }
    }
}

/// Makes the parameters that are workgroup memory.
fn workgroup_memory(kernel: &Kernel, memory: &Ident) -> TokenStream {
    let private = kernel.private();
    if !workgroup::is_used(kernel) {
        return quote!(let _ = #memory;);
    }
    let values = workgroup::values(kernel, memory, &name("cluster"), |number, _| {
        let number = Literal::usize_unsuffixed(number);
        quote!(#private::Memory::len(&#memory, #number))
    });
    quote! {
        let mut #memory = #memory;
        #values
    }
}

fn name(text: &str) -> Ident {
    Ident::new(text, Span::mixed_site())
}
