//! Sums of products of bytes on AMD, of which LLVM makes one instruction for four products and a sum: it also takes in what is no
//! product, and of wider sums what doesn't fit (llvm-project PRs 198412 and 216015).

use std::collections::BTreeSet;

use super::{Change, Definitions, Lines, Names};
use crate::ir::{self, Instruction};

/// How far back an operand is followed.
const DEPTH: u32 = 8;

/// How many products of a sum are looked at: more than that aren't found to be pure.
const MOST: usize = 64;

/// Hides from LLVM that what is multiplied are bytes, unless such products, four by four, and one value of which nothing is known make the
/// sum: with these it is right. That they have no more than 16 bits it still knows, so that the product stays one of 24 bits.
pub(super) fn hide(
    product: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    if !is_of_bytes(product, definitions)
        || !is_added(product, definitions)
        || is_in_pure_sum(product, definitions)
    {
        return None;
    }
    let (left, right) = product.pair()?;
    let kind = product.kind;
    let mut lines = Lines::default();
    let zero = lines.opaque_zero(names);
    let mut half = names.next();
    lines.push(format_args!("{half} = and i32 {zero}, 65535"));
    if kind == "i64" {
        let wide = names.next();
        lines.push(format_args!("{wide} = zext i32 {half} to i64"));
        half = wide;
    }
    let hidden = names.next();
    lines.push(format_args!("{hidden} = or {kind} {left}, {half}"));
    lines.push(format_args!("{} = mul {kind} {hidden}, {right}{}", product.result, product.attached()));
    Some(Change { form: "a product of bytes in a sum", lines })
}

fn is_of_bytes(product: &Instruction<'_>, definitions: &Definitions<'_>) -> bool {
    let Some((left, right)) = product.pair().filter(|_| product.opcode == "mul") else { return false };
    matches!(product.kind, "i32" | "i64")
        && [left, right].iter().all(|operand| may_be_byte(operand, definitions, DEPTH))
}

/// Whether LLVM may find that an operand has no more bits than a byte, with or without a sign: unless it is made of something wide.
fn may_be_byte(operand: &str, definitions: &Definitions<'_>, depth: u32) -> bool {
    if let Some(number) = ir::constant(operand) {
        return (-128..=255).contains(&number);
    }
    let Some(made) = definitions.of(operand) else { return false };
    // What isn't followed any further may be anything.
    let Some(depth) = depth.checked_sub(1) else { return true };
    let narrow =
        |operand: &&str| may_be_byte(operand.rsplit(' ').next().unwrap_or(operand), definitions, depth);
    let both = || made.operands.iter().take(2).all(narrow);
    match made.opcode {
        "load" => made.bits().is_some_and(|bits| bits <= 8),
        "add" | "sub" | "mul" | "or" | "xor" => both(),
        "shl" => made.operands.first().is_some_and(narrow),
        "select" => made.operands.iter().skip(1).take(2).all(narrow),
        "zext" | "sext" => {
            made.bits().is_some_and(|bits| bits <= 8) || source(made).is_some_and(|operand| narrow(&operand))
        }
        // How much is left by a shift of an unknown amount isn't known.
        "lshr" | "ashr" => {
            let amount = made.pair().and_then(|(_, amount)| ir::constant(amount));
            let is_far = amount.zip(made.bits()).is_some_and(|(amount, bits)| amount >= i128::from(bits) - 8);
            is_far || made.operands.first().is_some_and(narrow)
        }
        "phi" => made.operands.iter().all(|incoming| {
            let value = incoming.trim_start_matches("[ ").split(',').next().unwrap_or(incoming);
            narrow(&value)
        }),
        "and" | "urem" | "srem" | "udiv" | "sdiv" => made.operands.iter().take(2).any(narrow),
        "extractelement" => made.operands.first().is_some_and(narrow),
        "bitcast" | "ptrtoint" | "fptoui" | "fptosi" => false,
        "trunc" => source(made).is_some_and(|operand| narrow(&operand)),
        // Vectors, counts of bits, numbers within a group, the least of two, what has a range.
        _ => true,
    }
}

/// The operand of a conversion: `%x` of `%x to i32`.
fn source<'t>(conversion: &Instruction<'t>) -> Option<&'t str> {
    conversion.operands.first()?.split(' ').next()
}

fn is_sum(instruction: &Instruction<'_>) -> bool {
    matches!(instruction.opcode, "add" | "sub" | "or")
}

fn is_added(product: &Instruction<'_>, definitions: &Definitions<'_>) -> bool {
    definitions
        .users(product.result)
        .any(|user| is_sum(user) || matches!(user.opcode, "zext" | "sext" | "trunc" | "and"))
}

/// Whether the sum that a product is part of has products of bytes, four by four, and one more value at most, of which LLVM knows
/// nothing.
fn is_in_pure_sum(product: &Instruction<'_>, definitions: &Definitions<'_>) -> bool {
    let mut root = product;
    for _ in 0..MOST {
        let mut users = definitions.users(root.result);
        match (users.next(), users.next()) {
            (Some(user), None) if user.opcode == "add" && user.kind == product.kind => root = user,
            (None, None) => break,
            (Some(_), _) if root.result != product.result => break,
            _ => return false,
        }
    }
    let mut products = BTreeSet::new();
    let mut others = Vec::new();
    let mut open = vec![root.result];
    while let Some(operand) = open.pop() {
        match definitions.of(operand) {
            Some(sum) if sum.opcode == "add" => open.extend(sum.operands.iter().take(2)),
            Some(made) if is_of_bytes(made, definitions) => {
                let is_new = products.insert(made.result);
                if !is_new || definitions.users(made.result).count() > 1 {
                    return false;
                }
            }
            other => others.push(other),
        }
        if products.len() > MOST || others.len() > 1 {
            return false;
        }
    }
    let is_unknown = |other: &Option<&Instruction<'_>>| {
        other.is_none_or(|made| !may_be_byte(made.result, definitions, DEPTH))
    };
    product.kind == "i32" && products.len().is_multiple_of(4) && others.iter().all(is_unknown)
}
