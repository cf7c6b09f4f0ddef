//! A kernel's PTX with counts beside its lines.

use std::ops::Range;

use super::{Counts, LineCounts};
use crate::ImageError;
use crate::ptx::Module;

/// A line of a kernel, or of a function that it called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedLine<'t> {
    /// The line's number in the PTX; the first is 1.
    pub number: u32,
    /// The line as it stands in the PTX.
    pub text: &'t str,
    /// What the line cost; `None` where nothing of it was executed.
    pub counts: Option<Counts>,
    /// Whether the line is executed at least half as often, by warps, as the one that is executed most.
    pub is_hot: bool,
}

/// The lines of a kernel, and of those functions of its image of which any were executed, with what they cost. Each function follows as
/// a part of its own.
///
/// ```
/// use gridwright_image::executed::{Counts, LineCounts, listing};
///
/// let ptx = ".version 8.3\n.target sm_80\n.visible .entry k()\n{\n\tret;\n}\n";
/// let counts = Counts { warp_instructions: 8, ..Counts::default() };
/// let parts = listing(ptx, "k", &LineCounts::from([(5, counts)]))?;
/// let numbers: Vec<_> = parts[0].iter().map(|line| (line.number, line.is_hot)).collect();
/// assert_eq!(numbers, [(3, false), (4, false), (5, true), (6, false)]);
/// # Ok::<(), gridwright_image::ImageError>(())
/// ```
///
/// # Errors
/// PTX that can't be read, or has no such kernel.
pub fn listing<'t>(
    ptx: &'t str,
    kernel: &str,
    lines: &LineCounts,
) -> Result<Vec<Vec<ListedLine<'t>>>, ImageError> {
    let module = Module::read(ptx)?;
    let entry = module.entries.iter().find(|entry| entry.name == kernel);
    let entry = entry
        .ok_or_else(|| ImageError::malformed(crate::Format::Ptx, format!("it has no kernel `{kernel}`")))?;
    let most = lines.values().map(|counts| counts.warp_instructions).max().unwrap_or(0);
    let part = |place: Range<usize>| -> Vec<ListedLine<'t>> {
        let before = ptx.get(..place.start).unwrap_or_default();
        // What stands before the place on its first line, such as an indent, belongs to it.
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let first = before.matches('\n').count() as u32 + 1;
        let text = ptx.get(start..place.end).unwrap_or_default();
        let listed = |(text, number): (&'t str, u32)| {
            let counts = lines.get(&number).copied();
            let is_hot = counts.is_some_and(|counts| counts.warp_instructions >= most.div_ceil(2));
            ListedLine { number, text, counts, is_hot }
        };
        text.lines().zip(first..).map(listed).collect()
    };
    let was_executed = |part: &Vec<ListedLine<'_>>| part.iter().any(|line| line.counts.is_some());
    let functions = module.functions.into_iter().map(|function| part(function.place)).filter(was_executed);
    Ok(std::iter::once(part(entry.place.clone())).chain(functions).collect())
}
