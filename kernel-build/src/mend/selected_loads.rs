//! A choice between two loaded values, of which LLVM makes one load from a chosen address: a wild one where the choice itself isn't
//! defined, as of an `Option` that is matched and has nothing in it (llvm-project PR 208683).

use super::{Change, Definitions, Lines, Names};
use crate::ir::Instruction;

/// Makes the choice a defined one; that costs nothing.
pub(super) fn freeze(
    select: &Instruction<'_>,
    definitions: &Definitions<'_>,
    names: &mut Names,
) -> Option<Change> {
    let [condition, one, other] = select.choice()?;
    let is_load = |operand: &str| {
        let name = operand.split_once(' ').map_or(operand, |(_, name)| name);
        definitions.of(name).is_some_and(|made| made.opcode == "load")
    };
    if !is_load(one) || !is_load(other) {
        return None;
    }
    let mut lines = Lines::default();
    let frozen = names.next();
    lines.push(format_args!("{frozen} = freeze i1 {condition}"));
    lines.push(format_args!("{} = select i1 {frozen}, {one}, {other}", select.result));
    Some(Change { form: "a choice between loaded values", lines })
}
