//! What host and device have to agree on, as both see it: all that a launch relies on. It follows from types, so that it is the
//! same only if they are; and what is told by how a type is spelled is held against the type.

use gridwright_core::{Digest, KERNEL_LINES};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{lifetimes, path_at, quiet, workgroup};
use crate::messages;
use crate::model::{Contraction, Kernel, Level, Parameter, Passing};
use crate::requires::{Condition, ConditionKind};
use crate::text;

/// The record of one instance: of the kernel, of each parameter that is passed, and of each piece of workgroup memory.
pub(super) fn record(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let of_kernel = of_kernel(kernel);
    let parameters = kernel.passed().map(|(_, parameter)| {
        let ty = lifetimes::launched(&parameter.ty);
        // Spanned on the type: a type that isn't a parameter's is underlined itself.
        quote_spanned!(ty.span()=> <#ty as #private::Param>::RECORD)
    });
    let memory = workgroup::contents(kernel)
        .map(|ty| quote_spanned!(ty.span()=> #private::Layout::digest(#private::Layout::of::<#ty>())));
    let digests = parameters.chain(memory);
    let lines = self::lines(kernel);
    quote! {
        const __RECORD: [[#private::core::primitive::u64; 4]; #lines] =
            [#of_kernel #(#private::Digest::words(#digests)),*];
    }
}

/// How many lines of four words a record has.
pub(super) fn lines(kernel: &Kernel) -> Literal {
    let contents = kernel.passed().count() + workgroup::contents(kernel).count();
    Literal::usize_unsuffixed(KERNEL_LINES + contents)
}

/// The lines of the kernel itself. What is known here isn't hashed by the compiler's interpreter, which takes milliseconds for a text.
fn of_kernel(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let demands = &kernel.demands;
    let level = match kernel.level {
        Level::Thread => "thread",
        Level::Group(_) => "group",
        Level::Cluster => "cluster",
        Level::Grid => "grid",
        Level::UnsafeThread => "thread of a group",
    };
    let contraction = match kernel.contraction {
        Contraction::On => "contracted",
        Contraction::Off => "not contracted",
    };
    let parameters = kernel.parameters.iter().map(|Parameter { name, passing, .. }| {
        let name = name.unraw();
        match passing {
            Passing::Fixed(_) => format!("workgroup memory {name}"),
            Passing::Partition(_) => format!("workgroup memory {name} of a launch's size"),
            _ => format!("parameter {name}"),
        }
    });
    let conditions = kernel.conditions.iter().map(|Condition { text, kind }| match kind {
        ConditionKind::Fixed(_) => format!("assumed {text}"),
        ConditionKind::Free(_) => format!("tested {text}"),
    });
    let texts: Vec<String> = parameters.chain(conditions).collect();
    let texts: Vec<&str> = [contraction].into_iter().chain(texts.iter().map(String::as_str)).collect();
    let texts = Digest::of(level).texts(&texts).words().map(Literal::u64_unsuffixed);
    let word = quote!(#private::core::primitive::u64);
    let block = (0..3).map(Literal::usize_unsuffixed).map(|axis| match demands.block {
        Some(_) => quote!(__BLOCK[#axis] as #word),
        None => quote!(0),
    });
    let max_threads =
        demands.max_threads.as_ref().map_or_else(|| quote!(0), |_| quote!(__MAX_THREADS as #word));
    let (index, rank) =
        (Literal::usize_unsuffixed(kernel.index.bytes()), Literal::usize_unsuffixed(kernel.rank()));
    quote! {
        [#(#texts),*],
        [#index, #rank, #max_threads, 0],
        [#(#block,)* 0],
    }
}

/// A test for each parameter that its type is what its spelling stands for: behind an alias, or where a name is another item's,
/// it may not be.
pub(super) fn spellings(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let tests = kernel.passed().filter_map(|(_, parameter)| {
        let Parameter { name, ty, passing, .. } = parameter;
        let private = path_at(&private, ty.span());
        let launched = lifetimes::launched(ty);
        let spelling = spelling(passing)?;
        // Spanned as in the record, so that a type that isn't a parameter's is one error.
        let spelled = quote_spanned!(ty.span()=> <#launched as #private::Param>::SPELLING);
        let layout = quote_spanned!(ty.span()=> <#launched as #private::Param>::LAYOUT);
        let is_so = match number(passing, ty) {
            Some(number) => {
                let number = quote!(#private::Layout::of::<#private::core::primitive::#number>());
                quote!(#private::is_spelled(#spelled, #spelling) && #private::Layout::is(#layout, #number))
            }
            None => quote!(#private::is_spelled(#spelled, #spelling)),
        };
        let message = match passing {
            Passing::Value => messages::alias(name),
            _ => text::unformatted(&messages::namesake(name, ty)),
        };
        Some(quote_spanned!(quiet(ty.span())=> const _: () = #private::core::assert!(#is_so, #message);))
    });
    quote!(#(#tests)*)
}

/// How the type of a parameter has to be spelled, without a map; none of what only Rust's own syntax can spell.
fn spelling(passing: &Passing) -> Option<&'static str> {
    Some(match passing {
        Passing::Number | Passing::Value => "_",
        Passing::ReadMatrix(_) => "&Matrix<_>",
        Passing::ReadVolume(_) => "&Volume<_>",
        Passing::ReadSegments(_) => "&Segments<_>",
        Passing::OwnSegments(_) => "PerThread<Segments<_>>",
        Passing::OwnScattered(_) => "PerThread<Scattered<_>>",
        Passing::GroupSegments(_) => "PerGroup<Segments<_>>",
        Passing::GroupPlaced(_) => "PerGroup<Matrix<_>, PlacedTiles<_>>",
        Passing::OwnSlice(..) => "PerThread<[_]>",
        Passing::OwnMatrix(..) => "PerThread<Matrix<_>>",
        Passing::OwnVolume(..) => "PerThread<Volume<_>>",
        Passing::GroupSlice(_) => "PerGroup<[_]>",
        Passing::GroupMatrix(..) => "PerGroup<Matrix<_>>",
        Passing::GridSlice(_) => "GridMemory<[_]>",
        Passing::Atomic(_) => "Atomic<[_]>",
        Passing::Texture => "&Texture<_>",
        Passing::Surface(_) => "Surface<_>",
        Passing::ReadSlice(_) | Passing::Pointer | Passing::Fixed(_) | Passing::Partition(_) => return None,
    })
}

/// The name of one of Rust's numbers, where a parameter is spelled as one.
fn number<'t>(passing: &Passing, ty: &'t Type) -> Option<&'t Ident> {
    match (passing, ty) {
        (Passing::Number, Type::Path(path)) => path.path.segments.last().map(|segment| &segment.ident),
        (Passing::Number, Type::Paren(paren)) => number(passing, &paren.elem),
        (Passing::Number, Type::Group(group)) => number(passing, &group.elem),
        _ => None,
    }
}
