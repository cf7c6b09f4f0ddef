//! A function's blocks, read from its text.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A block: its name, and its lines without that.
#[derive(Clone, Debug)]
pub(super) struct Block<'t> {
    pub(super) name: Cow<'t, str>,
    pub(super) lines: Vec<Cow<'t, str>>,
}

/// A value that a block chooses by the one that it is entered from.
pub(super) struct Phi<'t> {
    pub(super) result: &'t str,
    pub(super) kind: &'t str,
    /// Values with the blocks that they come from.
    pub(super) values: Vec<(&'t str, &'t str)>,
}

impl<'t> Phi<'t> {
    pub(super) fn read(line: &'t str) -> Option<Self> {
        let (result, phi) = line.strip_prefix("  ")?.split_once(" = phi ")?;
        let (kind, values) = phi.split_once(" [ ")?;
        let values = values.split(" ]").filter_map(|pair| {
            let pair = pair.trim_start_matches(", ").trim_start_matches("[ ");
            pair.rsplit_once(", %")
        });
        Some(Self { result, kind, values: values.collect() })
    }
}

/// A line that chooses a value.
pub(super) fn phi<'v>(result: &str, kind: &str, values: impl Iterator<Item = (&'v str, &'v str)>) -> String {
    let values: Vec<String> = values.map(|(value, from)| format!("[ {value}, %{from} ]")).collect();
    format!("  {result} = phi {kind} {}", values.join(", "))
}

/// The blocks of a function's body; `None` where a name is in quotes, or the first block has none.
pub(super) fn read<'t>(body: &[&'t str]) -> Option<Vec<Block<'t>>> {
    let mut blocks: Vec<Block<'t>> = Vec::new();
    for line in body {
        if line.starts_with(' ') || line.is_empty() {
            blocks.last_mut()?.lines.push(Cow::Borrowed(line));
        } else {
            let (name, _) = line.split_once(':').filter(|(name, _)| !name.starts_with('"'))?;
            blocks.push(Block { name: Cow::Borrowed(name), lines: Vec::new() });
        }
    }
    Some(blocks)
}

impl Block<'_> {
    /// Where a block goes on.
    pub(super) fn successors(&self) -> impl Iterator<Item = &str> {
        let is_end = |line: &&Cow<'_, str>| line.contains("label %");
        let lines = self.lines.iter().filter(is_end);
        lines
            .flat_map(|line| line.split("label %").skip(1))
            .filter_map(|after| after.split([',', ' ']).next())
    }

    /// Goes to another block instead of one.
    pub(super) fn redirect(&mut self, from: &str, to: &str) {
        let old = format!("label %{from}");
        for line in &mut self.lines {
            let mut text = String::new();
            let mut rest: &str = line;
            let mut is_changed = false;
            while let Some((before, after)) = rest.split_once(&old) {
                let is_whole = after.chars().next().is_none_or(|next| matches!(next, ',' | ' '));
                text.push_str(before);
                if is_whole {
                    text.push_str("label %");
                    text.push_str(to);
                } else {
                    text.push_str(&old);
                }
                is_changed |= is_whole;
                rest = after;
            }
            if is_changed {
                text.push_str(rest);
                *line = Cow::Owned(text);
            }
        }
    }

    /// What the block chooses at its start.
    pub(super) fn phis(&self) -> impl Iterator<Item = Phi<'_>> {
        self.lines.iter().map_while(|line| Phi::read(line))
    }
}

/// The blocks that go to one.
pub(super) fn before(blocks: &[Block<'_>], name: &str) -> BTreeSet<String> {
    let goes = |block: &&Block<'_>| block.successors().any(|next| next == name);
    blocks.iter().filter(goes).map(|block| block.name.to_string()).collect()
}

/// The blocks that are reached without one.
pub(super) fn reached_without(blocks: &[Block<'_>], name: &str) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut waiting: Vec<&str> = blocks.first().map(|block| &*block.name).into_iter().collect();
    while let Some(next) = waiting.pop() {
        if next != name && reached.insert(next.to_owned()) {
            let block = blocks.iter().find(|block| block.name == next);
            waiting.extend(block.into_iter().flat_map(Block::successors));
        }
    }
    reached
}

/// How many loops are within each other at most.
pub(super) fn deepest(blocks: &[Block<'_>]) -> usize {
    let mut depths: BTreeMap<String, usize> = BTreeMap::new();
    for head in blocks {
        let outside = reached_without(blocks, &head.name);
        let mut waiting: Vec<String> =
            before(blocks, &head.name).into_iter().filter(|turn| !outside.contains(turn)).collect();
        if waiting.is_empty() {
            continue;
        }
        let mut inside = BTreeSet::from([head.name.to_string()]);
        while let Some(block) = waiting.pop() {
            if inside.insert(block.clone()) {
                waiting.extend(before(blocks, &block));
            }
        }
        inside.into_iter().for_each(|block| *depths.entry(block).or_default() += 1);
    }
    depths.into_values().max().unwrap_or(0)
}
