//! Syntax to model. Every error of meaning is found here; what is left out of the model because of
//! one is never expanded, since a report with an error in it leads to a stub.

mod attributes;
mod foreign;
mod generics;
mod kernel_arg;
mod level;
mod mentions;
mod operator;
mod parameters;
mod passing;
mod print;
mod signature;
mod types;
mod unroll;

pub(crate) use self::attributes::sort as attributes;
pub(crate) use self::foreign::foreign;
pub(crate) use self::kernel_arg::kernel_arg;
pub(crate) use self::operator::operator;
pub(crate) use self::parameters::role;
pub(crate) use self::passing::{first_argument, last, passing};
pub(crate) use self::print::{format, print};
pub(crate) use self::unroll::{Copies, Unrolled, unroll};

use proc_macro2::Ident;

use crate::messages;
use crate::model::{Kernel, Level, Parameter, Role};
use crate::parse::{Arguments, Function};
use crate::report::Report;
use crate::requires;

/// The model of a kernel, whole unless there is an error in the report.
pub(crate) fn kernel(arguments: Arguments, function: Function, number: usize, report: &mut Report) -> Kernel {
    let Function { attributes, visibility, signature, body } = function;
    let attributes = attributes::sort(attributes, report);
    signature::check(&signature, report);
    let (level, parameters) = parameters::parameters(&signature, report);
    let generics = generics::generics(&signature, report);
    let is_open = !generics.is_empty() && arguments.instances.as_ref().is_none_or(|given| given.is_open);
    let instances = generics::instances(&signature.ident, &generics, arguments.instances, report);
    let names = names(&level, &parameters);
    let conditions =
        arguments.requires.map_or_else(Vec::new, |requires| requires::conditions(&requires, &names));
    if let Some(span) = arguments.cpu_off
        && matches!(level, Level::Cluster | Level::Grid)
    {
        report.error_at(span, messages::CPU_OFF_TOGETHER);
    }
    let kernel = Kernel {
        root: arguments.root,
        attributes,
        visibility,
        name: signature.ident.clone(),
        signature,
        body,
        level,
        index: arguments.index,
        contraction: arguments.contraction,
        has_cpu_code: arguments.cpu_off.is_none(),
        demands: arguments.demands,
        parameters,
        generics,
        instances,
        is_open,
        origin: None,
        conditions,
        number,
    };
    mentions::check(&kernel, report);
    kernel
}

/// What conditions may speak of.
pub(crate) fn names<'a>(level: &'a Level, parameters: &'a [Parameter]) -> Vec<(&'a Ident, &'a Role)> {
    let group = match level {
        Level::Group(Some(name)) => Some((name, &Role::Group)),
        Level::Group(None) | Level::Cluster | Level::Grid | Level::Thread | Level::UnsafeThread => None,
    };
    group.into_iter().chain(parameters.iter().map(|parameter| (&parameter.name, &parameter.role))).collect()
}

#[cfg(test)]
mod tests;
