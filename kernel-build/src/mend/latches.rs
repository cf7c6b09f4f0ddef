//! Loops on AMD that two blocks end, of which one goes on or leaves by a bit that was gathered on the way.
//!
//! The block that both share, without code of its own, is merged away before instructions are selected. Then there are two loops, one in
//! the other, and of a lane that leaves the inner one before others of its wave LLVM 22 loses the bit. As a number of 32 bits, which has
//! a register of each lane's own, it is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The form, in a user's words.
pub(super) const FORM: &str =
    "a loop that goes on from two places, from one of them by a bit that is gathered on the way";

/// What is added to the name of a bit for the number that stands for it.
const WIDE: &str = ".gridwright.wide";

/// How far a condition is followed.
const DEPTH: usize = 8;

/// A block of a function's body: its name, and its lines.
struct Block<'t> {
    name: &'t str,
    lines: &'t [&'t str],
}

/// The body with the bits of such loops as numbers; `None` if it has none.
pub(super) fn widen(body: &[&str]) -> Option<String> {
    let blocks = blocks(body);
    let positions: BTreeMap<&str, usize> =
        blocks.iter().enumerate().map(|(at, block)| (block.name, at)).collect();
    let ends: BTreeSet<&str> =
        blocks.iter().filter(|block| is_shared_end(block, &positions)).map(|block| block.name).collect();
    if ends.is_empty() {
        return None;
    }
    let definitions: BTreeMap<&str, usize> =
        body.iter().enumerate().filter_map(|(at, line)| Some((result(line)?, at))).collect();
    let is_phi = |name: &str| definitions.get(name).is_some_and(|&at| incoming(body[at]).is_some());
    // Bits by which a branch goes to the shared end of a loop.
    let mut waiting = Vec::new();
    for block in &blocks {
        let last = block.lines.iter().rfind(|line| !line.trim().is_empty())?;
        if let Some((condition, targets)) = conditional(last)
            && targets.iter().any(|target| ends.contains(target))
        {
            waiting.extend(gathered(condition, body, &definitions, DEPTH));
        }
    }
    let mut widened = BTreeSet::new();
    let mut sources = BTreeSet::new();
    while let Some(name) = waiting.pop() {
        if !widened.insert(name) {
            continue;
        }
        for (value, _) in incoming(body[definitions[name]])? {
            match value {
                value if !value.starts_with('%') => {}
                value if is_phi(value) => waiting.push(value),
                // An argument, or what has no line of its own.
                value if !definitions.contains_key(value) => return None,
                value => _ = sources.insert(value),
            }
        }
    }
    (!widened.is_empty()).then(|| written(&blocks, &widened, &sources))
}

fn written(blocks: &[Block<'_>], widened: &BTreeSet<&str>, sources: &BTreeSet<&str>) -> String {
    let mut text = String::new();
    for block in blocks {
        // Phis come first in a block, and what is made of them behind all.
        let mut made = String::new();
        for (at, line) in block.lines.iter().enumerate() {
            let phi = incoming(line);
            if at > 0 && !line.contains(" = phi ") {
                text.push_str(&std::mem::take(&mut made));
            }
            match (result(line), phi) {
                (Some(name), Some(values)) if widened.contains(name) => {
                    let values: Vec<_> =
                        values.iter().map(|(value, from)| format!("[ {}, {from} ]", wide(value))).collect();
                    let _ = writeln!(text, "  {name}{WIDE} = phi i32 {}", values.join(", "));
                    let _ = writeln!(made, "  {name} = icmp ne i32 {name}{WIDE}, 0");
                }
                (Some(name), _) => {
                    let _ = writeln!(text, "{line}");
                    if sources.contains(name) {
                        let _ = writeln!(text, "  {name}{WIDE} = zext i1 {name} to i32");
                    }
                }
                (None, _) => {
                    let _ = writeln!(text, "{line}");
                }
            }
        }
    }
    text
}

/// The phis of bits that a condition is made of.
fn gathered<'t>(
    condition: &'t str,
    body: &[&'t str],
    definitions: &BTreeMap<&'t str, usize>,
    depth: usize,
) -> Vec<&'t str> {
    let Some(line) = definitions.get(condition).map(|&at| body[at]) else { return Vec::new() };
    if incoming(line).is_some() {
        return vec![condition];
    }
    let (Some((_, instruction)), Some(depth)) = (line.split_once(" = "), depth.checked_sub(1)) else {
        return Vec::new();
    };
    let is_of_bits = ["xor i1 ", "and i1 ", "or i1 ", "or disjoint i1 ", "select i1 ", "freeze i1 "];
    if !is_of_bits.iter().any(|start| instruction.starts_with(start)) {
        return Vec::new();
    }
    let operands = instruction.split([' ', ',']).filter(|word| word.starts_with('%'));
    operands.flat_map(|operand| gathered(operand, body, definitions, depth)).collect()
}

/// What stands for a bit.
fn wide(value: &str) -> String {
    match value {
        "true" => "1".to_owned(),
        "false" => "0".to_owned(),
        name if name.starts_with('%') => format!("{name}{WIDE}"),
        other => other.to_owned(),
    }
}

