//! The operator `%` of floats, of which LLVM makes `x - trunc(x / y) * y` for NVIDIA: wrong where the quotient is rounded. For AMD it
//! makes long division with the processor's approximate reciprocal, of which too little is known here to rely on it.

use super::{Change, Definitions, Lines, Names, each_element};
use crate::ir::{self, Instruction};

/// The functions that are called instead, `math::rem` in LLVM's words: binary long division of mantissas as integers.
pub(super) const FUNCTIONS: [(&str, &str); 2] =
    [(SINGLE, include_str!("remainder/single.ll")), (DOUBLE, include_str!("remainder/double.ll"))];

const SINGLE: &str = "@gridwright.remainder.f32";
const DOUBLE: &str = "@gridwright.remainder.f64";

/// Calls a function for each element.
pub(super) fn call(remainder: &Instruction<'_>, _: &Definitions<'_>, names: &mut Names) -> Option<Change> {
    if remainder.opcode != "frem" {
        return None;
    }
    let (element, _) = ir::element(remainder.kind);
    let mut lines = Lines::default();
    each_element(remainder, names, &mut lines, |operands, result, names, lines| {
        of_one(element, operands, result, names, lines)
    })?;
    Some(Change { form: "a remainder of floats", lines })
}

fn of_one(
    kind: &str,
    [left, right]: [&str; 2],
    result: &str,
    names: &mut Names,
    lines: &mut Lines,
) -> Option<()> {
    let function = match kind {
        "float" => SINGLE,
        "double" => DOUBLE,
        // What divides two of these leaves one, so nothing is rounded.
        "half" | "bfloat" => {
            let (a, b, rest) = (names.next(), names.next(), names.next());
            lines.push(format_args!("{a} = fpext {kind} {left} to float"));
            lines.push(format_args!("{b} = fpext {kind} {right} to float"));
            of_one("float", [&a, &b], &rest, names, lines)?;
            lines.push(format_args!("{result} = fptrunc float {rest} to {kind}"));
            return Some(());
        }
        _ => return None,
    };
    lines.push(format_args!("{result} = call {kind} {function}({kind} {left}, {kind} {right})"));
    Some(())
}
