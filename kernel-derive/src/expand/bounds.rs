//! What a kernel demands of a launch: constants of the attribute's expressions, tests of them, and what the host
//! and an image are told.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Expr;
use syn::spanned::Spanned;

use super::signature::{self, Use};
use super::{path_at, quiet};
use crate::messages;
use crate::model::{IndexWidth, Kernel, Level};

/// The expressions as constants, where generic parameters have values or are a type's own. The prefix is that of their names.
pub(super) fn constants(kernel: &Kernel, prefix: &str) -> TokenStream {
    let [block_name, max_threads_name, min_groups_name] = ["BLOCK", "MAX_THREADS", "MIN_GROUPS"]
        .map(|name| format_ident!("{prefix}{name}", span = Span::call_site()));
    let (private, demands) = (kernel.private(), &kernel.demands);
    let word = quote!(#private::core::primitive::usize);
    let lints = quote!(#[allow(unused_braces, unused_parens)]);
    let block = demands.block.as_ref().map(|block| {
        let axes = &block.axes;
        let ones = (axes.len()..3).map(|_| quote!(1));
        quote!(#lints const #block_name: [#word; 3] = [#(#axes,)* #(#ones),*];)
    });
    let max_threads =
        demands.max_threads.as_ref().map(|most| quote!(#lints const #max_threads_name: #word = #most;));
    let min_groups =
        demands.min_groups.as_ref().map(|least| quote!(#lints const #min_groups_name: #word = #least;));
    quote!(#block #max_threads #min_groups)
}

/// Tests of the constants on the host, each an error at the expression that is wrong.
pub(super) fn asserts(kernel: &Kernel) -> TokenStream {
    let (private, demands) = (kernel.private(), &kernel.demands);
    let host = signature::host();
    let mut asserts = TokenStream::new();
    let mut assert = |at: &Expr, holds: TokenStream, message: &str| {
        let private = path_at(&private, at.span());
        asserts.extend(quote_spanned! {quiet(at.span())=>
            #[cfg(#host)]
            const _: () = #private::core::assert!(#holds, #message);
        });
    };
    let rank = kernel.rank();
    for (axis, expr) in demands.block.iter().flat_map(|block| block.axes.iter().enumerate()) {
        let index = Literal::usize_unsuffixed(axis);
        assert(expr, quote!(__BLOCK[#index] > 0), messages::EMPTY_BLOCK);
        if axis >= rank {
            assert(expr, quote!(__BLOCK[#index] <= 1), &messages::flat_block(&kernel.name, rank));
        }
    }
    if let Some(most) = &demands.max_threads {
        assert(most, quote!(__MAX_THREADS > 0), messages::NO_THREADS);
        if demands.block.is_some() {
            let times = quote!(#private::core::primitive::usize::saturating_mul);
            let threads = quote!(#times(#times(__BLOCK[0], __BLOCK[1]), __BLOCK[2]));
            // One error is enough where there are none.
            assert(most, quote!(__MAX_THREADS == 0 || __MAX_THREADS >= #threads), messages::MAX_THREADS);
        }
    }
    if let Some(least) = &demands.min_groups {
        assert(least, quote!(__MIN_GROUPS > 0), messages::NO_GROUPS);
    }
    asserts
}

/// `Signature::BOUNDS`.
pub(super) fn bounds(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    let rank = Literal::usize_unsuffixed(kernel.rank());
    let index = match kernel.index {
        IndexWidth::Bits32 => quote!(Bits32),
        IndexWidth::Bits64 => quote!(Bits64),
    };
    let option = |constant: Option<TokenStream>| match constant {
        Some(constant) => quote!(#private::core::option::Option::Some(#constant)),
        None => quote!(#private::core::option::Option::None),
    };
    let block = option(kernel.demands.block.as_ref().map(|_| quote!(__BLOCK)));
    let most_threads = option(kernel.demands.max_threads.as_ref().map(|_| quote!(__MAX_THREADS)));
    let whole_groups = !matches!(kernel.level, Level::Thread);
    // The parameters' own ranks too: behind an alias a view isn't seen by its spelling, and must still own an
    // element once only.
    quote! {
        const BOUNDS: #private::Bounds = #private::Bounds {
            rank: if <Self::Params as #private::ParamList>::RANK < #rank {
                <Self::Params as #private::ParamList>::RANK
            } else {
                #rank
            },
            index: #private::IndexWidth::#index,
            block: #block,
            most_threads: #most_threads,
            whole_groups: #whole_groups,
            tile: <Self::Params as #private::ParamList>::TILE,
        };
    }
}

/// The type of a group's sizes: known to the compiler where the kernel declares them.
pub(super) fn block(kernel: &Kernel) -> TokenStream {
    let private = kernel.private();
    if kernel.demands.block.is_some() {
        quote!(#private::FixedBlock<{ __BLOCK[0] }, { __BLOCK[1] }, { __BLOCK[2] }>)
    } else {
        let rank = Literal::usize_unsuffixed(kernel.rank());
        quote!(#private::AnyBlock<#rank>)
    }
}

/// What an image's reader has to know, zero where nothing was said: it can't be said in Rust.
pub(super) fn record(kernel: &Kernel, instance: &Use) -> Option<TokenStream> {
    let demands = &kernel.demands;
    if demands.block.is_none() && demands.max_threads.is_none() && demands.min_groups.is_none() {
        return None;
    }
    let private = kernel.private();
    let half = quote!(#private::core::primitive::u32);
    let zero = || quote!(0);
    let axes = (0..3).map(|axis| {
        let axis = Literal::usize_unsuffixed(axis);
        demands.block.as_ref().map_or_else(zero, |_| quote!(__BLOCK[#axis] as #half))
    });
    let max_threads = demands.max_threads.as_ref().map_or_else(zero, |_| quote!(__MAX_THREADS as #half));
    let min_groups = demands.min_groups.as_ref().map_or_else(zero, |_| quote!(__MIN_GROUPS as #half));
    let symbol = format!("__gridwright_bounds_{}", instance.symbol(kernel));
    Some(quote! {
        #[unsafe(export_name = #symbol)]
        pub static __BOUNDS: [#half; 5] = [#(#axes,)* #max_threads, #min_groups];
    })
}
