//! The struct under `#[derive(KernelArg)]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Member, Meta, Token, Type};

use super::types;
use crate::messages;
use crate::model::KernelArg;
use crate::parse;
use crate::report::Report;

/// The model of an argument struct, whole unless there is an error in the report.
pub(crate) fn kernel_arg(input: DeriveInput, report: &mut Report) -> KernelArg {
    let options = parse::options(&input.attrs, report);
    let (fields, are_plain) = match &input.data {
        Data::Struct(data) => {
            repr(&input, data.fields.is_empty(), report);
            fields(&data.fields, report)
        }
        Data::Enum(data) => {
            report.error(data.enum_token, messages::ENUM);
            (Vec::new(), true)
        }
        Data::Union(data) => {
            report.error(data.union_token, messages::UNION);
            (Vec::new(), true)
        }
    };
    for parameter in &input.generics.params {
        let message = match parameter {
            GenericParam::Lifetime(_) => messages::STRUCT_LIFETIME,
            GenericParam::Type(_) | GenericParam::Const(_) => messages::GENERIC_STRUCT,
        };
        report.error(parameter, message);
    }
    KernelArg {
        root: options.root,
        is_sound: are_plain && input.generics.params.is_empty(),
        name: input.ident,
        fields,
        is_pod: options.is_pod,
    }
}

/// The fields' types, and whether none of them is refused.
fn fields(fields: &Fields, report: &mut Report) -> (Vec<(Member, Type)>, bool) {
    let mut are_plain = true;
    for field in fields {
        are_plain &= types::field(&field.ty, report);
    }
    (fields.members().zip(fields).map(|(member, field)| (member, field.ty.clone())).collect(), are_plain)
}

/// Looks for `#[repr(C)]`, which fixes the order of fields, where there are any, and for `packed`, which misaligns them.
fn repr(input: &DeriveInput, is_empty: bool, report: &mut Report) {
    let mut fixed = is_empty;
    for attribute in input.attrs.iter().filter(|a| a.path().is_ident("repr")) {
        for repr in reprs(attribute) {
            if repr.path().is_ident("packed") {
                report.error(&repr, messages::PACKED);
            }
            fixed |= repr.path().is_ident("C") || repr.path().is_ident("transparent");
        }
    }
    if !fixed {
        report.error(&input.ident, messages::MISSING_REPR);
    }
}

/// What a `#[repr(...)]` lists; if it doesn't parse, rustc itself says so.
fn reprs(attribute: &Attribute) -> Vec<Meta> {
    attribute
        .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
        .map_or_else(|_| Vec::new(), |list| list.into_iter().collect())
}
