//! Names in the texts of IR and of PTX.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::{MODULES, PATH_PREFIX, ir};

/// The symbols of entries and the paths of their kernels, without the crate's name and the module that is only on devices.
pub(super) fn paths(ir: &str) -> Vec<(String, String)> {
    let records = ir.lines().filter_map(|line| record(line));
    let paths = records.filter_map(|record| {
        let (symbol, value) = record.split_once(" = ")?;
        let symbol = symbol.trim_end_matches('"');
        let path = string(value)?;
        let (_, path) = path.split_once("::")?;
        let path = path.strip_prefix(MODULES).and_then(|path| path.strip_prefix("::")).unwrap_or(path);
        Some((symbol.to_owned(), path.to_owned()))
    });
    paths.collect()
}

/// What comes after the prefix, in a line that defines the record of a path.
pub(super) fn record(line: &str) -> Option<&str> {
    let name = line.strip_prefix('@')?;
    name.strip_prefix('"').unwrap_or(name).strip_prefix(PATH_PREFIX)
}

/// The text in `constant [6 x i8] c"app::k", align 1`.
fn string(value: &str) -> Option<String> {
    let (_, text) = value.split_once(" c\"")?;
    let (text, _) = text.split_once('"')?;
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => {
                let digits = [rest.next()?, rest.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// All names of a program's functions and variables.
pub(super) fn symbols(ir: &str) -> BTreeSet<&str> {
    let named =
        |line: &&str| line.starts_with('@') || line.starts_with("define ") || line.starts_with("declare ");
    ir.lines().filter(named).filter_map(ir::name).collect()
}

/// Appends a line of IR with other names behind `@`, outside of strings. Names with other letters than LLVM's usual ones are in quotes.
pub(super) fn rename_ir<'n>(line: &str, name: impl Fn(&str) -> Option<Cow<'n, str>>, to: &mut String) {
    let mut rest = line;
    while let Some(at) = rest.find(['"', '@']) {
        let (before, found) = rest.split_at(at);
        to.push_str(before);
        let quoted = found.strip_prefix('@').unwrap_or(found).strip_prefix('"');
        let (whole, inner) = match quoted.and_then(|text| text.split_once('"')) {
            Some((inner, after)) => (found.len() - after.len(), inner),
            None => {
                let end = found.find(|c| c != '@' && ends_name(c)).unwrap_or(found.len()).max(1);
                (end, found.get(1..end).unwrap_or_default())
            }
        };
        let (whole, after) = found.split_at(whole);
        match name(inner).filter(|_| whole.starts_with('@')) {
            Some(name) => {
                to.push('@');
                to.push_str(&name);
            }
            None => to.push_str(whole),
        }
        rest = after;
    }
    to.push_str(rest);
}

/// Appends a line of PTX with other words, outside of strings.
pub(super) fn rename_ptx(line: &str, name: impl Fn(&str) -> Option<String>, to: &mut String) {
    for (number, part) in line.split_inclusive('"').enumerate() {
        if number % 2 == 1 {
            to.push_str(part);
            continue;
        }
        let mut rest = part;
        while !rest.is_empty() {
            let (word, after) = rest.split_at(rest.find(is_no_letter).unwrap_or(rest.len()));
            to.push_str(name(word).as_deref().unwrap_or(word));
            let (between, next) = after.split_at(after.find(|c| !is_no_letter(c)).unwrap_or(after.len()));
            to.push_str(between);
            rest = next;
        }
    }
}

/// Whether a letter isn't one of a name's in IR, which is there without quotes.
fn ends_name(c: char) -> bool {
    is_no_letter(c) && !matches!(c, '.' | '-')
}

fn is_no_letter(c: char) -> bool {
    !c.is_ascii_alphanumeric() && !matches!(c, '_' | '$')
}
