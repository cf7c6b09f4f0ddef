//! Products of widened numbers.
//!
//! LLVM makes `mul.wide.u32` of a product of two numbers that it widens right there. A row that was widened in another
//! basic block it multiplies in 64 bits, for which ptxas needs three instructions; and it shifts a wide column, where a
//! wide product could be added to a pointer as it is made. A row beside the own, `(row - 1) * cols`, it multiplies anew: as
//! `row * cols - cols` ptxas has the product at hand.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::body::{Body, operands};
use super::registers::Registers;
use super::replaced;

/// What a 64-bit operand is in 32 bits.
#[derive(Clone, Copy, Debug)]
enum Narrow<'t> {
    /// The register that it was widened from, or the same constant.
    Same(&'t str),
    /// A load of 32 bits: the register's own lower half.
    Itself(&'t str),
}

/// Replaces 64-bit products of registers that hold 32 bits.
pub(super) fn narrow(body: &Body<'_>, changes: &mut Vec<(usize, String)>) {
    let registers = Registers::of(body);
    let is_constant = |register: &str| registers.is_constant(register);
    let mut widened: BTreeMap<&str, Narrow<'_>> = BTreeMap::new();
    // Numbers that are one more or less than a register: what is to be done to a product for that.
    let mut beside: BTreeMap<&str, (&str, &str)> = BTreeMap::new();
    for statement in body.statements.iter().filter(|statement| !statement.is_predicated) {
        match (statement.opcode, operands(statement).as_slice()) {
            ("cvt.u64.u32", &[wide, narrow]) if is_constant(wide) && is_constant(narrow) => {
                widened.insert(wide, Narrow::Same(narrow));
            }
            ("ld.param.b32" | "ld.param.u32", &[wide, _]) if is_constant(wide) && wide.starts_with("%rd") => {
                widened.insert(wide, Narrow::Itself(wide));
            }
            ("add.s64", &[sum, register, number]) if is_constant(sum) && is_constant(register) => {
                let step = match number {
                    "1" => "add.s64",
                    "-1" => "sub.s64",
                    _ => continue,
                };
                beside.insert(sum, (register, step));
            }
            _ => {}
        }
    }
    for (at, statement) in body.statements.iter().enumerate().filter(|(_, s)| !s.is_predicated) {
        let shifted;
        let (to, a, b, addend) = match (statement.opcode, operands(statement).as_slice()) {
            ("mul.lo.s64" | "mul.lo.u64" | "mul.lo.b64", &[to, a, b]) => (to, a, b, None),
            ("mad.lo.s64" | "mad.lo.u64" | "mad.lo.b64", &[to, a, b, c]) => (to, a, b, Some(c)),
            ("shl.b64", &[to, a, by]) => match by.parse::<u32>().ok().and_then(|by| 1_u32.checked_shl(by)) {
                Some(factor) => {
                    shifted = factor.to_string();
                    (to, a, shifted.as_str(), None)
                }
                None => continue,
            },
            _ => continue,
        };
        let narrow = |operand| match u32::from_str(operand) {
            Ok(_) => Some(Narrow::Same(operand)),
            Err(_) => widened.get(operand).copied(),
        };
        let (row, cols, step) = match (beside.get(a), beside.get(b)) {
            (Some(&(row, step)), _) if b.starts_with('%') => (row, b, Some(step)),
            (_, Some(&(row, step))) => (row, a, Some(step)),
            _ => (a, b, None),
        };
        let (Some(row), Some(narrow_cols)) = (narrow(row), narrow(cols)) else {
            continue;
        };
        let mut text = String::from("\t{ ");
        let row = half(row, "%a", &mut text);
        let narrow_cols = half(narrow_cols, "%b", &mut text);
        let sums = [step.map(|step| (step, cols)), addend.map(|addend| ("add.s64", addend))];
        let mut sums = sums.into_iter().flatten().peekable();
        // ptxas makes less of `mad.wide.u32`.
        let product = if sums.peek().is_some() { "%c" } else { to };
        if product == "%c" {
            text.push_str(".reg .b64 %c; ");
        }
        text.push_str(&format!("mul.wide.u32 \t{product}, {row}, {narrow_cols}; "));
        while let Some((operation, operand)) = sums.next() {
            let sum = if sums.peek().is_some() { "%c" } else { to };
            text.push_str(&format!("{operation} \t{sum}, %c, {operand}; "));
        }
        text.push_str("}\n");
        replaced(body, at, text, changes);
    }
}

/// The name of the 32-bit register, which is made first if there is none.
fn half<'n>(narrow: Narrow<'n>, name: &'n str, text: &mut String) -> &'n str {
    match narrow {
        Narrow::Same(register) => register,
        Narrow::Itself(wide) => {
            text.push_str(&format!(".reg .b32 {name}; cvt.u32.u64 \t{name}, {wide}; "));
            name
        }
    }
}
