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
    /// Whether warps execute the line at least half as often as the one that they execute most, and more often than the kernel's
    /// first: in a loop.
    pub is_hot: bool,
}

/// The lines of a kernel, and of those functions of its image of which any were executed, with what they cost. Each function follows as
/// a part of its own.
///
/// ```
/// use gridwright_image::executed::{Counts, LineCounts, listing};
///
/// let ptx = ".version 8.3\n.target sm_80\n.visible .entry k()\n{ L:\n\tbra L;\n}\n";
/// let counts = |warp_instructions| Counts { warp_instructions, ..Counts::default() };
/// let parts = listing(ptx, "k", &LineCounts::from([(4, counts(1)), (5, counts(8))]))?;
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
    let warps_of = |counts: &Counts| counts.warp_instructions;
    let most = lines.values().map(warps_of).max().unwrap_or(0);
    let first_line = line_at(ptx, entry.place.start);
    let once = lines.range(first_line..).next().map_or(0, |(_, counts)| counts.warp_instructions);
    let part = |place: Range<usize>| -> Vec<ListedLine<'t>> {
        let before = ptx.get(..place.start).unwrap_or_default();
        // What stands before the place on its first line, such as an indent, belongs to it.
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let first = line_at(ptx, place.start);
        let text = ptx.get(start..place.end).unwrap_or_default();
        let listed = |(text, number): (&'t str, u32)| {
            let counts = lines.get(&number).copied();
            let warps = counts.as_ref().map_or(0, warps_of);
            let is_hot = warps >= most.div_ceil(2) && warps > once;
            ListedLine { number, text, counts, is_hot }
        };
        text.lines().zip(first..).map(listed).collect()
    };
    let was_executed = |part: &Vec<ListedLine<'_>>| part.iter().any(|line| line.counts.is_some());
    let functions = module.functions.into_iter().map(|function| part(function.place)).filter(was_executed);
    Ok(std::iter::once(part(entry.place.clone())).chain(functions).collect())
}

/// The number of the line that a byte is in.
fn line_at(text: &str, byte: usize) -> u32 {
    text.bytes().take(byte).filter(|&byte| byte == b'\n').count() as u32 + 1
}
