//! A kernel's generic parameters, and the instances that give them values.

use std::collections::HashSet;

use proc_macro2::Ident;
use quote::{ToTokens, quote};
use syn::{GenericParam, Signature, Type};

use crate::messages;
use crate::model::{Generic, Instance};
use crate::parse::{Argument, Entry, Instances};
use crate::report::Report;
use crate::text;

/// The generic parameters that need a value; a default is reported.
pub(super) fn generics(signature: &Signature, report: &mut Report) -> Vec<Generic> {
    let mut generics = Vec::new();
    for parameter in &signature.generics.params {
        match parameter {
            // An argument's lifetime is the launch's, whatever it is called.
            GenericParam::Lifetime(_) => {}
            GenericParam::Type(parameter) => {
                if let Some((_, default)) = &parameter.default {
                    report.error(default, messages::GENERIC_DEFAULT);
                }
                generics.push(Generic::Type(parameter.ident.clone()));
            }
            GenericParam::Const(parameter) => {
                if let Some((_, default)) = &parameter.default {
                    report.error(default, messages::GENERIC_DEFAULT);
                }
                let (name, ty) = (parameter.ident.clone(), Box::new(parameter.ty.clone()));
                generics.push(Generic::Const(name, ty));
            }
        }
    }
    generics
}

/// The instances, each held against the generic parameters.
pub(super) fn instances(
    kernel: &Ident,
    generics: &[Generic],
    given: Option<Instances>,
    report: &mut Report,
) -> Vec<Instance> {
    // Without a list, instances are made where they are used.
    let Some(given) = given else {
        return Vec::new();
    };
    if generics.is_empty() {
        report.error_at(given.span, messages::needless_instances(kernel));
        return Vec::new();
    }
    let Some(entries) = given.entries else {
        return Vec::new();
    };
    if entries.is_empty() && !given.is_open {
        report.error_at(given.span, messages::EMPTY_INSTANCES);
    }
    let mut seen = HashSet::new();
    let mut instances = Vec::new();
    for entry in entries {
        let instance = instance(kernel, generics, &entry, report);
        if !seen.insert(instance.text.clone()) {
            report.error(&entry.tokens, messages::repeated_instance(&instance.text));
        }
        instances.push(instance);
    }
    instances
}

fn instance(kernel: &Ident, generics: &[Generic], entry: &Entry, report: &mut Report) -> Instance {
    if entry.arguments.len() != generics.len() {
        let names: Vec<_> = generics.iter().map(|g| g.name().to_string()).collect();
        let (wanted, given) = (generics.len(), entry.arguments.len());
        let message = messages::instance_count(kernel, &names.join(", "), wanted, given);
        report.error(&entry.tokens, message);
    } else {
        for (generic, argument) in generics.iter().zip(&entry.arguments) {
            check(generic, argument, report);
        }
    }
    let arguments = &entry.arguments;
    Instance {
        arguments: arguments.iter().map(ToTokens::to_token_stream).collect(),
        text: text::types(quote!(#(#arguments),*)),
    }
}

/// Reports a value in a type's place and the other way round.
fn check(generic: &Generic, argument: &Argument, report: &mut Report) {
    match (generic, argument) {
        (Generic::Type(name), Argument::Value(_)) => {
            report.error(argument, messages::instance_not_a_type(name));
        }
        // The path may be that of a constant.
        (Generic::Const(..), Argument::Type(Type::Path(_))) => {}
        (Generic::Const(name, _), Argument::Type(_)) => {
            report.error(argument, messages::instance_not_a_value(name));
        }
        (Generic::Type(_), Argument::Type(_)) | (Generic::Const(..), Argument::Value(_)) => {}
    }
}
