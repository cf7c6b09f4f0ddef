//! What an operator can't be.

use syn::{Type, TypeReference};

use super::types;
use crate::messages;
use crate::parse::Operator;
use crate::report::Report;

/// Reports what an operator captures that no kernel can be given by value.
pub(crate) fn operator(operator: &Operator, report: &mut Report) {
    for field in &operator.fields {
        match types::plain(&field.ty) {
            Type::Reference(TypeReference { elem, .. }) => {
                let name = field.ident.as_ref();
                report.error(&field.ty, messages::captured_reference(name, elem));
            }
            Type::Slice(_) => {
                let name = field.ident.as_ref();
                report.error(&field.ty, messages::captured_reference(name, &field.ty));
            }
            // The derive reports the rest, in words about fields.
            _ => {}
        }
    }
}
