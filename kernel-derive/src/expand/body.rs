//! What can be seen of a kernel's body.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, Local, Pat, Stmt};

use super::quiet;
use crate::model::{Kernel, Level, Parameter, Passing};

/// The body as it is compiled. Where it begins with its element, that is asked for by the library's function, and so are sizes in
/// front of it: a method of that name may be another trait's, and the entry of such a kernel rests on what the library's tells a
/// thread beyond the launch.
pub(super) fn body(kernel: &Kernel) -> TokenStream {
    let body = &kernel.body;
    if !begins_with_its_element(kernel) {
        return quote!(#body);
    }
    let mut rest: Vec<TokenTree> = body.stream().into_iter().collect();
    let mut tokens = TokenStream::new();
    while let [first, ..] = rest.as_slice() {
        let call = method_call(&rest).and_then(|call| by_path(kernel, &call));
        let (by_path, taken, is_last) = match call {
            Some((by_path, is_element)) => (by_path, 4, is_element),
            None => (first.clone().into(), 1, false),
        };
        tokens.extend(by_path);
        rest.drain(..taken);
        if is_last {
            break;
        }
    }
    tokens.extend(rest);
    let mut group = Group::new(body.delimiter(), tokens);
    group.set_span(body.span());
    quote!(#group)
}

/// `receiver.method(arguments)`, of names.
struct MethodCall<'t> {
    receiver: &'t Ident,
    method: &'t Ident,
    arguments: &'t Group,
}

/// The call that tokens begin with.
fn method_call(tokens: &[TokenTree]) -> Option<MethodCall<'_>> {
    match tokens {
        [
            TokenTree::Ident(receiver),
            TokenTree::Punct(dot),
            TokenTree::Ident(method),
            TokenTree::Group(arguments),
            ..,
        ] if dot.as_char() == '.' && arguments.delimiter() == Delimiter::Parenthesis => {
            Some(MethodCall { receiver, method, arguments })
        }
        _ => None,
    }
}

/// The call of a view's method by its path, and whether it asks for the element.
fn by_path(kernel: &Kernel, call: &MethodCall<'_>) -> Option<(TokenStream, bool)> {
    let &MethodCall { receiver, method, arguments } = call;
    let view = view(kernel, kernel.parameters.iter().find(|parameter| parameter.name == *receiver)?)?;
    let (arguments, span) = (arguments.stream(), quiet(method.span()));
    if method == "get_mut" {
        return Some((quote_spanned!(span=> <#view>::get_mut(&mut #receiver, #arguments)), true));
    }
    is_size(method).then(|| (quote_spanned!(span=> <#view>::#method(&#receiver)), false))
}

/// The library's type of a view that is passed by value.
fn view(kernel: &Kernel, parameter: &Parameter) -> Option<TokenStream> {
    let private = kernel.private();
    Some(match &parameter.passing {
        Passing::OwnSlice(element, _) => quote!(#private::PerThread<'_, [#element], _>),
        Passing::OwnMatrix(element, _) => quote!(#private::PerThread<'_, #private::Matrix<#element>, _>),
        Passing::OwnVolume(element, _) => quote!(#private::PerThread<'_, #private::Volume<#element>, _>),
        Passing::OwnSegments(element) => quote!(#private::PerThread<'_, #private::Segments<#element>, _>),
        Passing::OwnScattered(element) => quote!(#private::PerThread<'_, #private::Scattered<#element>, _>),
        Passing::Atomic(element) => quote!(#private::Atomic<'_, [#element]>),
        _ => return None,
    })
}

fn is_size(method: &Ident) -> bool {
    ["len", "rows", "cols", "planes"].iter().any(|size| method == size)
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
    let statements = block.stmts.get(first.unwrap_or_default()..).unwrap_or_default();
    if statements.first().is_some_and(has_attributes) {
        return false;
    }
    match statements {
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

/// `let n = parameter.len();`, or `rows`, `cols` or `planes`: of what is read through a reference, whose own methods come before any
/// trait's, or of a view, which is asked by path.
fn asks_for_a_size(kernel: &Kernel, statement: &Stmt) -> bool {
    let Stmt::Local(Local { pat: Pat::Ident(_), init: Some(init), .. }) = statement else {
        return false;
    };
    let Expr::MethodCall(call) = &*init.expr else {
        return false;
    };
    let of_a_parameter = kernel.parameters.iter().any(|parameter| {
        let is_read = matches!(
            parameter.passing,
            Passing::ReadSlice(_)
                | Passing::ReadMatrix(_)
                | Passing::ReadVolume(_)
                | Passing::ReadSegments(_)
        );
        (is_read || view(kernel, parameter).is_some())
            && matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident(&parameter.name))
    });
    of_a_parameter && call.args.is_empty() && is_size(&call.method) && !has_attributes(statement)
}

/// Whether an attribute stands in a statement, which may take all of it away.
fn has_attributes(statement: &Stmt) -> bool {
    let is_attribute = |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    quote!(#statement).into_iter().any(is_attribute)
}

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.iter().all(|pat| matches!(pat, Pat::Ident(_))))
}

/// Whether an expression is `own.get_mut(t)`.
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
            "#[cfg(any())] let Some(y) = y.get_mut(t) else { return }; panic!()",
            "#[cfg(any())] let n = y.len(); let Some(y) = y.get_mut(t) else { return }; *y = n as f32;",
            "let Some(y) = #[cfg(all())] y.get_mut(t) else { return }; *y = 1.0;",
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
