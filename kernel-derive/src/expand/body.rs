//! What can be seen of a kernel's body.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};
use quote::{quote, quote_spanned};
use syn::{Block, Expr, FnArg, Local, Pat, PatType, Stmt};

use super::{casts, quiet};
use crate::model::{FirstElement, Kernel, Level, Parameter, Passing};

/// The body as it is compiled. Where it begins with its element, that is asked for by the library's function, and so are sizes in
/// front of it: a method of that name may be another trait's, and the entry of such a kernel rests on what the library's tells a
/// thread beyond the launch. Casts [ask the library](casts) too.
pub(super) fn body(kernel: &Kernel) -> Group {
    // An instance's body is a call of its generic kernel's.
    if kernel.origin.is_some() {
        return kernel.body.clone();
    }
    casts::saturated(&kernel.private(), with_its_element_by_path(kernel))
}

fn with_its_element_by_path(kernel: &Kernel) -> Group {
    let body = &kernel.body;
    if first_element(kernel).is_none() {
        return body.clone();
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
    group
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

/// The element that the body asks for, of what its thread owns, before it does anything, doing
/// nothing without it: `if let Some(y) = y.get_mut(t) { … }` alone, or `let Some(y) = y.get_mut(t) else { return
/// };` in front, at
/// most after sizes were asked for. Threads beyond the launch own none, and need no test of their own then.
pub(super) fn first_element(kernel: &Kernel) -> Option<FirstElement> {
    if let Some(origin) = &kernel.origin {
        return origin.first_element;
    }
    if !matches!(kernel.level, Level::Thread) {
        return None;
    }
    let block = syn::parse2::<Block>(TokenTree::Group(kernel.body.clone()).into()).ok()?;
    let first = block.stmts.iter().position(|statement| !only_names(kernel, statement));
    let statements = block.stmts.get(first.unwrap_or_default()..).unwrap_or_default();
    if statements.first().is_some_and(has_attributes) {
        return None;
    }
    match statements {
        [Stmt::Expr(Expr::If(branch), _)] => match &*branch.cond {
            Expr::Let(condition) if branch.else_branch.is_none() && is_some(&condition.pat) => {
                asked_for(kernel, &condition.expr)
            }
            _ => None,
        },
        [Stmt::Local(Local { pat, init: Some(init), .. }), ..] => {
            let returns = init.diverge.as_ref().is_some_and(|(_, otherwise)| is_return(otherwise));
            if returns && is_some(pat) { asked_for(kernel, &init.expr) } else { None }
        }
        _ => None,
    }
}

/// Whether a statement does nothing but to name sizes and the thread's place: `let n = parameter.len();`, or
/// `let (row, col) = (t.row(), t.col());`.
fn only_names(kernel: &Kernel, statement: &Stmt) -> bool {
    let Stmt::Local(Local { pat, init: Some(init), .. }) = statement else {
        return false;
    };
    // A new meaning of a parameter's name would be another type's methods.
    let is_new = |name: &Ident| {
        thread(kernel) != Some(name) && kernel.parameters.iter().all(|parameter| parameter.name != *name)
    };
    let is_name = |pat: &Pat| matches!(pat, Pat::Ident(name) if name.subpat.is_none() && is_new(&name.ident));
    let names = match (pat, &*init.expr) {
        (Pat::Tuple(names), Expr::Tuple(values)) => {
            names.elems.iter().all(is_name)
                && values.elems.iter().all(|value| is_place_or_size(kernel, value))
        }
        (name, value) => {
            is_name(name) && (is_place_or_size(kernel, value) || is_size_of_a_view(kernel, value))
        }
    };
    names && init.diverge.is_none() && !has_attributes(statement)
}

/// A number, `t.row()` of the thread, or `parameter.rows()` of what is read through a reference: those types' own methods come
/// before any trait's.
fn is_place_or_size(kernel: &Kernel, value: &Expr) -> bool {
    let Expr::MethodCall(call) = value else {
        return matches!(value, Expr::Lit(_));
    };
    let is_place = || {
        let names = ["index", "row", "col", "plane"];
        thread(kernel).is_some_and(|thread| is_named(&call.receiver, thread))
            && names.iter().any(|name| call.method == name)
    };
    let is_size = || {
        let is_read = |parameter: &Parameter| {
            matches!(
                parameter.passing,
                Passing::ReadSlice(_)
                    | Passing::ReadMatrix(_)
                    | Passing::ReadVolume(_)
                    | Passing::ReadSegments(_)
            ) && is_named(&call.receiver, &parameter.name)
        };
        is_size(&call.method) && kernel.parameters.iter().any(is_read)
    };
    call.args.is_empty() && (is_place() || is_size())
}

/// `view.len()`, which is asked by path.
fn is_size_of_a_view(kernel: &Kernel, value: &Expr) -> bool {
    let Expr::MethodCall(call) = value else {
        return false;
    };
    let is_view = |parameter: &Parameter| {
        is_named(&call.receiver, &parameter.name) && view(kernel, parameter).is_some()
    };
    call.args.is_empty() && is_size(&call.method) && kernel.parameters.iter().any(is_view)
}

/// What the body calls its thread.
pub(super) fn thread(kernel: &Kernel) -> Option<&Ident> {
    match kernel.signature.inputs.first()? {
        FnArg::Typed(PatType { pat, .. }) => match &**pat {
            Pat::Ident(name) => Some(&name.ident),
            _ => None,
        },
        FnArg::Receiver(_) => None,
    }
}

fn is_named(expr: &Expr, name: &Ident) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident(name))
}

