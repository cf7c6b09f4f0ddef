//! A kernel's parameters: the thread or the group, then what a launch passes and workgroup memory.

use proc_macro2::Ident;
use syn::{Attribute, FnArg, Pat, PatType, Safety, Signature, Type};

use super::{level, passing, types};
use crate::messages;
use crate::model::{Level, Parameter, Passing, Role};
use crate::report::Report;

/// Reports what is wrong with the parameters and returns those after the thread or the group.
pub(super) fn parameters(signature: &Signature, report: &mut Report) -> (Level, Vec<Parameter>) {
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

    let (level, rest) = level::level(signature, &typed, report);
    let against_pointers = match (&signature.safety, &level) {
        (Safety::Unsafe(_), None | Some(Level::UnsafeThread)) => None,
        (Safety::Unsafe(_), Some(_)) => Some(messages::POINTER_IN_PHASES),
        _ => Some(messages::RAW_POINTER),
    };
    let parameters: Vec<_> = rest
        .iter()
        .map(|parameter| {
            types::parameter(&parameter.ty, against_pointers, report);
            let passing = passing::passing(&parameter.ty);
            if let Some(level) = &level {
                fits(level, &parameter.ty, report);
            }
            (*parameter, passing)
        })
        .collect();
    count(&parameters, report);
    let parameters = parameters
        .into_iter()
        .filter_map(|(parameter, passing)| {
            Some(Parameter {
                name: name(parameter, report)?,
                ty: types::plain(&parameter.ty).clone(),
                role: role(&parameter.ty, &passing),
                passing,
            })
        })
        .collect();
    // Without either, code for a thread is as good as any: it is reported.
    (level.unwrap_or(Level::Thread), parameters)
}

/// Reports what only groups have in a thread's kernel, and workgroup memory of no shape.
fn fits(level: &Level, ty: &Type, report: &mut Report) {
    let Some(view) = types::view(ty) else {
        return;
    };
    match (level, view.to_string().as_str()) {
        (Level::Thread, "Workgroup") => report.error(ty, messages::WORKGROUP_IN_THREAD_KERNEL),
        (Level::Thread | Level::UnsafeThread, "PerGroup") => {
            report.error(ty, messages::PER_GROUP_IN_THREAD_KERNEL);
        }
        (Level::Grid, "PerGroup") => report.error(ty, messages::PER_GROUP_IN_GRID_KERNEL),
        (Level::Thread | Level::Group(_) | Level::Cluster | Level::UnsafeThread, "GridMemory") => {
            report.error(ty, messages::GRID_MEMORY_IN_ANOTHER_KERNEL);
        }
        (Level::Thread | Level::Group(_) | Level::Grid | Level::UnsafeThread, "ClusterMemory") => {
            report.error(ty, messages::CLUSTER_MEMORY_IN_ANOTHER_KERNEL);
        }
        (Level::Cluster, "Workgroup") => report.error(ty, messages::WORKGROUP_IN_CLUSTER_KERNEL),
        (Level::Cluster, "ClusterMemory") if matches!(passing::passing(ty), Passing::Value) => {
            report.error(ty, messages::CLUSTER_MEMORY_SHAPE);
        }
        (Level::Group(_) | Level::Grid | Level::UnsafeThread, "Workgroup")
            if matches!(passing::passing(ty), Passing::Value) =>
        {
            report.error(ty, messages::WORKGROUP_SHAPE);
        }
        _ => {}
    }
}

/// Reports parameters that are too many.
fn count(parameters: &[(&PatType, Passing)], report: &mut Report) {
    let partitions = parameters.iter().filter(|(_, passing)| matches!(passing, Passing::Partition(_)));
    if let Some((parameter, _)) = partitions.clone().nth(messages::MAX_PARTITIONS) {
        report.error(parameter, messages::TOO_MANY_PARTITIONS);
    }
    let mut passed = parameters
        .iter()
        .filter(|(_, passing)| !matches!(passing, Passing::Partition(_) | Passing::Fixed(_)));
    if let Some((parameter, _)) = passed.nth(messages::MAX_PARAMETERS) {
        report.error(parameter, messages::TOO_MANY_PARAMETERS);
    }
}

/// The name that a parameter is known by.
pub(super) fn name(parameter: &PatType, report: &mut Report) -> Option<Ident> {
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

/// What `requires` may do with a parameter of a type.
pub(crate) fn role(ty: &Type, passing: &Passing) -> Role {
    match passing {
        Passing::Number => types::integer(ty).map_or(Role::Other, |integer| Role::Integer(integer.clone())),
        Passing::Value | Passing::Pointer | Passing::Fixed(_) | Passing::Texture | Passing::Surface(_) => {
            Role::Other
        }
        Passing::ReadSlice(_)
        | Passing::ReadMatrix(_)
        | Passing::ReadVolume(_)
        | Passing::ReadSegments(_)
        | Passing::OwnSegments(_)
        | Passing::OwnScattered(_)
        | Passing::GroupSegments(_)
        | Passing::GroupPlaced(_)
        | Passing::OwnSlice(..)
        | Passing::OwnMatrix(..)
        | Passing::OwnVolume(..)
        | Passing::GroupSlice(_)
        | Passing::GroupMatrix(..)
        | Passing::GridSlice(_)
        | Passing::Atomic(_)
        | Passing::Partition(_) => Role::Extent,
    }
}
