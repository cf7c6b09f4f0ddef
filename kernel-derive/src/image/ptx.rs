//! PTX text, as far as its entries' declarations go.

use super::{Entry, Image, Kind};

/// Reads a module; nothing if it isn't one.
pub(super) fn read(text: &str) -> Option<Image> {
    let text = without_comments(text);
    let mut words = text.split_whitespace();
    words.by_ref().find(|&word| word == ".version")?;
    words.by_ref().find(|&word| word == ".target")?;
    let architecture = words.next()?.trim_end_matches(',').to_owned();
    let mut entries = Vec::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find(".entry") {
        rest = &rest[at + ".entry".len()..];
        // A longer word isn't a directive.
        if !rest.starts_with(char::is_whitespace) {
            continue;
        }
        let end = rest.find(['(', '{', ';'])?;
        let head = rest[..end].split_whitespace().next()?;
        let mut sizes = Vec::new();
        if rest[end..].starts_with('(') {
            let list = &rest[end + 1..];
            let list = &list[..list.find(')')?];
            for declaration in list.split(',').filter(|declaration| !declaration.trim().is_empty()) {
                sizes.push(size(declaration)?);
            }
        }
        entries.push(Entry { name: head.to_owned(), sizes });
    }
    Some(Image { kind: Kind::Ptx, architecture, entries })
}

/// The bytes of `.param .align 8 .b8 name[24]` or `.param .u64 .ptr .global .align 4 name`.
fn size(declaration: &str) -> Option<u64> {
    let bits = |word: &str| match word.strip_prefix(['b', 'u', 's', 'f']) {
        Some(bits @ ("8" | "16" | "32" | "64" | "128")) => bits.parse::<u64>().ok(),
        _ => None,
    };
    // The type comes before the name, which may look like one.
    let mut words = declaration.split(|c: char| c == '.' || c.is_whitespace());
    let element = words.find_map(bits)? / 8;
    match declaration.split_once('[') {
        None => Some(element),
        Some((_, count)) => {
            count.trim_end().strip_suffix(']')?.trim().parse::<u64>().ok()?.checked_mul(element)
        }
    }
}

/// The same with a space in place of each comment, and without what stands between quotes.
fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['/', '"']) {
        plain.push_str(&rest[..at]);
        let found = &rest[at..];
        let (skipped, end) = if found.starts_with("//") {
            (2, "\n")
        } else if found.starts_with("/*") {
            (2, "*/")
        } else if found.starts_with('"') {
            (1, "\"")
        } else {
            plain.push('/');
            rest = &found[1..];
            continue;
        };
        plain.push(' ');
        let behind = &found[skipped..];
        rest = behind.find(end).map_or("", |at| &behind[at + end.len()..]);
    }
    plain.push_str(rest);
    plain
}