/// Takes a body apart. Its first block is named in a line too.
fn blocks<'t>(body: &'t [&'t str]) -> Vec<Block<'t>> {
    let label = |line: &'t str| {
        let (name, rest) = line.split_once(':')?;
        let is_label = !name.is_empty()
            && !name.starts_with([' ', ';', '"'])
            && (rest.is_empty() || rest.starts_with(' '));
        is_label.then_some(name)
    };
    let starts: Vec<(usize, &str)> =
        body.iter().enumerate().filter_map(|(at, &line)| Some((at, label(line)?))).collect();
    let ends = starts.iter().skip(1).map(|&(at, _)| at).chain([body.len()]);
    let block = |((first, name), end): ((usize, &'t str), usize)| Block { name, lines: &body[first..end] };
    // What stands before a first label would be lost.
    if starts.first().is_none_or(|&(first, _)| first > 0) {
        return Vec::new();
    }
    starts.iter().copied().zip(ends).map(block).collect()
}

/// Whether a block has no code of its own, and goes back to one that stands before it.
fn is_shared_end(block: &Block<'_>, positions: &BTreeMap<&str, usize>) -> bool {
    let code = |line: &&&str| !line.trim().is_empty() && !line.contains(" = phi ");
    let mut lines = block.lines.iter().skip(1).filter(code);
    let (Some(last), None) = (lines.next(), lines.next()) else { return false };
    let Some(target) = last.trim_start().strip_prefix("br label %") else { return false };
    let target = target.split([',', ' ']).next().unwrap_or_default();
    positions.get(target).zip(positions.get(block.name)).is_some_and(|(head, own)| head < own)
        && block.lines.first().is_some_and(|line| line.contains(", %"))
}

/// The name before ` = ` in a line.
fn result(line: &str) -> Option<&str> {
    let (name, _) = line.strip_prefix("  ")?.split_once(" = ")?;
    (name.starts_with('%') && !name.contains('"')).then_some(name)
}

/// The values of a phi of bits, with the blocks that they come from.
fn incoming(line: &str) -> Option<Vec<(&str, &str)>> {
    let (_, values) = line.split_once(" = phi i1 ")?;
    let pairs = values.split("[ ").skip(1).map(|pair| pair.split_once(" ]")?.0.split_once(", "));
    pairs.collect()
}

/// The condition of a branch, and the two blocks that it goes to.
fn conditional(line: &str) -> Option<(&str, [&str; 2])> {
    let (condition, targets) = line.trim_start().strip_prefix("br i1 ")?.split_once(", label %")?;
    let (one, other) = targets.split_once(", label %")?;
    Some((condition, [one, other.split([',', ' ']).next()?]))
}

#[cfg(test)]
mod tests {
    use super::widen;

    const LOOP: &str = "start:
  %c = icmp eq i32 %n, 0
  br label %head

head:                                             ; preds = %end, %start
  br i1 %c, label %one, label %two

one:                                              ; preds = %head
  br label %two

two:                                              ; preds = %one, %head
  %bit = phi i1 [ true, %one ], [ %c, %head ]
  %other = phi i32 [ 1, %one ], [ 2, %head ]
  br i1 %d, label %three, label %end

three:                                            ; preds = %two
  br i1 %bit, label %end, label %out

end:                                              ; preds = %three, %two
  br label %head

out:                                              ; preds = %three
  ret void
";

    fn widened(text: &str) -> Option<String> {
        widen(&text.lines().collect::<Vec<_>>())
    }

    #[test]
    fn a_bit_by_which_a_loop_of_two_ends_goes_on_is_a_number() {
        let text = widened(LOOP).unwrap();
        assert!(
            text.contains("  %c = icmp eq i32 %n, 0\n  %c.gridwright.wide = zext i1 %c to i32\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "  %bit.gridwright.wide = phi i32 [ 1, %one ], [ %c.gridwright.wide, %head ]\n  %other = phi"
            ),
            "{text}"
        );
        assert!(
            text.contains("[ 2, %head ]\n  %bit = icmp ne i32 %bit.gridwright.wide, 0\n  br i1 %d"),
            "{text}"
        );
    }

    #[test]
    fn a_bit_that_is_part_of_the_condition_is_a_number_too() {
        let text = LOOP.replace("  br i1 %bit, label %end", "  %not = xor i1 %bit, true\n  %both = select i1 %d, i1 %not, i1 false\n  br i1 %both, label %end");
        let text = widened(&text).unwrap();
        assert!(
            text.contains("%bit.gridwright.wide = phi i32") && text.contains("  br i1 %both, label %end"),
            "{text}"
        );
    }

    #[test]
    fn other_loops_stay_as_they_are() {
        let with = |from: &str, to: &str| widened(&LOOP.replace(from, to));
        assert_eq!(
            with("  br label %head\n\nout", "  store i32 1, ptr %p\n  br label %head\n\nout"),
            None,
            "its end has code"
        );
        assert_eq!(
            with("; preds = %three, %two\n  br label %head", "; preds = %three\n  br label %head"),
            None,
            "one end"
        );
        assert_eq!(with("br i1 %bit, label %end", "br i1 %c, label %end"), None, "no gathered bit");
        assert_eq!(with("  br label %head\n\nout", "  br label %out\n\nout"), None, "no loop");
        assert_eq!(with("[ %c, %head ]", "[ %argument, %head ]"), None, "a bit without a line");
        for end in (0..LOOP.len()).step_by(7) {
            let _ = widened(&LOOP[..end]);
        }
    }
}
