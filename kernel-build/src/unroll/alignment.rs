//! What entries say of where arguments begin, in a form that LLVM takes through loops.
//!
//! An entry assumes that an address has no lowest bits. LLVM knows from it how a fixed place is aligned, and not one that moves on from turn
//! to turn; what it's told of a pointer itself it follows there, too.

use std::borrow::Cow;

use crate::ir::{self, Definitions};

/// The IR with each such assumption said of its pointer as well.
pub(super) fn said_of_pointers(ir: &str) -> Cow<'_, str> {
    ir::rewritten(ir, |head, body| {
        let definitions = Definitions::read(body);
        let mut text = String::new();
        let mut is_changed = false;
        for line in body {
            text.push_str(line);
            text.push('\n');
            if let Some((pointer, alignment)) =
                assumed(line).and_then(|condition| aligned(condition, head, &definitions))
            {
                text.push_str(&format!(
                    "  call void @llvm.assume(i1 true) [ \"align\"(ptr {pointer}, i64 {alignment}) ]\n"
                ));
                is_changed = true;
            }
        }
        is_changed.then_some(text)
    })
}

/// The condition that a line has LLVM assume.
fn assumed(line: &str) -> Option<&str> {
    let (_, condition) = line.split_once("call void @llvm.assume(i1 ")?;
    let (name, rest) = condition.split_once(')')?;
    (!rest.contains('[')).then_some(name)
}

/// The pointer of which a condition says that its address has no lowest bits, and the power of two that it is a multiple of.
fn aligned<'t>(condition: &str, head: &str, definitions: &Definitions<'t>) -> Option<(&'t str, u64)> {
    let is_zero = definitions.of(condition).filter(|is| is.opcode == "icmp" && is.flags == ["eq"])?;
    let (bits, "0") = is_zero.pair()? else { return None };
    let (number, mask) = definitions.of(bits).filter(|bits| bits.opcode == "and")?.pair()?;
    let number = definitions.of(number).filter(|number| number.opcode == "ptrtoint")?;
    let pointer = number.operands.first()?.strip_suffix(" to i64")?;
    let declared = ir::pointers(head).find(|(name, _)| *name == pointer);
    let declared =
        declared.and_then(|(_, said)| said.split_once("align ")?.1.split(' ').next()?.parse().ok());
    above(mask.parse().ok()?, declared.unwrap_or(1)).map(|alignment| (pointer, alignment))
}

/// The power of two above some bits, if all below it are known to be zero: those of the mask, and those that a declared alignment has.
fn above(mask: u64, declared: u64) -> Option<u64> {
    let alignment = mask.checked_add(declared)?;
    (mask > 0 && declared.is_power_of_two() && alignment.is_power_of_two() && mask.is_multiple_of(declared))
        .then_some(alignment)
}
