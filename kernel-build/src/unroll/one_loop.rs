//! Two loops, one in the other, that go over one array: `for x in array.into_iter().filter(…)`, whose inner loop looks for the next. As
//! one loop they have turns that are known.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::blocks::{self, Block, Phi, before, phi, reached_without};
use crate::ir;

/// The IR with such loops of the named functions in one.
pub(super) fn in_one<'t>(ir: &'t str, names: &[String]) -> Cow<'t, str> {
    ir::rewritten(ir, |head, body| {
        if !names.iter().any(|name| ir::name(head) == Some(name)) {
            return None;
        }
        let mut text = String::new();
        for block in merged(body)? {
            text.push_str(&format!("{}:\n", block.name));
            block.lines.iter().for_each(|line| text.push_str(&format!("{line}\n")));
        }
        Some(text)
    })
}

/// The lines that a function has at most when so many turns of each of its loops stand before it, its loops being in one.
pub(super) fn lines_with_turns(ir: &str, name: &str, turns: usize) -> usize {
    let Some(body) = ir::body(ir, name) else { return 0 };
    let depth = merged(&body).map_or(0, |blocks| blocks::deepest(&blocks));
    let times = u32::try_from(depth).ok().and_then(|depth| turns.checked_pow(depth));
    times.and_then(|times| times.checked_mul(body.len())).unwrap_or(usize::MAX)
}

/// A function's blocks with such loops in one.
fn merged<'t>(body: &[&'t str]) -> Option<Vec<Block<'t>>> {
    let mut blocks = blocks::read(body)?;
    while enter_at_once(&mut blocks) {}
    end_together(&mut blocks);
    Some(blocks)
}

/// The other block that a block goes to, if it chooses values and does no more.
fn begins<'b>(block: &'b Block<'_>) -> Option<&'b str> {
    let phis = block.phis().count();
    let mut code = block.lines.iter().skip(phis).filter(|line| !line.is_empty());
    let (last, None) = (code.next()?, code.next()) else { return None };
    let next = block.successors().next()?;
    (phis > 0 && last.starts_with("  br label %") && next != block.name).then_some(next)
}

/// Takes out one block that begins an outer loop, and does nothing but begin the inner one: what it chooses, the inner one's first block
/// chooses. Says whether there was one.
fn enter_at_once(blocks: &mut Vec<Block<'_>>) -> bool {
    for at in 1..blocks.len() {
        let Some(inner) = begins(&blocks[at]).map(str::to_owned) else { continue };
        let outer = blocks[at].name.to_string();
        let entered_from = before(blocks, &outer);
        let mut turns = before(blocks, &inner);
        turns.remove(&outer);
        let is_loop = !turns.is_empty() && turns.is_disjoint(&reached_without(blocks, &inner));
        let is_outer_loop = !entered_from.is_subset(&reached_without(blocks, &outer));
        if !is_loop || !is_outer_loop || !turns.is_disjoint(&entered_from) {
            continue;
        }
        let Some(head) = blocks.iter().position(|block| block.name == inner) else { continue };
        let chosen: Vec<Phi<'_>> = blocks[at].phis().collect();
        let mut lines: Vec<Cow<'_, str>> = Vec::new();
        for outer in &chosen {
            // From turn to turn of the inner loop it stays what it was.
            let kept = turns.iter().map(|turn| (outer.result, turn.as_str()));
            lines.push(phi(outer.result, outer.kind, outer.values.iter().copied().chain(kept)).into());
        }
        for line in &blocks[head].lines {
            let Some(inner) = Phi::read(line) else {
                lines.push(line.clone());
                continue;
            };
            let values = inner.values.iter().flat_map(|&(value, from)| {
                let of_outer = chosen.iter().find(|outer| outer.result == value);
                match (from == outer, of_outer) {
                    (false, _) => vec![(value, from)],
                    (true, Some(outer)) => outer.values.clone(),
                    (true, None) => chosen[0].values.iter().map(|&(_, from)| (value, from)).collect(),
                }
            });
            lines.push(phi(inner.result, inner.kind, values).into());
        }
        let lines: Vec<Cow<'_, str>> = lines.into_iter().map(|line| Cow::Owned(line.into_owned())).collect();
        blocks[head].lines = lines;
        for block in blocks.iter_mut().filter(|block| entered_from.contains(&*block.name)) {
            block.redirect(&outer, &inner);
        }
        blocks.remove(at);
        return true;
    }
    false
}

/// Gives each loop that goes on from several places one block that it goes on from, so that LLVM doesn't take it for two loops.
fn end_together(blocks: &mut Vec<Block<'_>>) {
    let names: Vec<String> = blocks.iter().map(|block| block.name.to_string()).collect();
    for (number, name) in names.iter().enumerate() {
        let from = before(blocks, name);
        // One from outside, and two that go on.
        if from.len() < 3 {
            continue;
        }
        let outside = reached_without(blocks, name);
        let turns: BTreeSet<&String> = from.difference(&outside).collect();
        if turns.len() < 2 {
            continue;
        }
        let Some(head) = blocks.iter().position(|block| block.name == *name) else { continue };
        let end = format!("gridwright.end.{number}");
        let (mut lines, mut ends): (Vec<Cow<'_, str>>, Vec<Cow<'_, str>>) = (Vec::new(), Vec::new());
        for line in &blocks[head].lines {
            let Some(old) = Phi::read(line) else {
                lines.push(line.clone());
                continue;
            };
            let is_turn = |(_, from): &(&str, &str)| turns.iter().any(|turn| turn.as_str() == *from);
            let result = format!("%{end}.{}", ends.len());
            let (turning, entering): (Vec<_>, Vec<_>) = old.values.into_iter().partition(is_turn);
            ends.push(phi(&result, old.kind, turning.into_iter()).into());
            let chosen =
                phi(old.result, old.kind, entering.into_iter().chain([(result.as_str(), end.as_str())]));
            lines.push(chosen.into());
        }
        ends.push(format!("  br label %{name}").into());
        blocks[head].lines = lines;
        for block in blocks.iter_mut().filter(|block| turns.iter().any(|turn| **turn == *block.name)) {
            block.redirect(name, &end);
        }
        blocks.push(Block { name: end.into(), lines: ends });
    }
}
