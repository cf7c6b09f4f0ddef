//! Expressions of the attribute that speak of a parameter where it has neither a value nor a size.

use proc_macro2::Ident;
use syn::visit::{self, Visit};
use syn::{Expr, ExprPath};

use crate::messages;
use crate::model::{Demands, Kernel, Parameter, Passing};
use crate::report::Report;
use crate::requires::ConditionKind;

/// Reports parameters in `block = …` and the like, and arrays of fixed size in `requires = …`.
pub(super) fn check(kernel: &Kernel, report: &mut Report) {
    let Demands { block, max_threads, min_groups } = &kernel.demands;
    let all: Vec<_> = kernel.parameters.iter().collect();
    for expr in block.iter().flat_map(|block| &block.axes).chain(max_threads).chain(min_groups) {
        if let Some((path, name)) = mention(expr, &all) {
            report.error(path, messages::demand_of_a_parameter(name));
        }
    }
    let fixed: Vec<_> = all.into_iter().filter(|p| matches!(p.passing, Passing::Fixed(_))).collect();
    for condition in &kernel.conditions {
        if let ConditionKind::Free(expr) = &condition.kind
            && let Some((path, name)) = mention(expr, &fixed)
        {
            report.error(path, messages::fixed_in_requires(name));
        }
    }
}

/// The first place where an expression names one of the parameters.
fn mention<'a>(expr: &'a Expr, parameters: &[&'a Parameter]) -> Option<(&'a ExprPath, &'a Ident)> {
    let mut search = Search { parameters, found: None };
    search.visit_expr(expr);
    search.found
}

struct Search<'a, 'p> {
    parameters: &'p [&'a Parameter],
    found: Option<(&'a ExprPath, &'a Ident)>,
}

impl<'a> Visit<'a> for Search<'a, '_> {
    fn visit_expr_path(&mut self, path: &'a ExprPath) {
        let named = self.parameters.iter().find(|parameter| path.path.is_ident(&parameter.name));
        if let (None, Some(parameter)) = (self.found, named) {
            self.found = Some((path, &parameter.name));
        }
        visit::visit_expr_path(self, path);
    }
}
