//! What stands around a kernel's parameters.

use syn::{ReturnType, Safety, Signature};

use crate::messages;
use crate::report::Report;

/// Reports whatever a kernel's signature can't have.
pub(super) fn check(signature: &Signature, report: &mut Report) {
    if let Some(token) = signature.constness {
        report.error(token, messages::CONST);
    }
    if let Some(token) = signature.asyncness {
        report.error(token, messages::ASYNC);
    }
    match signature.safety {
        Safety::Safe(token) => report.error(token, messages::SAFE),
        Safety::Unsafe(_) | Safety::Default => {}
    }
    if let Some(abi) = &signature.abi {
        report.error(abi, messages::ABI);
    }
    if let Some(variadic) = &signature.variadic {
        report.error(variadic, messages::VARIADIC);
    }
    if let ReturnType::Type(..) = signature.output {
        report.error(&signature.output, messages::RETURN_TYPE);
    }
}
