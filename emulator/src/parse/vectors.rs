//! Vector registers, `.reg .v4 .u32 v`: where one stands for all its elements, and where `v.x` names one of them.
//!
//! Behind this a vector register is a row of registers, each of which [`Operand::Member`] names.

use super::syntax::{Body, Operand, Space, Variable};

/// The elements' names, of which the second ones are colours.
const MEMBERS: [[&str; 2]; 4] = [["x", "r"], ["y", "g"], ["z", "b"], ["w", "a"]];

/// Makes members of the names of vector registers.
pub(super) fn expand(body: &mut Body<'_>) {
    let Body { variables, instructions, parents, .. } = body;
    let is_vector = |variable: &&Variable<'_>| variable.space == Space::Register && variable.vector > 1;
    if !variables.iter().any(|variable| is_vector(&variable)) {
        return;
    }
    for instruction in instructions {
        let scopes = || {
            std::iter::successors(Some(instruction.scope), |&scope| {
                (scope != 0).then(|| parents.get(scope as usize).copied().unwrap_or(0))
            })
        };
        // The number of elements of what a name means here.
        let elements = |name: &str| -> Option<u8> {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let declared = |variable: &&Variable<'_>| match variable.family {
                None => variable.name == name,
                Some(_) => variable.name == stem && stem != name,
            };
            let found = scopes().find_map(|scope| {
                variables.iter().find(|variable| {
                    variable.scope == scope && variable.space == Space::Register && declared(variable)
                })
            })?;
            (found.vector > 1).then_some(found.vector)
        };
        for operand in &mut instruction.operands {
            expand_operand(operand, &elements);
        }
    }
}

fn expand_operand(operand: &mut Operand<'_>, elements: &impl Fn(&str) -> Option<u8>) {
    match operand {
        Operand::Vector(items)
        | Operand::VectorPair(items, _)
        | Operand::List(items)
        | Operand::Texel(_, items)
        | Operand::Sampled(_, _, items) => {
            items.iter_mut().for_each(|item| expand_operand(item, elements));
        }
        Operand::Name(name) => {
            if let Some(count) = elements(name) {
                *operand = Operand::Vector((0..count).map(|index| Operand::Member(name, index)).collect());
            } else if let Some((stem, member)) = name.rsplit_once('.')
                && let Some(count) = elements(stem)
                && let Some(index) = MEMBERS.iter().position(|names| names.contains(&member))
                && index < count.into()
            {
                *operand = Operand::Member(stem, index as u8);
            }
        }
        _ => {}
    }
}
