//! Integer division on AMD, which LLVM makes narrower than its operands allow.
//!
//! Operands of 23 and 24 bits are divided through a float and may be one off, an unsigned one is taken for narrow though the other
//! isn't, and the quotient of widened signed ones loses its sign where it has one bit more than they (llvm-project PRs 196418, 201186,
//! 202753 and 204469). With a dividend of 22 bits the way through a float is right.
//!
//! So 32 bits are divided by functions that do what LLVM does with operands of which it knows nothing, with signs apart. Of 64 bits LLVM
//! isn't told that the lower half is narrow; that the upper half is zero it may know, and divides in 32 bits.

use super::{Change, Definitions, Lines, Names, each_element};
use crate::ir::{self, Instruction};

/// The bits of a dividend that LLVM's way through a float divides right.
const RIGHT: u32 = 22;

const QUOTIENT: &str = "@gridwright.quotient.u32";
const REST: &str = "@gridwright.rest.u32";

/// What is called, and its text.
pub(super) const FUNCTIONS: [(&str, &str); 5] = [
    (QUOTIENT, include_str!("division/quotient.ll")),
    (REST, include_str!("division/rest.ll")),
    ("@llvm.amdgcn.rcp.f32", "declare float @llvm.amdgcn.rcp.f32(float)\n"),
    ("@llvm.abs.i32", "declare i32 @llvm.abs.i32(i32, i1 immarg)\n"),
    ("@llvm.abs.i64", "declare i64 @llvm.abs.i64(i64, i1 immarg)\n"),
];

/// One division of two numbers.
struct Division<'t> {
    opcode: &'t str,
    /// `i32` or `i64`; of a signed quotient `i8` or `i16` too.
    kind: &'t str,
    dividend: &'t str,
    divisor: &'t str,
    result: &'t str,
}

/// Divides in a way that is right for all operands. Unsigned ones of fewer than 32 bits, and rests of these, are right already; a quotient
/// of 16 bits may have been one of widened bytes.
pub(super) fn whole(
    division: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    let (opcode, (left, right)) = (division.opcode, division.pair()?);
    let is_signed = matches!(opcode, "sdiv" | "srem");
    // A division by a constant becomes a product.
    if !(is_signed || matches!(opcode, "udiv" | "urem")) || ir::is_constant(right) {
        return None;
    }
    if !is_signed && definitions.most_bits(left) <= RIGHT {
        return None;
    }
    let (kind, _) = ir::element(division.kind);
    if !(matches!(kind, "i32" | "i64") || opcode == "sdiv" && matches!(kind, "i8" | "i16")) {
        return None;
    }
    let mut lines = Lines::default();
    each_element(division, names, &mut lines, |[dividend, divisor], result, names, lines| {
        Division { opcode, kind, dividend, divisor, result }.write(definitions, names, lines);
        Some(())
    })?;
    Some(Change { form: "an integer division", lines })
}

impl Division<'_> {
    fn write(&self, definitions: &Definitions<'_>, names: &mut Names, lines: &mut Lines) {
        let Self { opcode, kind, dividend, divisor, result } = self;
        if matches!(*kind, "i8" | "i16") {
            let [x, y, quotient] = std::array::from_fn(|_| names.next());
            lines.push(format_args!("{x} = sext {kind} {dividend} to i32"));
            lines.push(format_args!("{y} = sext {kind} {divisor} to i32"));
            let wide = Division { opcode, kind: "i32", dividend: &x, divisor: &y, result: &quotient };
            wide.write(definitions, names, lines);
            lines.push(format_args!("{result} = trunc i32 {quotient} to {kind}"));
            return;
        }
        if !matches!(*opcode, "sdiv" | "srem") {
            self.magnitudes(dividend, divisor, result, definitions, names, lines);
            return;
        }
        let [x, y, unsigned, sign, other] = std::array::from_fn(|_| names.next());
        lines.push(format_args!("{x} = call {kind} @llvm.abs.{kind}({kind} {dividend}, i1 false)"));
        lines.push(format_args!("{y} = call {kind} @llvm.abs.{kind}({kind} {divisor}, i1 false)"));
        self.magnitudes(&x, &y, &unsigned, definitions, names, lines);
        // A quotient has the sign of both operands together, a rest that of the dividend.
        let mut signed = (*dividend).to_owned();
        if *opcode == "sdiv" {
            let both = names.next();
            lines.push(format_args!("{both} = xor {kind} {dividend}, {divisor}"));
            signed = both;
        }
        let last = if *kind == "i32" { 31 } else { 63 };
        lines.push(format_args!("{sign} = ashr {kind} {signed}, {last}"));
        lines.push(format_args!("{other} = xor {kind} {unsigned}, {sign}"));
        lines.push(format_args!("{result} = sub {kind} {other}, {sign}"));
    }

    fn magnitudes(
        &self,
        x: &str,
        y: &str,
        result: &str,
        definitions: &Definitions<'_>,
        names: &mut Names,
        lines: &mut Lines,
    ) {
        let is_quotient = self.opcode.ends_with("div");
        let function = if is_quotient { QUOTIENT } else { REST };
        if self.kind == "i32" {
            lines.push(format_args!("{result} = call i32 {function}(i32 {x}, i32 {y})"));
        } else if definitions.most_bits(x).max(definitions.most_bits(y)) <= 32 {
            let [a, b, low] = std::array::from_fn(|_| names.next());
            lines.push(format_args!("{a} = trunc i64 {x} to i32"));
            lines.push(format_args!("{b} = trunc i64 {y} to i32"));
            lines.push(format_args!("{low} = call i32 {function}(i32 {a}, i32 {b})"));
            lines.push(format_args!("{result} = zext i32 {low} to i64"));
        } else {
            let zero = lines.opaque_zero(names);
            let [wide, unknown] = std::array::from_fn(|_| names.next());
            let opcode = if is_quotient { "udiv" } else { "urem" };
            lines.push(format_args!("{wide} = zext i32 {zero} to i64"));
            lines.push(format_args!("{unknown} = or i64 {x}, {wide}"));
            lines.push(format_args!("{result} = {opcode} i64 {unknown}, {y}"));
        }
    }
}
