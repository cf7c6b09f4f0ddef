//! Stage *mend*: LLVM IR that the device compiler gets wrong → IR with another form of the same, which it gets right.
//!
//! A file a kind of fault. What LLVM does with a form is known by public reports and was seen in its output; where it stands in the
//! text it is replaced, whether the operands would have led to the fault or not. `plan/MISCOMPILES.md` has the list
//! of what was tried. Faults that a flag avoids are in [`plan::flags`](crate::plan).

mod byte_products;
mod carry;
mod division;
mod latches;
mod remainder;
mod selected_loads;
mod shift;
mod signed_halves;
#[cfg(test)]
mod tests;
mod wide_casts;
mod zero_minus;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::{Arguments, Write as _};

use crate::architecture::Family;
use crate::ir::{self, Definitions};

/// IR, and what was mended in it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Mended<'t> {
    pub(crate) ir: Cow<'t, str>,
    /// The forms that were found, in a user's words, with the functions that have them.
    pub(crate) found: BTreeSet<(&'static str, &'t str)>,
}

/// What becomes of an instruction: others for it.
struct Change {
    form: &'static str,
    lines: Lines,
}

/// Instructions, one a line.
#[derive(Default)]
struct Lines(String);

impl Lines {
    fn push(&mut self, instruction: Arguments<'_>) {
        let _ = writeln!(self.0, "  {instruction}");
    }

    /// A zero of 32 bits that LLVM doesn't know to be one; a scalar register's, so that what is the same for a wave stays so.
    fn opaque_zero(&mut self, names: &mut Names) -> String {
        let zero = names.next();
        self.push(format_args!("{zero} = call i32 asm \"s_mov_b32 $0, 0\", \"=s\"()"));
        zero
    }
}

/// Writes what becomes of an operation on two numbers; for a vector once an element, whose results are put together.
fn each_element(
    operation: &ir::Instruction<'_>,
    names: &mut Names,
    lines: &mut Lines,
    mut one: impl FnMut([&str; 2], &str, &mut Names, &mut Lines) -> Option<()>,
) -> Option<()> {
    let (left, right) = operation.pair()?;
    let (vector, (element, count)) = (operation.kind, ir::element(operation.kind));
    let Some(count) = count else { return one([left, right], operation.result, names, lines) };
    let mut all = "poison".to_owned();
    for at in 0..count {
        let [a, b, result] = std::array::from_fn(|_| names.next());
        lines.push(format_args!("{a} = extractelement {vector} {left}, i64 {at}"));
        lines.push(format_args!("{b} = extractelement {vector} {right}, i64 {at}"));
        one([&a, &b], &result, names, lines)?;
        let next = if at + 1 == count { operation.result.to_owned() } else { names.next() };
        lines.push(format_args!("{next} = insertelement {vector} {all}, {element} {result}, i64 {at}"));
        all = next;
    }
    Some(())
}

/// Finds a form in a line of a function.
type Rule = fn(&ir::Instruction<'_>, &Definitions<'_>, &mut Names) -> Option<Change>;

const NVIDIA: &[Rule] = &[shift::guard, selected_loads::freeze, remainder::call, wide_casts::call];
const AMD: &[Rule] = &[
    remainder::call,
    wide_casts::call,
    selected_loads::freeze,
    division::whole,
    zero_minus::keep_sign,
    byte_products::hide,
    carry::apart,
    signed_halves::hide,
    signed_halves::widen,
];

/// New local names of a module.
#[derive(Default)]
struct Names(usize);

impl Names {
    fn next(&mut self) -> String {
        self.0 += 1;
        format!("%gridwright.{}", self.0)
    }
}

/// Replaces the forms that a family's compiler gets wrong.
pub(crate) fn mend(family: Family, ir: &str) -> Mended<'_> {
    let rules = match family {
        Family::Nvidia => NVIDIA,
        Family::Amd => AMD,
    };
    let mut names = Names::default();
    let mut found = BTreeSet::new();
    let rewritten = ir::rewritten(ir, |head, body| {
        let function = ir::name(head).unwrap_or_default();
        let widened = if family == Family::Amd { latches::widen(body) } else { None };
        let widened_lines: Option<Vec<&str>> = widened.as_ref().map(|text| text.lines().collect());
        let mut is_changed = widened.is_some();
        if is_changed {
            found.insert((latches::FORM, function));
        }
        let body = widened_lines.as_deref().unwrap_or(body);
        let definitions = Definitions::read(body);
        let mut mended = String::new();
        for line in body {
            let instruction = ir::Instruction::read(line);
            let change = instruction.as_ref().and_then(|instruction| {
                rules.iter().find_map(|rule| rule(instruction, &definitions, &mut names))
            });
            match change {
                Some(change) => {
                    found.insert((change.form, function));
                    mended.push_str(&change.lines.0);
                    is_changed = true;
                }
                None => {
                    mended.push_str(line);
                    mended.push('\n');
                }
            }
        }
        is_changed.then_some(mended)
    });
    let Cow::Owned(mut mended) = rewritten else { return Mended { ir: rewritten, found } };
    // In this order: what a function's text mentions comes after it.
    for (name, text) in
        remainder::FUNCTIONS.into_iter().chain(wide_casts::FUNCTIONS).chain(division::FUNCTIONS)
    {
        let is_there = |line: &str| {
            (line.starts_with("declare ") || line.starts_with("define "))
                && line.contains(&format!("{name}("))
        };
        if mended.contains(&format!("{name}(")) && !mended.lines().any(is_there) {
            mended.push_str(text);
        }
    }
    Mended { ir: Cow::Owned(mended), found }
}
