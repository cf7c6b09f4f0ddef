//! Model to code. Nothing here can fail; what can't be expanded was reported before.
//!
//! Names in the emitted code are full paths, since the code stands among the user's own names. The
//! user's tokens keep their spans and the others get the macro's, so that no lint looks at them.

mod aliases;
mod argument;
mod body;
mod bounds;
mod call;
mod called;
mod casts;
mod cpu;
mod direct;
mod entry;
mod foreign;
mod format;
mod group;
mod host_only;
mod images;
mod instance;
mod instances;
mod item;
mod kernel;
mod kernel_arg;
mod kernel_trait;
mod lifetimes;
mod open;
mod operator;
mod print;
mod record;
mod requires;
mod signature;
mod stub;
mod symbol;
mod unroll;
mod workgroup;

pub(crate) use self::format::format;
pub(crate) use self::host_only::host_only;
pub(crate) use self::instance::{instance, instance_of};
pub(crate) use self::kernel_trait::{implement, kernel_trait};
pub(crate) use self::operator::operator;
pub(crate) use self::print::print;
pub(crate) use self::symbol::next_number;
pub(crate) use self::unroll::unroll;

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

use crate::report::Report;
use crate::{parse, validate};

/// `#[gpu_kernel]`, from its tokens to the code. The number is no other kernel's of the crate.
pub(crate) fn gpu_kernel(arguments: TokenStream, item: TokenStream, number: usize) -> TokenStream {
    let mut report = Report::default();
    let arguments = parse::arguments(arguments, &mut report);
    let function = match parse::function(item.clone()) {
        Ok(function) => function,
        Err(error) => {
            report.push(error);
            let root = arguments.root;
            return with_errors(report, &quote!(#root::__private), item);
        }
    };
    let kernel = validate::kernel(arguments, function, number, &mut report);
    match report.is_empty() {
        true => kernel::kernel(&kernel),
        false => with_errors(report, &kernel.private(), stub::kernel(&kernel)),
    }
}

/// `#[derive(KernelArg)]`, from its tokens to the code.
pub(crate) fn derive_kernel_arg(item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let input = match syn::parse2(item) {
        Ok(input) => input,
        Err(error) => return error.into_compile_error(),
    };
    let kernel_arg = validate::kernel_arg(input, &mut report);
    if report.is_empty() {
        kernel_arg::kernel_arg(&kernel_arg)
    } else {
        with_errors(report, &kernel_arg.private(), stub::kernel_arg(&kernel_arg))
    }
}

/// `#[foreign_kernels]`, from its tokens to the code.
pub(crate) fn foreign_kernels(arguments: TokenStream, item: TokenStream) -> TokenStream {
    let mut report = Report::default();
    let (arguments, block) = match (syn::parse2(arguments), parse::foreign_block(item)) {
        (Ok(arguments), Ok(block)) => (arguments, block),
        (arguments, block) => {
            report.append_errors([arguments.err(), block.err()]);
            let root = parse::default_root();
            return report.into_tokens_by(&quote!(#root::__private));
        }
    };
    let foreign = validate::foreign(arguments, block, &mut report);
    let rest = foreign::kernels(&foreign, report.is_empty());
    with_errors(report, &foreign.private(), rest)
}

/// The errors, and behind them what keeps the rest of the program from failing with them.
fn with_errors(report: Report, private: &TokenStream, rest: TokenStream) -> TokenStream {
    let mut tokens = report.into_tokens_by(private);
    tokens.extend(rest);
    tokens
}

/// A name of the user's where the macro uses it: errors still point there, lints don't.
fn again(name: &Ident) -> Ident {
    let mut name = name.clone();
    name.set_span(quiet(name.span()));
    name
}

/// A name that no parameter can have.
fn local(name: &str, i: usize) -> Ident {
    format_ident!("{name}_{i}", span = Span::mixed_site())
}

/// A path of the macro's at a place in the user's code: an error about what it begins underlines that place.
fn path_at(path: &TokenStream, span: Span) -> TokenStream {
    let at = |mut token: TokenTree| {
        token.set_span(token.span().located_at(span));
        token
    };
    path.clone().into_iter().map(at).collect()
}

/// Tokens with other spans, those within groups too.
fn respanned(tokens: TokenStream, span: &impl Fn(&TokenTree) -> Span) -> TokenStream {
    let with_span = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), respanned(group.stream(), span)).into();
        }
        token.set_span(span(&token));
        token
    };
    tokens.into_iter().map(with_span).collect()
}

/// A place in the user's code as the macro's own.
fn quiet(span: Span) -> Span {
    Span::call_site().located_at(span)
}

#[cfg(test)]
mod rules;
#[cfg(test)]
mod tests;
