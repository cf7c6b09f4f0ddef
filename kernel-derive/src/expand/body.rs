//! What can be seen of a kernel's body.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, Local, Pat, Stmt};

use super::quiet;
use crate::model::{Kernel, Level, Passing};

/// The body as it is compiled. Where it begins with its element, that is asked for by the library's function: a method of that
/// name may be another trait's, and the entry of such a kernel rests on what the library's tells a thread beyond the launch.
pub(super) fn body(kernel: &Kernel) -> TokenStream {
    let body = &kernel.body;
    if !begins_with_its_element(kernel) {
        return quote!(#body);
    }
    let private = kernel.private();
    let mut tokens: Vec<TokenTree> = body.stream().into_iter().collect();
    let is = |tree: &TokenTree, text: &str| match tree {
        TokenTree::Ident(name) => name == text,
        TokenTree::Punct(punct) => punct.as_char() == '.' && text == ".",
        _ => false,
    };
    // The first call of that name: what stands before it asks for sizes.
    let call = tokens.windows(4).position(|four| match four {
        [TokenTree::Ident(_), dot, method, TokenTree::Group(arguments)] => {
            is(dot, ".") && is(method, "get_mut") && arguments.delimiter() == Delimiter::Parenthesis
        }
        _ => false,
    });
    if let Some(call) = call
        && let Some([own, _, method, TokenTree::Group(arguments)]) = tokens.get(call..call + 4)
    {
        let arguments = arguments.stream();
        let by_path =
            quote_spanned!(quiet(method.span())=> #private::PerThread::get_mut(&mut #own, #arguments));
        tokens.splice(call..call + 4, by_path);
    }
    let mut group = Group::new(body.delimiter(), tokens.into_iter().collect());
    group.set_span(body.span());
    quote!(#group)
}

/// Whether the body asks for an element of a slice that its thread owns before it does anything, and does
/// nothing without it: `if let Some(y) = y.get_mut(t) { … }` alone, or `let Some(y) = y.get_mut(t) else { return
/// };` in front, at
/// most after sizes were asked for. Threads beyond the launch own none, and need no test of their own then.
pub(super) fn begins_with_its_element(kernel: &Kernel) -> bool {
    if !matches!(kernel.level, Level::Thread) {
        return false;
    }
    let Ok(block) = syn::parse2::<Block>(TokenTree::Group(kernel.body.clone()).into()) else {
        return false;
    };
    // Asking for a size does nothing.
    let first = block.stmts.iter().position(|statement| !asks_for_a_size(kernel, statement));
    match block.stmts.get(first.unwrap_or_default()..).unwrap_or_default() {
        [Stmt::Expr(Expr::If(branch), _)] => match &*branch.cond {
            Expr::Let(condition) => {
                branch.else_branch.is_none()
                    && is_some(&condition.pat)
                    && asks_for_it(kernel, &condition.expr)
            }
            _ => false,
        },
        [Stmt::Local(Local { pat, init: Some(init), .. }), ..] => {
            let returns = init.diverge.as_ref().is_some_and(|(_, otherwise)| is_return(otherwise));
            returns && is_some(pat) && asks_for_it(kernel, &init.expr)
        }
        _ => false,
    }
}

/// `let n = parameter.len();`, or `rows`, `cols` or `planes`, of what is read through a reference: no trait's method of that name
/// comes before the library's there, as one that takes a view by value does.
fn asks_for_a_size(kernel: &Kernel, statement: &Stmt) -> bool {
    let Stmt::Local(Local { pat: Pat::Ident(_), init: Some(init), .. }) = statement else {
        return false;
    };
    let Expr::MethodCall(call) = &*init.expr else {
        return false;
    };
    let of_a_parameter = kernel.parameters.iter().any(|parameter| {
        matches!(parameter.passing, Passing::ReadSlice(_) | Passing::ReadMatrix(_) | Passing::ReadVolume(_))
            && matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(&parameter.name))
    });
    of_a_parameter
        && call.args.is_empty()
        && ["len", "rows", "cols", "planes"].iter().any(|size| call.method == size)
}

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.iter().all(|pat| matches!(pat, Pat::Ident(_))))
}

/// `own.get_mut(t)`.
fn asks_for_it(kernel: &Kernel, expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let owned = kernel.parameters.iter().any(|parameter| {
        // Another map may ask of the position before it asks of the launch.
        matches!(parameter.passing, Passing::OwnSlice(_, None))
            && matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(&parameter.name))
    });
    let only_a_name = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.get_ident().is_some());
    owned && call.method == "get_mut" && call.args.iter().all(only_a_name)
}

fn is_return(expr: &Expr) -> bool {
    match expr {
        Expr::Return(value) => value.expr.is_none(),
        Expr::Block(block) => {
            matches!(block.block.stmts.as_slice(), [Stmt::Expr(expr, _)] if is_return(expr))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::expand::gpu_kernel;

    /// Whether the entry of a kernel with this body leaves out its own test.
    fn leaves_it_out(body: &str) -> bool {
        leaves_it_out_with("PerThread<[f32]>", body)
    }

    fn leaves_it_out_with(ty: &str, body: &str) -> bool {
        let kernel = format!("fn k(t: Thread, x: &[f32], mut y: {ty}) {{ {body} }}");
        let expansion =
            gpu_kernel(proc_macro2::TokenStream::new(), kernel.parse().expect("test input lexes"));
        expansion.to_string().contains("any_thread")
    }

    #[test]
    fn a_body_that_is_nothing_without_its_element() {
        for body in [
            "if let Some(y) = y.get_mut(t) { *y = 1.0; }",
            "let n = x.len(); if let Some(y) = y.get_mut(t) { *y = n as f32; }",
            "let Some(y) = y.get_mut(t) else { return }; *y = x[0];",
            "let Some(y) = y.get_mut(t) else { return; }; *y = x[0];",
        ] {
            assert!(leaves_it_out(body), "{body}");
        }
    }

    #[test]
    fn a_body_that_does_something_first_or_else() {
        for body in [
            "let x = x[t.index()]; if let Some(y) = y.get_mut(t) { *y = x; }",
            "if let Some(y) = y.get_mut(t) { *y = 1.0; } else { panic!() }",
            "if let Some(y) = y.get_mut(t) { *y = 1.0; } panic!()",
            "let Some(y) = y.get_mut(t) else { panic!() }; *y = 1.0;",
            "if let Some(y) = y.get_mut(other()) { *y = 1.0; }",
            "if let Some(y) = z.get_mut(t) { *y = 1.0; }",
            "if let None = y.get_mut(t) { panic!() }",
            "",
        ] {
            assert!(!leaves_it_out(body), "{body}");
        }
    }

    #[test]
    fn an_element_by_a_map() {
        let body = "if let Some(y) = y.get_mut(t) { *y = 1.0; }";
        assert!(leaves_it_out_with("PerThread<'_, [f32]>", body));
        assert!(!leaves_it_out_with("PerThread<[f32], Reversed>", body));
    }
}
