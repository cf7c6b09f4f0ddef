//! The parts of an opcode, by what they say: in most opcodes on matrices they may stand in any order.

use super::operation::{ElementType, SumType};
use crate::parse::syntax::Type;

#[derive(Debug)]
pub(super) struct Form<'s> {
    /// Numbers of the shape: rows, columns, and products that are added up; as many as there are.
    pub(super) shape: Vec<usize>,
    /// `row` and `col`, in order.
    pub(super) layouts: Vec<&'s str>,
    pub(super) types: Vec<&'s str>,
    rest: Vec<&'s str>,
}

impl<'s> Form<'s> {
    /// None if it isn't executed by all lanes of a warp together, or says something twice.
    pub(super) fn of(parts: &[&'s str]) -> Option<Self> {
        let mut form = Self { shape: Vec::new(), layouts: Vec::new(), types: Vec::new(), rest: Vec::new() };
        for &part in parts {
            if matches!(part, "row" | "col") {
                form.layouts.push(part);
            } else if is_type(part) {
                form.types.push(part);
            } else if let Some(shape) = numbers(part) {
                if !form.shape.is_empty() {
                    return None;
                }
                form.shape = shape;
            } else if form.rest.contains(&part) {
                return None;
            } else {
                form.rest.push(part);
            }
        }
        (form.take("sync") && form.take("aligned")).then_some(form)
    }

    /// Takes a part out, if it is there.
    pub(super) fn take(&mut self, part: &str) -> bool {
        let at = self.rest.iter().position(|one| *one == part);
        at.map(|at| self.rest.remove(at)).is_some()
    }

    /// Takes one of some parts out.
    pub(super) fn take_one<T: Copy>(&mut self, parts: &[(&str, T)]) -> Option<T> {
        parts.iter().find(|(part, _)| self.take(part)).map(|(_, value)| *value)
    }

    /// Whether everything was taken.
    pub(super) fn is_done(&self) -> bool {
        self.rest.is_empty()
    }
}

fn is_type(part: &str) -> bool {
    ElementType::parse(part).is_some() || SumType::parse(part).is_some() || Type::parse(part).is_some()
}

/// The numbers of `m16n8k16` or `m8n8`.
fn numbers(part: &str) -> Option<Vec<usize>> {
    let (m, rest) = part.strip_prefix('m')?.split_once('n')?;
    let (n, k) = rest.split_once('k').map_or((rest, None), |(n, k)| (n, Some(k)));
    [Some(m), Some(n), k].into_iter().flatten().map(|number| number.parse().ok()).collect()
}
