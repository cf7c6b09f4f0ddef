//! What LLVM leaves undone in PTX and ptxas can't know: four small passes over the bodies of functions. And barriers in IR for
//! AMD, which nothing reads that knows them.
//!
//! Text that isn't understood stays as it is, and counts as the worst that it could be.

mod addresses;
mod barriers;
mod body;
mod endings;
mod ir_barriers;
mod products;
mod registers;

#[cfg(test)]
mod tests;
mod touched;

use body::Body;
pub(crate) use ir_barriers::remove as without_idle_barriers;

/// The PTX with fewer instructions.
pub(crate) fn optimise(ptx: &str) -> String {
    let mut lines: Vec<&str> = ptx.split_inclusive('\n').collect();
    let mut changes: Vec<(usize, String)> = Vec::new();
    for body in body::find(&lines) {
        products::narrow(&body, &mut changes);
        addresses::join(&body, &mut changes);
        if body.is_entry {
            barriers::remove(&body, &mut changes);
        }
    }
    endings::forget(&lines, &mut changes);
    for (line, text) in &changes {
        lines[*line] = text;
    }
    lines.concat()
}

/// A line of its own instead of the one that a statement stands in.
fn replaced(body: &Body<'_>, statement: usize, text: String, changes: &mut Vec<(usize, String)>) {
    if let Some(line) = body.statements[statement].line {
        changes.push((line, text));
    }
}
