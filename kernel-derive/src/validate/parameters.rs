//! A kernel's parameters: the thread, then what a launch passes.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, Pat, PatType, Signature, Type};

use super::{passing, types};
use crate::messages;
use crate::model::{Parameter, Role};
use crate::report::Report;

/// Reports what is wrong with the parameters and returns those after the thread.
pub(super) fn parameters(signature: &Signature, report: &mut Report) -> Vec<Parameter> {
    let mut typed = Vec::new();
    for input in &signature.inputs {
        match input {
            FnArg::Receiver(receiver) => report.error(receiver, messages::RECEIVER),
            FnArg::Typed(parameter) => typed.push(parameter),
        }
    }
    for parameter in &typed {
        attributes(&parameter.attrs, report);
    }

    let rest = thread(signature, &typed, report);
    if let Some(parameter) = rest.get(messages::MAX_PARAMETERS) {
        report.error(parameter, messages::TOO_MANY_PARAMETERS);
    }
    rest.iter()
        .filter_map(|parameter| {
            types::parameter(&parameter.ty, report);
            Some(Parameter {
                name: name(parameter, report)?,
                ty: types::plain(&parameter.ty).clone(),
                role: role(&parameter.ty),
                passing: passing::passing(&parameter.ty),
            })
        })
        .collect()
}

/// Looks for the thread in front and for other threads behind it, and returns what isn't a thread.
fn thread<'a>(signature: &Signature, typed: &[&'a PatType], report: &mut Report) -> Vec<&'a PatType> {
    let mut found = false;
    let mut rest = Vec::new();
    for (position, &parameter) in typed.iter().enumerate() {
        let mut is_thread = true;
        if types::is_thread(&parameter.ty) {
            name(parameter, report);
            if found {
                report.error(parameter, messages::SECOND_THREAD);
            } else if position > 0 {
                report.error(parameter, messages::THREAD_NOT_FIRST);
            }
        } else if types::is_thread(types::referent(&parameter.ty)) {
            report.error(&parameter.ty, messages::THREAD_REFERENCE);
        } else if types::is_group(types::referent(&parameter.ty)) {
            report.error(&parameter.ty, messages::GROUP);
        } else {
            is_thread = false;
            rest.push(parameter);
        }
        found |= is_thread;
    }
    if !found {
        match typed.first() {
            Some(first) => report.error(first, messages::MISSING_THREAD),
            None => report.error_at(signature.ident.span(), messages::MISSING_THREAD),
        }
    }
    rest
}

/// The name that a parameter is known by.
fn name(parameter: &PatType, report: &mut Report) -> Option<Ident> {
    match &*parameter.pat {
        Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Some(pat.ident.clone()),
        pat => {
            report.error(pat, messages::PATTERN);
            None
        }
    }
}

fn attributes(attributes: &[Attribute], report: &mut Report) {
    for attribute in attributes {
        let path = attribute.path();
        if path.is_ident("cfg") || path.is_ident("cfg_attr") {
            report.error(attribute, messages::PARAMETER_CFG);
        } else if !["allow", "expect", "warn", "deny", "forbid"].iter().any(|lint| path.is_ident(lint)) {
            report.error(attribute, messages::PARAMETER_ATTRIBUTE);
        }
    }
}

fn role(ty: &Type) -> Role {
    if let Some(integer) = types::integer(ty) {
        Role::Integer(integer.clone())
    } else if types::has_extent(ty) {
        Role::Extent
    } else {
        Role::Other
    }
}
