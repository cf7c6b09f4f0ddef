//! Integer division on AMD, which LLVM makes narrower than its operands allow.
//!
//! Operands of 23 and 24 bits are divided through a float and may be one off, an unsigned one is taken for narrow though the other
//! isn't, and the quotient of two widened signed ones loses its sign where it has one bit more than they
//! (llvm-project PRs 196418, 201186, 202753 and 204469). LLVM doesn't do it with a value that it knows nothing of.

use super::text::{self, Instruction};
use super::{Change, Definitions, Lines, Names};

/// Divides a value whose lower 32 bits LLVM knows nothing of. That the upper half of an unsigned one is zero it still knows: such a
/// division is made in 32 bits, and right.
pub(super) fn whole(division: &Instruction<'_>, _: &Definitions<'_>, names: &mut Names) -> Option<Change> {
    let is_signed = match division.opcode {
        "sdiv" | "srem" => true,
        "udiv" | "urem" => false,
        _ => return None,
    };
    let (left, right) = division.pair()?;
    let bits = division.bits().filter(|bits| *bits <= 64)?;
    // A division by a constant becomes a product.
    if text::is_constant(right) {
        return None;
    }
    let mut lines = Lines::default();
    let wide = text::with_element(division.kind, if bits <= 32 { "i32" } else { "i64" });
    let (mut dividend, mut divisor) = (left.to_owned(), right.to_owned());
    if bits != 32 && bits != 64 {
        let extend = if is_signed { "sext" } else { "zext" };
        for operand in [&mut dividend, &mut divisor] {
            let wider = names.next();
            lines.push(format_args!("{wider} = {extend} {} {operand} to {wide}", division.kind));
            *operand = wider;
        }
    }
    let zero = zeros(&wide, names, &mut lines);
    let unknown = names.next();
    lines.push(format_args!("{unknown} = or {wide} {dividend}, {zero}"));
    let is_wide = wide == division.kind;
    let quotient = if is_wide { division.result.to_owned() } else { names.next() };
    let attached = division.attached();
    lines.push(format_args!("{quotient} = {} {wide} {unknown}, {divisor}{attached}", division.opcode));
    if !is_wide {
        lines.push(format_args!("{} = trunc {wide} {quotient} to {}", division.result, division.kind));
    }
    Some(Change { form: "an integer division", lines })
}

/// Zero in the lower 32 bits of each element, which LLVM doesn't know to be zero.
fn zeros(kind: &str, names: &mut Names, lines: &mut Lines) -> String {
    let mut zero = lines.opaque_zero(names);
    let (element, count) = text::element(kind);
    if element != "i32" {
        let wider = names.next();
        lines.push(format_args!("{wider} = zext i32 {zero} to {element}"));
        zero = wider;
    }
    if count.is_some() {
        let (first, all) = (names.next(), names.next());
        let mask = text::with_element(kind, "i32");
        lines.push(format_args!("{first} = insertelement {kind} poison, {element} {zero}, i64 0"));
        lines.push(format_args!(
            "{all} = shufflevector {kind} {first}, {kind} poison, {mask} zeroinitializer"
        ));
        zero = all;
    }
    zero
}
