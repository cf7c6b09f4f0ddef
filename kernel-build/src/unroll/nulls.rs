//! Tests of an `Option<&T>` that LLVM no longer knows to be `Some`.
//!
//! A reference into a kernel's argument is made before the bound is tested, if that costs nothing, and loses on the way that it stays
//! within the argument. Then the `None` that isn't there is tested by a comparison of the address with null.

use std::borrow::Cow;
use std::collections::BTreeMap;

/// How far a reference is followed to its argument.
const DEPTH: usize = 16;

/// The IR with such tests answered.
pub(super) fn answered(ir: &str) -> Cow<'_, str> {
    let mut text = String::new();
    let mut is_changed = false;
    let mut rest = ir;
    while let Some((before, body)) = rest.split_once("\ndefine ") {
        let end = body.find("\n}\n").map_or(body.len(), |end| end + 1);
        let (function, after) = body.split_at(end);
        text.push_str(before);
        text.push_str("\ndefine ");
        is_changed |= answer(function, &mut text);
        rest = after;
    }
    text.push_str(rest);
    if is_changed { Cow::Owned(text) } else { Cow::Borrowed(ir) }
}

/// Writes a function, and says whether something was answered.
fn answer(function: &str, text: &mut String) -> bool {
    if !function.contains(", null") {
        text.push_str(function);
        return false;
    }
    let head = function.lines().next().unwrap_or_default();
    let arguments: Vec<&str> = head.split(", ptr ").chain(head.split("(ptr ")).filter_map(argument).collect();
    let places: BTreeMap<&str, &str> = function.lines().filter_map(place).collect();
    let is_of_argument = |name: &str| {
        let mut at = name;
        for _ in 0..DEPTH {
            match places.get(at) {
                Some(base) => at = base,
                None => break,
            }
        }
        at != name && arguments.contains(&at)
    };
    // A number that is made of an address could lead back to null.
    let has_numbers = function.contains(" = ptrtoint ");
    let is_reference = |name: &str| !has_numbers || is_accessed(function, name);
    let mut is_changed = false;
    for line in function.split_inclusive('\n') {
        match test(line).filter(|(_, name, _)| is_of_argument(name) && is_reference(name)) {
            Some((result, _, value)) => {
                // A copy of a constant, which the passes take on.
                text.push_str(&format!("  {result} = or i1 {value}, {value}\n"));
                is_changed = true;
            }
            None => text.push_str(line),
        }
    }
    is_changed
}

/// The name of an argument that is no null pointer, from behind its type.
fn argument(text: &str) -> Option<&str> {
    let (attributes, rest) = text.split_at(text.find('%')?);
    let name = rest.split([',', ')']).next()?;
    attributes.split(' ').any(|word| word == "nonnull").then_some(name)
}

/// A place in memory, and what it is counted from.
fn place(line: &str) -> Option<(&str, &str)> {
    let (name, instruction) = line.strip_prefix("  ")?.split_once(" = getelementptr ")?;
    let (_, base) = instruction.split_once(", ptr %")?;
    let length = base.find(',')?;
    let start = instruction.len() - base.len() - 1;
    Some((name, &instruction[start..start + 1 + length]))
}

/// A comparison with null: its result, what is compared, and the answer if that isn't null.
fn test(line: &str) -> Option<(&str, &str, bool)> {
    let (result, comparison) = line.trim_end().strip_prefix("  ")?.split_once(" = icmp ")?;
    let (condition, operands) = comparison.split_once(" ptr ")?;
    let name = operands.strip_suffix(", null")?;
    let value = match condition {
        "eq" => false,
        "ne" => true,
        _ => return None,
    };
    name.starts_with('%').then_some((result, name, value))
}

/// Whether something is read, written or counted from a place: a reference was made of it, not an address to be compared.
fn is_accessed(function: &str, name: &str) -> bool {
    let operand = format!("ptr {name}");
    function.lines().any(|line| {
        !line.contains(" = icmp ")
            && line.match_indices(&operand).any(|(at, _)| {
                line[at + operand.len()..].chars().next().is_none_or(|next| matches!(next, ',' | ')' | ' '))
            })
    })
}
