//! What entries say of where arguments begin, in a form that LLVM takes through loops.
//!
//! An entry assumes that an address has no lowest bits. LLVM knows from it how a fixed place is aligned, and not one that moves on from turn
//! to turn; what it's told of a pointer itself it follows there, too.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// The IR with each such assumption said of its pointer as well.
pub(super) fn said_of_pointers(ir: &str) -> Cow<'_, str> {
    let mut text = String::new();
    let mut numbers = BTreeMap::new();
    let mut bits = BTreeMap::new();
    let mut aligned = BTreeMap::new();
    let mut declared = BTreeMap::new();
    let mut is_changed = false;
    for line in ir.split_inclusive('\n') {
        text.push_str(line);
        if let Some(head) = line.strip_prefix("define ") {
            (numbers, bits, aligned) = <(BTreeMap<_, _>, BTreeMap<_, _>, BTreeMap<_, _>)>::default();
            declared = head.split("ptr ").skip(1).filter_map(argument).collect();
        } else if let Some((name, pointer)) = number(line) {
            numbers.insert(name, pointer);
        } else if let Some((name, of, mask)) = bits_of(line)
            && let Some(&pointer) = numbers.get(of)
            && let Some(alignment) = above(mask, declared.get(pointer).copied().unwrap_or(1))
        {
            bits.insert(name, (pointer, alignment));
        } else if let Some((name, of)) = is_zero(line)
            && let Some(&place) = bits.get(of)
        {
            aligned.insert(name, place);
        } else if let Some((pointer, alignment)) = assumed(line).and_then(|name| aligned.get(name)) {
            text.push_str(&format!(
                "  call void @llvm.assume(i1 true) [ \"align\"(ptr {pointer}, i64 {alignment}) ]\n"
            ));
            is_changed = true;
        }
    }
    if is_changed { Cow::Owned(text) } else { Cow::Borrowed(ir) }
}

/// The number of an argument's address: `%n = ptrtoint ptr %p to i64`.
fn number(line: &str) -> Option<(&str, &str)> {
    let (name, pointer) = line.strip_prefix("  ")?.split_once(" = ptrtoint ptr ")?;
    Some((name, pointer.trim_end().strip_suffix(" to i64")?))
}

/// Some bits of a number: `%b = and i64 %n, 15`.
fn bits_of(line: &str) -> Option<(&str, &str, u64)> {
    let (name, operands) = line.strip_prefix("  ")?.split_once(" = and i64 ")?;
    let (of, mask) = operands.trim_end().split_once(", ")?;
    Some((name, of, mask.parse().ok()?))
}

/// The power of two above some bits, if all below it are known to be zero: those of the mask, and those that a declared alignment has.
fn above(mask: u64, declared: u64) -> Option<u64> {
    let alignment = mask.checked_add(declared)?;
    (mask > 0 && declared.is_power_of_two() && alignment.is_power_of_two() && mask.is_multiple_of(declared))
        .then_some(alignment)
}

/// The declared alignment of an argument, from behind its type.
fn argument(text: &str) -> Option<(&str, u64)> {
    let (attributes, rest) = text.split_at(text.find('%')?);
    let name = rest.split([',', ')']).next()?;
    let (_, alignment) = attributes.split_once("align ")?;
    Some((name, alignment.split(' ').next()?.parse().ok()?))
}

/// `%c = icmp eq i64 %b, 0`.
fn is_zero(line: &str) -> Option<(&str, &str)> {
    let (name, operands) = line.strip_prefix("  ")?.split_once(" = icmp eq i64 ")?;
    Some((name, operands.trim_end().strip_suffix(", 0")?))
}

/// What a line has LLVM assume.
fn assumed(line: &str) -> Option<&str> {
    let (_, condition) = line.split_once("call void @llvm.assume(i1 ")?;
    let (name, rest) = condition.split_once(')')?;
    (!rest.contains('[')).then_some(name)
}
