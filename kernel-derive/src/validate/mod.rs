//! Syntax to model. Every error of meaning is found here; what is left out of the model because of
//! one is never expanded, since a report with an error in it leads to a stub.

mod attributes;
mod generics;
mod kernel_arg;
mod parameters;
mod passing;
mod signature;
mod types;

pub(crate) use self::kernel_arg::kernel_arg;

use crate::model::Kernel;
use crate::parse::{Arguments, Function};
use crate::report::Report;
use crate::requires;

/// The model of a kernel, whole unless there is an error in the report.
pub(crate) fn kernel(arguments: Arguments, function: Function, report: &mut Report) -> Kernel {
    let Function { attributes, visibility, signature, body } = function;
    let attributes = attributes::sort(attributes, report);
    signature::check(&signature, report);
    let parameters = parameters::parameters(&signature, report);
    let generics = generics::generics(&signature, report);
    let instances = generics::instances(&signature.ident, &generics, arguments.instances, report);
    let conditions =
        arguments.requires.map_or_else(Vec::new, |requires| requires::conditions(&requires, &parameters));
    Kernel {
        root: arguments.root,
        attributes,
        visibility,
        name: signature.ident.clone(),
        signature,
        body,
        index: arguments.index,
        parameters,
        generics,
        instances,
        conditions,
    }
}

#[cfg(test)]
mod tests;
