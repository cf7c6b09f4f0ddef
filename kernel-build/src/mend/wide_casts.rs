//! Conversions between floats and integers of 128 bits, on which LLVM ends for NVIDIA and, to integers, for AMD: "unsupported library
//! call operation". GPUs have no library to call.

use super::{Change, Definitions, Lines, Names};
use crate::ir::Instruction;

const FLOAT_OF: &str = "@gridwright.float.of.u128";
const DOUBLE_OF: &str = "@gridwright.double.of.u128";
const OF_FLOAT: &str = "@gridwright.u128.of.float";
const OF_DOUBLE: &str = "@gridwright.u128.of.double";

/// What is called, and its text.
pub(super) const FUNCTIONS: [(&str, &str); 6] = [
    (FLOAT_OF, include_str!("wide_casts/single_of.ll")),
    (DOUBLE_OF, include_str!("wide_casts/double_of.ll")),
    (OF_FLOAT, include_str!("wide_casts/of_single.ll")),
    (OF_DOUBLE, include_str!("wide_casts/of_double.ll")),
    ("@llvm.ctlz.i128", "declare i128 @llvm.ctlz.i128(i128, i1 immarg)\n"),
    ("@llvm.abs.i128", "declare i128 @llvm.abs.i128(i128, i1 immarg)\n"),
];

/// 2 to the power of 127 as an unsigned number, and one less.
const LIMITS: [u128; 2] = [1 << 127, (1 << 127) - 1];

/// Converts by a function.
pub(super) fn call(cast: &Instruction<'_>, _: &Definitions<'_>, names: &mut Names) -> Option<Change> {
    let mut lines = Lines::default();
    let operand = *cast.operands.first()?;
    match cast.opcode {
        "uitofp" | "sitofp" if cast.kind == "i128" => {
            let (integer, float) = operand.split_once(" to ")?;
            to_float(cast.opcode == "sitofp", integer, float, cast.result, names, &mut lines)?;
        }
        "fptoui" | "fptosi" => {
            let float = operand.strip_suffix(" to i128")?;
            to_integer(cast.opcode == "fptosi", cast.kind, float, cast.result, names, &mut lines)?;
        }
        // A saturating one is a call of an intrinsic, `tail` or not.
        "call" | "tail" => {
            let (_, called) = operand.split_once("@llvm.fpto")?;
            let (name, argument) = called.split_once('(')?;
            let is_signed = match name.split_once(".sat.i128.")?.0 {
                "ui" => false,
                "si" => true,
                _ => return None,
            };
            let (argument, _) = argument.split_once(')')?;
            let (kind, float) = argument.rsplit_once(' ')?;
            let kind = kind.split(' ').next()?;
            to_integer(is_signed, kind, float, cast.result, names, &mut lines)?;
        }
        _ => return None,
    }
    Some(Change { form: "a conversion between a float and an integer of 128 bits", lines })
}

fn to_float(
    is_signed: bool,
    integer: &str,
    kind: &str,
    result: &str,
    names: &mut Names,
    lines: &mut Lines,
) -> Option<()> {
    let function = match kind {
        "float" => FLOAT_OF,
        "double" => DOUBLE_OF,
        // What a float doesn't hold exactly is beyond all finite halves.
        "half" => {
            let float = names.next();
            to_float(is_signed, integer, "float", &float, names, lines)?;
            lines.push(format_args!("{result} = fptrunc float {float} to half"));
            return Some(());
        }
        _ => return None,
    };
    if !is_signed {
        lines.push(format_args!("{result} = call {kind} {function}(i128 {integer})"));
        return Some(());
    }
    let [magnitude, positive, negative, is_negative] = std::array::from_fn(|_| names.next());
    lines.push(format_args!("{magnitude} = call i128 @llvm.abs.i128(i128 {integer}, i1 false)"));
    lines.push(format_args!("{positive} = call {kind} {function}(i128 {magnitude})"));
    lines.push(format_args!("{negative} = fneg {kind} {positive}"));
    lines.push(format_args!("{is_negative} = icmp slt i128 {integer}, 0"));
    lines.push(format_args!("{result} = select i1 {is_negative}, {kind} {negative}, {kind} {positive}"));
    Some(())
}

fn to_integer(
    is_signed: bool,
    kind: &str,
    float: &str,
    result: &str,
    names: &mut Names,
    lines: &mut Lines,
) -> Option<()> {
    let function = match kind {
        "float" => OF_FLOAT,
        "double" => OF_DOUBLE,
        "half" | "bfloat" => {
            let wide = names.next();
            lines.push(format_args!("{wide} = fpext {kind} {float} to float"));
            return to_integer(is_signed, "float", &wide, result, names, lines);
        }
        _ => return None,
    };
    let [magnitude, is_negative] = std::array::from_fn(|_| names.next());
    lines.push(format_args!("{magnitude} = call i128 {function}({kind} {float})"));
    lines.push(format_args!("{is_negative} = fcmp olt {kind} {float}, 0.000000e+00"));
    if !is_signed {
        lines.push(format_args!("{result} = select i1 {is_negative}, i128 0, i128 {magnitude}"));
        return Some(());
    }
    let [most, fits, limited, minus] = std::array::from_fn(|_| names.next());
    let [of_negative, of_positive] = LIMITS;
    lines.push(format_args!("{most} = select i1 {is_negative}, i128 {of_negative}, i128 {of_positive}"));
    lines.push(format_args!("{fits} = icmp ult i128 {magnitude}, {most}"));
    lines.push(format_args!("{limited} = select i1 {fits}, i128 {magnitude}, i128 {most}"));
    lines.push(format_args!("{minus} = sub i128 0, {limited}"));
    lines.push(format_args!("{result} = select i1 {is_negative}, i128 {minus}, i128 {limited}"));
    Some(())
}
