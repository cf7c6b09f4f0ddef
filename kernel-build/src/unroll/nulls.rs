//! Tests of an `Option<&T>` that LLVM no longer knows to be `Some`.
//!
//! A reference into a kernel's argument is made before the bound is tested, if that costs nothing, and loses on the way that it stays
//! within the argument. Then the `None` that isn't there is tested by a comparison of the address with null.

use std::borrow::Cow;

use crate::ir::{self, Definitions, Instruction};

/// How far a reference is followed to its argument.
const DEPTH: usize = 16;

/// The IR with such tests answered.
pub(super) fn answered(ir: &str) -> Cow<'_, str> {
    ir::rewritten(ir, |head, body| {
        if !body.iter().any(|line| line.contains(", null")) {
            return None;
        }
        let definitions = Definitions::read(body);
        // A number that is made of an address could lead back to null.
        let has_numbers = body.iter().any(|line| line.contains(" = ptrtoint "));
        let is_reference = |name: &str| !has_numbers || is_accessed(body, name);
        let mut text = String::new();
        let mut is_changed = false;
        for line in body {
            let instruction = Instruction::read(line);
            let test = instruction.as_ref().and_then(|instruction| Some((instruction, test(instruction)?)));
            match test.filter(|(_, (name, _))| is_of_argument(name, head, &definitions) && is_reference(name))
            {
                Some((instruction, (_, value))) => {
                    // A copy of a constant, which the passes take on.
                    text.push_str(&format!("  {} = or i1 {value}, {value}\n", instruction.result));
                    is_changed = true;
                }
                None => {
                    text.push_str(line);
                    text.push('\n');
                }
            }
        }
        is_changed.then_some(text)
    })
}

/// What is compared with null, and the answer if it isn't.
fn test<'t>(instruction: &Instruction<'t>) -> Option<(&'t str, bool)> {
    let (name, "null") = instruction.pair()? else { return None };
    match (instruction.opcode, &instruction.flags[..], instruction.kind) {
        ("icmp", ["eq"], "ptr") => Some((name, false)),
        ("icmp", ["ne"], "ptr") => Some((name, true)),
        _ => None,
    }
}

/// Whether a place is counted from an argument that is no null pointer.
fn is_of_argument(name: &str, head: &str, definitions: &Definitions<'_>) -> bool {
    let mut at = name;
    for _ in 0..DEPTH {
        let place = definitions.of(at).filter(|place| place.opcode == "getelementptr");
        let Some(base) = place.and_then(|place| place.operands.iter().find_map(|o| o.strip_prefix("ptr ")))
        else {
            break;
        };
        at = base;
    }
    let is_nonnull = |attributes: &str| attributes.split(' ').any(|word| word == "nonnull");
    at != name && ir::pointers(head).any(|(argument, attributes)| argument == at && is_nonnull(attributes))
}

/// Whether something is read, written or counted from a place: a reference was made of it, not an address to be compared.
fn is_accessed(body: &[&str], name: &str) -> bool {
    let operand = format!("ptr {name}");
    body.iter().any(|line| {
        !line.contains(" = icmp ")
            && line.match_indices(&operand).any(|(at, _)| {
                line[at + operand.len()..].chars().next().is_none_or(|next| matches!(next, ',' | ')' | ' '))
            })
    })
}
