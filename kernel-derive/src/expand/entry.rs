//! A kernel's entry on a GPU. All arguments are numbers and pointers there: see the device crate's
//! `arch::gpu`.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::BinOp;

use super::argument::{self, Argument};
use super::signature::Use;
use super::{body, bounds, call, local, record, requires, workgroup};
use crate::model::{FirstElement, Kernel, Level, Passing};
use crate::requires::{Condition, ConditionKind, Extent, Fact, Term};

/// The entry point of one instance, and the record of its arguments' layouts.
pub(super) fn entry(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let (symbol, callee) = (instance.symbol(kernel), call::name());
    let width = width(kernel);
    let last = last(kernel);
    let group_number = match kernel.level {
        Level::Cluster => {
            let cluster = local("cluster", 0);
            quote!(#private::Cluster::first_group(&#cluster))
        }
        _ => {
            let group = local("group", 0);
            quote!(#private::Group::index(&#group))
        }
    };
    // None for workgroup memory.
    let arguments: Vec<_> = kernel
        .parameters
        .iter()
        .enumerate()
        .map(|(i, parameter)| Argument::new(&private, &width, &group_number, i, parameter))
        .collect();
    let declared = arguments.iter().flatten().flat_map(|argument| &argument.declared);
    let lens: Vec<_> = kernel.partitions().map(|(i, _)| local("len", i)).collect();
    let enter = match kernel.level {
        Level::Thread => thread(kernel, &last),
        Level::Group(_) => group(kernel, &width),
        Level::Cluster => cluster(kernel, &width),
        Level::Grid => grid(kernel, &width),
        Level::UnsafeThread => thread_of_group(kernel, &width),
    };
    let equal = kernel.conditions.iter().filter_map(|condition| equal(kernel, condition));
    let made = arguments.iter().enumerate().filter_map(|(i, argument)| {
        let (value, made) = (local("value", i), &argument.as_ref()?.made);
        Some(quote!(let #value = #made;))
    });
    let memory = memory(kernel);
    let conditions = requires::on_the_device(kernel, &arguments);
    let first = match kernel.level {
        Level::Thread | Level::UnsafeThread => local("thread", 0),
        Level::Group(_) => local("group", 0),
        Level::Cluster => local("cluster", 0),
        Level::Grid => local("grid", 0),
    };
    let borrow = matches!(kernel.level, Level::Group(_) | Level::Cluster | Level::Grid).then(|| quote!(&));
    let leave = matches!(kernel.level, Level::Cluster).then(|| quote!(; #private::end_of_cluster()));
    let meeting = is_grid(kernel).then(|| {
        let meeting = meeting();
        quote!(#meeting: #private::core::ptr::NonNull<#private::core::primitive::u8>,)
    });
    let given = arguments.iter().enumerate().map(|(i, argument)| {
        let value = local("value", i);
        let by_reference = argument.as_ref().is_some_and(|argument| argument.by_reference);
        if by_reference { quote!(&#value) } else { quote!(#value) }
    });
    let constants = argument::constants(&private, &kernel.parameters);
    quote! {
        #constants

        #[unsafe(export_name = #symbol)]
        pub unsafe extern "gpu-kernel" fn __entry(
            #(#last: #private::core::primitive::#width,)*
            #(#declared,)*
            #(#lens: #private::core::primitive::u32,)*
            #meeting
        ) {
            // SAFETY: the launcher passes what the signature says, having checked it against this very image, and each
            // thread is made once, as is each piece of the group's memory.
            unsafe {
                #enter
                #(#equal)*
                #(#made)*
                #memory
                #conditions
                #callee(#borrow #first, #(#given),*)
                #leave
            }
        }
    }
}

/// What the kernel is by this compiler, for the host to compare.
pub(super) fn record(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let symbol = format!("__gridwright_layout_{}", instance.symbol(kernel));
    let lines = record::lines(kernel);
    quote! {
        #[unsafe(export_name = #symbol)]
        pub static __LAYOUT: [[#private::core::primitive::u64; 4]; #lines] = __RECORD;
    }
}

/// The kernel's path, by which the entry gets its name.
pub(super) fn path_record(kernel: &Kernel, instance: &Use) -> TokenStream {
    let private = kernel.private();
    let symbol = format!("__gridwright_path_{}", instance.symbol(kernel));
    let path = instance.path(&private);
    quote! {
        const __PATH: &#private::core::primitive::str = #path;
        #[unsafe(export_name = #symbol)]
        pub static __PATH_BYTES: [#private::core::primitive::u8; #private::core::primitive::str::len(__PATH)] =
            #private::path_bytes(__PATH);
    }
}

/// A record that says that the code of an instance's entry is each thread's own, for the checks of the image:
/// of every other level's code all threads have to have the same values.
pub(super) fn threads_record(kernel: &Kernel, instance: &Use) -> Option<TokenStream> {
    let private = kernel.private();
    let symbol = format!("__gridwright_threads_{}", instance.symbol(kernel));
    matches!(kernel.level, Level::Thread | Level::UnsafeThread).then(|| {
        quote! {
            #[unsafe(export_name = #symbol)]
            pub static __THREADS: #private::core::primitive::u8 = 1;
        }
    })
}

/// The sizes of the entry's parameters in PTX, and the places of those that a code object has in parts.
pub(super) fn sizes(kernel: &Kernel) -> (TokenStream, TokenStream) {
    let number = |bytes| Literal::usize_unsuffixed(bytes).into_token_stream();
    let mut sizes: Vec<_> = last(kernel).iter().map(|_| number(kernel.index.bytes())).collect();
    let mut values = Vec::new();
    for parameter in &kernel.parameters {
        argument::sizes(&kernel.private(), parameter, kernel.index, &mut sizes, &mut values);
    }
    sizes.extend(kernel.partitions().map(|_| number(4)));
    sizes.extend(is_grid(kernel).then(|| number(8)));
    let values = values.into_iter().map(Literal::usize_unsuffixed);
    (quote!(&[#(#sizes),*]), quote!(&[#(#values),*]))
}

fn is_grid(kernel: &Kernel) -> bool {
    matches!(kernel.level, Level::Grid)
}

/// The memory by which the groups of a grid meet: the last that its entry takes.
fn meeting() -> Ident {
    local("meeting", 0)
}

/// Which parameters by value a code object's entry takes in parts, if there are any.
pub(super) fn values_in_parts(kernel: &Kernel) -> Option<TokenStream> {
    let values = kernel.parameters.iter().filter_map(|parameter| match parameter.passing {
        Passing::Number => Some(false),
        Passing::Value => Some(true),
        _ => None,
    });
    let bits = values.enumerate().fold(0_u32, |bits, (i, in_parts)| bits | u32::from(in_parts) << i);
    let private = kernel.private();
    (bits != 0).then(|| quote!(const VALUES_IN_PARTS: #private::core::primitive::u32 = #bits;))
}

/// The launch's last position on each axis that the kernel tells apart. A kernel whose launches have whole groups does
/// without: there is nothing beyond them.
fn last(kernel: &Kernel) -> Vec<Ident> {
    match kernel.level {
        Level::Thread => (0..kernel.rank()).map(|axis| local("last", axis)).collect(),
        Level::Group(_) | Level::Cluster | Level::Grid | Level::UnsafeThread => Vec::new(),
    }
}

fn width(kernel: &Kernel) -> Ident {
    Ident::new(kernel.index.integer(), Span::call_site())
}

/// Makes the thread, and returns where it is beyond the launch.
fn thread(kernel: &Kernel, last: &[Ident]) -> TokenStream {
    let private = kernel.private();
    let thread = local("thread", 0);
    let block = bounds::block(kernel);
    let made = match body::first_element(kernel) {
        // Its own test is the launch's, too.
        Some(FirstElement::OfSlice) => {
            return quote!(let #thread = #private::any_thread::<#block, _, _>([#(#last),*]););
        }
        Some(FirstElement::At { parameter, axes }) => {
            let owners = argument::owners(parameter, axes);
            quote!(#private::owner::<#block, _, _, _>([#(#last),*], [#(#owners),*]))
        }
        None => quote!(#private::thread::<#block, _, _>([#(#last),*])),
    };
    quote! {
        let #private::core::option::Option::Some(#thread) = #made else {
            return;
        };
    }
}

/// Makes the group.
fn group(kernel: &Kernel, width: &Ident) -> TokenStream {
    let private = kernel.private();
    let group = local("group", 0);
    let block = bounds::block(kernel);
    let rank = Literal::usize_unsuffixed(kernel.rank());
    quote!(let #group = #private::group::<#block, #private::core::primitive::#width, #rank>();)
}

/// Makes the cluster.
fn cluster(kernel: &Kernel, width: &Ident) -> TokenStream {
    let private = kernel.private();
    let cluster = local("cluster", 0);
    let block = bounds::block(kernel);
    quote!(let #cluster = #private::cluster::<#block, #private::core::primitive::#width>();)
}

/// Makes the grid.
fn grid(kernel: &Kernel, width: &Ident) -> TokenStream {
    let private = kernel.private();
    let (grid, meeting) = (local("grid", 0), meeting());
    let block = bounds::block(kernel);
    quote!(let #grid = #private::grid::<#block, #private::core::primitive::#width>(#meeting);)
}

/// Makes the thread of a launch of whole groups.
fn thread_of_group(kernel: &Kernel, width: &Ident) -> TokenStream {
    let private = kernel.private();
    let thread = local("thread", 0);
    let block = bounds::block(kernel);
    let rank = Literal::usize_unsuffixed(kernel.rank());
    quote!(let #thread = #private::thread_of_group::<#block, #private::core::primitive::#width, #rank>();)
}

/// Makes the parameters that are workgroup memory.
fn memory(kernel: &Kernel) -> Option<TokenStream> {
    if !workgroup::is_used(kernel) {
        return None;
    }
    let private = kernel.private();
    let memory = local("memory", 0);
    let values = workgroup::values(kernel, &memory, &local("cluster", 0), |_, i| {
        let len = local("len", i);
        quote!(#len as #private::core::primitive::usize)
    });
    let made = match kernel.level {
        Level::UnsafeThread => quote!(memory_of_threads),
        Level::Thread | Level::Group(_) | Level::Cluster | Level::Grid => quote!(memory),
    };
    Some(quote! {
        let mut #memory = #private::#made();
        #values
    })
}

/// Two sizes that `requires` holds equal become one name: the optimiser then needs no proof that a test of
/// the one is a test of the other.
fn equal(kernel: &Kernel, condition: &Condition) -> Option<TokenStream> {
    let ConditionKind::Fixed(Fact::Compare { operator: BinOp::Eq(_), left, right }) = &condition.kind else {
        return None;
    };
    let size = |term: &Term| match term {
        Term::Extent { extent, parameter, .. } => {
            let i = kernel.parameters.iter().position(|other| other.name == *parameter)?;
            let name = match extent {
                Extent::Len => "len",
                Extent::Rows => "rows",
                Extent::Cols => "cols",
                Extent::Planes => "planes",
            };
            let is_partition = matches!(kernel.parameters[i].passing, Passing::Partition(_));
            Some((name == "len" && !is_partition, local(name, i)))
        }
        _ => None,
    };
    let ((left_is_wide, left), (right_is_wide, right)) = (size(left)?, size(right)?);
    // Lengths are wider than all else.
    (left_is_wide == right_is_wide).then(|| quote!(let #left = #right;))
}
