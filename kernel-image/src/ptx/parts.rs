//! What each kernel of a module needs of its text: the kernel, the functions and variables that it names, and what these name.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::tokens::{Token, tokens};
use super::{is_name, malformed};
use crate::ImageError;

/// A directive, a function or a variable of a module.
#[derive(Debug, Default)]
struct Item<'t> {
    /// The item's name; none of a directive, which every kernel needs.
    name: Option<&'t str>,
    is_entry: bool,
    /// Where the item stands, with what follows on its line.
    place: Range<usize>,
    /// Words of the item, among them the names that it refers to.
    words: Vec<&'t str>,
}

/// The parts of a text that each of its kernels needs, by the kernel's name. In their order they are a module with that kernel alone:
/// with the functions and variables that it refers to, however indirectly, and no others.
///
/// A module with something else than the usual directives, functions and variables isn't taken apart: each kernel needs
/// all of it.
///
/// ```
/// let text = "\
/// .version 8.3
/// .target sm_80
/// .global .u32 table[2] = {7, 8};
/// .entry a() { ret; }
/// .entry b() { ld.global.u32 %r1, [table]; ret; }
/// ";
/// let parts = gridwright_image::ptx::parts(text)?;
/// let of_a: String = parts["a"].iter().map(|part| &text[part.clone()]).collect();
/// assert_eq!(of_a, ".version 8.3\n.target sm_80\n.entry a() { ret; }\n");
/// assert_eq!(parts["b"].len(), 2);
/// # Ok::<(), gridwright_image::ImageError>(())
/// ```
///
/// # Errors
/// [`ImageError::Malformed`]: text that ends within a declaration.
pub fn parts(text: &str) -> Result<BTreeMap<&str, Vec<Range<usize>>>, ImageError> {
    let Some(items) = items(text)? else { return whole(text) };
    let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, item) in items.iter().enumerate() {
        by_name.entry(item.name.unwrap_or_default()).or_default().push(number);
    }
    let named = |word: &str| by_name.get(word).map(Vec::as_slice).unwrap_or_default();
    let entries = items.iter().filter(|item| item.is_entry).filter_map(|item| item.name);
    let needed = |entry| {
        let mut needed: BTreeSet<usize> = named("").iter().copied().collect();
        let mut to_visit: Vec<usize> = named(entry).to_vec();
        while let Some(number) = to_visit.pop() {
            if needed.insert(number) {
                to_visit.extend(items[number].words.iter().flat_map(|word| named(word)));
            }
        }
        let mut parts: Vec<Range<usize>> = Vec::new();
        let mut last = None;
        for number in needed {
            let place = items[number].place.clone();
            match parts.last_mut() {
                // Only comments are between items that follow each other.
                Some(part) if last.is_some_and(|last| last + 1 == number) => part.end = place.end,
                _ => parts.push(place),
            }
            last = Some(number);
        }
        (entry, parts)
    };
    Ok(entries.map(needed).collect())
}

/// The whole text for each kernel.
#[expect(clippy::single_range_in_vec_init, reason = "the text is one part")]
fn whole(text: &str) -> Result<BTreeMap<&str, Vec<Range<usize>>>, ImageError> {
    let entries = super::Module::read(text)?.entries.into_iter();
    Ok(entries.map(|entry| (entry.name, vec![0..text.len()])).collect())
}

/// The items of a text in their order; none where something else is among them.
fn items(text: &str) -> Result<Option<Vec<Item<'_>>>, ImageError> {
    let tokens = tokens(text);
    let mut items: Vec<Item<'_>> = Vec::new();
    let mut at = 0;
    while let Some(first) = tokens.get(at) {
        let linked = tokens[at..].iter().take_while(|token| is_linkage(token.text)).count();
        let rest = tokens.get(at + linked..).unwrap_or_default();
        let (mut item, length) = match rest.first().map(|token| token.text) {
            Some(".version" | ".target" | ".address_size" | ".file") if linked == 0 => directive(rest),
            Some(kind @ (".entry" | ".func" | ".global" | ".const" | ".shared")) => {
                let Some((item, length)) = declared(kind, rest)? else { return Ok(None) };
                (item, length)
            }
            _ => return Ok(None),
        };
        at += linked + length;
        let last = tokens.get(at - 1).map_or(first.at, Token::end);
        let line_end = text[last..].find('\n').map_or(text.len(), |end| last + end + 1);
        let end = tokens.get(at).map_or(line_end, |next| line_end.min(next.at));
        item.place = first.at..end;
        items.push(item);
    }
    Ok(Some(items))
}

fn is_linkage(word: &str) -> bool {
    matches!(word, ".visible" | ".weak" | ".common" | ".extern")
}

/// A directive that tokens begin with, and its length: to the next.
fn directive<'t>(tokens: &[Token<'t>]) -> (Item<'t>, usize) {
    let words = tokens.iter().skip(1).take_while(|token| !token.text.starts_with('.')).count();
    (Item::default(), 1 + words)
}

/// A function or variable that tokens begin with, and its length: to the `}` of its body or to its `;`. None for variables that are
/// declared together.
fn declared<'t>(kind: &str, tokens: &[Token<'t>]) -> Result<Option<(Item<'t>, usize)>, ImageError> {
    let has_body = matches!(kind, ".entry" | ".func");
    let mut item = Item { is_entry: kind == ".entry", ..Item::default() };
    let (mut depth, mut in_body) = (0_usize, false);
    for (number, token) in tokens.iter().enumerate().skip(1) {
        let mut is_end = false;
        match token.text {
            "{" if has_body && depth == 0 => {
                depth = 1;
                in_body = true;
            }
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth = depth.saturating_sub(1);
                is_end = in_body && depth == 0;
            }
            ";" => is_end = depth == 0,
            "," if depth == 0 && !has_body && item.name.is_some() => return Ok(None),
            word if depth == 0 && item.name.is_none() && is_name(word) => item.name = Some(word),
            word if is_name(word) => item.words.push(word),
            _ => {}
        }
        if is_end {
            return if item.name.is_some() {
                Ok(Some((item, number + 1)))
            } else {
                Err(malformed(format!("a `{kind}` has no name")))
            };
        }
    }
    Err(malformed(format!("a `{kind}` has no end")))
}
