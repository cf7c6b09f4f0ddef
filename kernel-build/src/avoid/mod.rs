//! Stage *avoid*: PTX in forms that each release of ptxas compiles right.
//!
//! The driver compiles PTX with its own copy of ptxas, so what a release gets wrong can't be mended by another flag of ours. Each file
//! here knows one form of [`ptxas::FAULTS`](gridwright_image::ptxas::FAULTS), finds the statements that it consists of, and writes
//! others with the same result. What a text means doesn't change where a form isn't what it looks like: each rewriting is right by
//! itself, whatever stands around it. So text that isn't understood is no danger, and a register that is set in several places counts
//! as the worst that is set there.
//!
//! Text without the forms stays byte for byte as it is.

mod clamps;
mod constants;
mod function;
mod halves;
mod maxima;
mod rotations;
mod saturations;
mod shifts;

#[cfg(test)]
mod tests;

use std::ops::Range;

use function::{Function, Statement};

/// The PTX without the forms that ptxas is known to compile wrong.
pub(crate) fn avoid(ptx: &str) -> String {
    let mut changes = Changes::default();
    for function in function::find(ptx) {
        constants::avoid(&function, &mut changes);
        rotations::avoid(&function, &mut changes);
        halves::avoid(&function, &mut changes);
        maxima::avoid(&function, &mut changes);
        shifts::avoid(&function, &mut changes);
        saturations::avoid(&function, &mut changes);
        clamps::avoid(&function, &mut changes);
    }
    changes.made_in(ptx)
}

/// Statements and what comes in their place.
#[derive(Debug, Default)]
struct Changes(Vec<(Range<usize>, String)>);

impl Changes {
    /// Puts statements in the place of one, in a scope of their own. The last of them has its predicate: the others set registers of
    /// that scope only, whose names begin with `%avoid_`, so that they hide no others.
    fn replace(&mut self, statement: &Statement<'_>, before: &str, last: &str) {
        let predicate = statement.predicate;
        let space = if predicate.is_empty() { "" } else { " " };
        self.0.push((statement.at.clone(), format!("{{ {before}{predicate}{space}{last} }}")));
    }

    /// The text with all changes.
    fn made_in(mut self, text: &str) -> String {
        self.0.sort_by_key(|(at, _)| at.start);
        let mut changed = String::with_capacity(text.len());
        let mut end = 0;
        for (at, statements) in &self.0 {
            changed.push_str(text.get(end..at.start).unwrap_or_default());
            changed.push_str(statements);
            end = at.end;
        }
        changed.push_str(text.get(end..).unwrap_or_default());
        changed
    }
}