/// Whether an attribute stands in a statement, which may take all of it away.
fn has_attributes(statement: &Stmt) -> bool {
    let is_attribute = |token| matches!(token, TokenTree::Punct(punct) if punct.as_char() == '#');
    quote!(#statement).into_iter().any(is_attribute)
}

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.iter().all(|pat| matches!(pat, Pat::Ident(_))))
}

/// The element for which an expression `own.get_mut(t)` asks.
fn asked_for(kernel: &Kernel, expr: &Expr) -> Option<FirstElement> {
    let Expr::MethodCall(call) = expr else {
        return None;
    };
    let only_a_name = |expr: &Expr| matches!(expr, Expr::Path(path) if path.path.get_ident().is_some());
    if call.method != "get_mut" || !call.args.iter().all(only_a_name) {
        return None;
    }
    let (i, owned) = kernel
        .parameters
        .iter()
        .enumerate()
        .find(|(_, parameter)| is_named(&call.receiver, &parameter.name))?;
    match owned.passing {
        // Another map may ask of the position before it asks of the launch.
        Passing::OwnSlice(_, None) => Some(FirstElement::OfSlice),
        Passing::OwnMatrix(..) => Some(FirstElement::At { parameter: i, axes: 2 }),
        Passing::OwnVolume(..) => Some(FirstElement::At { parameter: i, axes: 3 }),
        _ => None,
    }
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
        expansion(ty, body).contains("any_thread")
    }

    fn expansion(ty: &str, body: &str) -> String {
        let kernel = format!("fn k(t: Thread, x: &[f32], mut y: {ty}) {{ {body} }}");
        gpu_kernel(proc_macro2::TokenStream::new(), kernel.parse().expect("test input lexes"), 0).to_string()
    }

    #[test]
    fn a_body_that_is_nothing_without_its_element() {
        for body in [
            "if let Some(y) = y.get_mut(t) { *y = 1.0; }",
            "let n = x.len(); if let Some(y) = y.get_mut(t) { *y = n as f32; }",
            "let i = t.index(); let Some(y) = y.get_mut(t) else { return }; *y = x[i];",
            "let (i, n, mut sum) = (t.index(), x.len(), 0.0); if let Some(y) = y.get_mut(t) { *y = sum; }",
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
            "let i = s.index(); if let Some(y) = y.get_mut(t) { *y = i as f32; }",
            "let i = t.row(1); if let Some(y) = y.get_mut(t) { *y = i as f32; }",
            "let (i, n) = (t.index(), y.len()); if let Some(y) = y.get_mut(t) { *y = i as f32; }",
            "let x = t.index(); let n = x.len(); if let Some(y) = y.get_mut(t) { *y = n as f32; }",
            "let i @ 0 = t.index() else { panic!() }; if let Some(y) = y.get_mut(t) { *y = i as f32; }",
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

    #[test]
    fn an_element_of_a_matrix_or_a_volume_is_one_test_with_the_launch() {
        let body = "let (row, col) = (t.row(), t.col()); if let Some(y) = y.get_mut(t) { *y = 1.0; }";
        for (ty, owners) in [
            ("PerThread<Matrix<f32>>", 2),
            ("PerThread<Matrix<f32>, Transposed>", 2),
            ("PerThread<Volume<f32>>", 3),
        ] {
            let text = expansion(ty, body);
            let tested = text.split(":: owner ::").nth(1).and_then(|rest| rest.split(')').next());
            assert_eq!(tested.map(|tested| tested.matches("owners_").count()), Some(owners), "{ty}: {text}");
        }
        // One that does something without its element tests the launch alone.
        assert!(
            !expansion("PerThread<Matrix<f32>>", "if let Some(y) = y.get_mut(t) {} else { panic!() }")
                .contains(":: owner ::")
        );
    }
}
