//! What can be seen of a kernel's body.

use syn::{Block, Expr, Local, Pat, Stmt};

use crate::model::{Kernel, Passing};

/// Whether the body asks for an element of a slice that its thread owns before it does anything, and does
/// nothing without it: `if let Some(y) = y.get_mut(t) { … }` alone, or `let Some(y) = y.get_mut(t) else { return
/// };` in front. Threads beyond the launch own none, and need no test of their own then.
pub(super) fn begins_with_its_element(kernel: &Kernel) -> bool {
    let Ok(block) = syn::parse2::<Block>(proc_macro2::TokenTree::Group(kernel.body.clone()).into()) else {
        return false;
    };
    match block.stmts.as_slice() {
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

fn is_some(pat: &Pat) -> bool {
    matches!(pat, Pat::TupleStruct(some) if some.path.is_ident("Some") && some.elems.iter().all(|pat| matches!(pat, Pat::Ident(_))))
}

/// `own.get_mut(t)`.
fn asks_for_it(kernel: &Kernel, expr: &Expr) -> bool {
    let Expr::MethodCall(call) = expr else {
        return false;
    };
    let owned = kernel.parameters.iter().any(|parameter| {
        matches!(parameter.passing, Passing::OwnSlice(_))
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
