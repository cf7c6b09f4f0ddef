//! Integer division on AMD, which LLVM makes narrower than its operands allow.
//!
//! Operands of 23 and 24 bits are divided through a float and may be one off, an unsigned one is taken for narrow though the other
//! isn't, and the quotient of two widened signed ones loses its sign where it has one bit more than they
//! (llvm-project PRs 196418, 201186, 202753 and 204469). LLVM doesn't do it with a value that it knows nothing of.
//!
//! In 64 bits that would take the long way for operands of 32, so signed ones are divided as their magnitudes, of which it may know
//! that the upper half is zero.

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
    if wide == "i64" && is_signed {
        signed(division, [left, right], names, &mut lines);
        return Some(Change { form: FORM, lines });
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
    Some(Change { form: FORM, lines })
}

const FORM: &str = "an integer division";

/// The function that magnitudes come from, and how it is declared.
const MAGNITUDE: &str = "@llvm.abs.i64(i64";
const DECLARATION: &str = "declare i64 @llvm.abs.i64(i64, i1 immarg)\n";

/// The quotient or the rest of 64 bits by those of the magnitudes: a quotient has the sign of both operands together, a rest that of
/// the dividend.
fn signed(division: &Instruction<'_>, [left, right]: [&str; 2], names: &mut Names, lines: &mut Lines) {
    let zero = zeros("i64", names, lines);
    let [dividend, divisor, unknown, result, sign, other] = std::array::from_fn(|_| names.next());
    lines.push(format_args!("{dividend} = call i64 {MAGNITUDE} {left}, i1 false)"));
    lines.push(format_args!("{divisor} = call i64 {MAGNITUDE} {right}, i1 false)"));
    lines.push(format_args!("{unknown} = or i64 {dividend}, {zero}"));
    let (opcode, signed) = if division.opcode == "sdiv" {
        let both = names.next();
        lines.push(format_args!("{both} = xor i64 {left}, {right}"));
        ("udiv", both)
    } else {
        ("urem", left.to_owned())
    };
    lines.push(format_args!("{result} = {opcode} i64 {unknown}, {divisor}"));
    lines.push(format_args!("{sign} = ashr i64 {signed}, 63"));
    lines.push(format_args!("{other} = xor i64 {result}, {sign}"));
    lines.push(format_args!("{} = sub i64 {other}, {sign}{}", division.result, division.attached()));
}

/// What a text lacks of the declarations of what it calls.
pub(super) fn declarations(ir: &str) -> &'static str {
    if ir.contains(MAGNITUDE) && !ir.contains(DECLARATION.trim_end().trim_end_matches(", i1 immarg)")) {
        DECLARATION
    } else {
        ""
    }
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
