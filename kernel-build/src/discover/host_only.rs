//! Which tokens of a source file the device build leaves out, as their attribute says. Where that isn't sure, they count as seen:
//! the device build then knows a crate that it doesn't need.

use std::ops::Range;

use super::source::{Token, bracketed};

/// Items that end with a semicolon, whatever braces they have.
const STATEMENTS: &[&str] = &["use", "static", "type", "let"];

/// Items that end with a block, or with a semicolon in its place.
const BLOCKS: &[&str] =
    &["fn", "struct", "enum", "union", "impl", "trait", "mod", "unsafe", "async", "macro_rules"];

/// Whether the device build has the cfg `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tests {
    Left,
    Built,
}

/// The items of the host alone, each with its attributes, in their order.
pub(super) fn items(tokens: &[Token<'_>], tests: Tests) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match attribute(&tokens[at..]) {
            Some(length)
                if is_for_the_host(tokens.get(at + 2..at + length - 1).unwrap_or_default(), tests) =>
            {
                let end = at + length + item(&tokens[at + length..]);
                items.push(at..end);
                at = end;
            }
            Some(length) => at += length,
            None => at += 1,
        }
    }
    items
}

/// The length of the outer attribute that these tokens start with.
fn attribute(tokens: &[Token<'_>]) -> Option<usize> {
    if !matches!(tokens, [Token::Mark('#'), Token::Mark('['), ..]) {
        return None;
    }
    Some(1 + bracketed(&tokens[1..]))
}

/// Whether an attribute of these words leaves its item out of the device build: `host_only` under any path, or a `cfg` that needs
/// that this is no device, or `test` where that is not set; a test function where it is, as only a test program has those.
fn is_for_the_host(attribute: &[Token<'_>], tests: Tests) -> bool {
    let text: String = attribute.iter().map(Token::text).collect();
    let Some(condition) = text.strip_prefix("cfg(").and_then(|rest| rest.strip_suffix(')')) else {
        let is_test = tests == Tests::Built && text == "test";
        return is_test || text == "host_only" || text.ends_with("::host_only");
    };
    let is = |condition: &str| match tests {
        Tests::Left => condition == "not(gridwright_device)" || condition == "test",
        Tests::Built => condition == "not(gridwright_device)" || condition == "not(test)",
    };
    let all = condition.strip_prefix("all(").and_then(|rest| rest.strip_suffix(')'));
    // What stands in parentheses of its own is not taken apart.
    is(condition) || all.is_some_and(|all| all.split(',').any(is) && !all.contains("any("))
}

/// The length of an item, with attributes of its own in front.
fn item(tokens: &[Token<'_>]) -> usize {
    let mut start = 0;
    while let Some(length) = attribute(&tokens[start..]) {
        start += length;
    }
    let mut depth = 0_usize;
    let end = end(&tokens[start..]);
    for (index, token) in tokens.iter().enumerate().skip(start) {
        match token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            // The end of what it stands in.
            Token::Mark(')' | ']' | '}') if depth == 0 => return index,
            Token::Mark('}') if depth == 1 && end == End::Block => return index + 1,
            Token::Mark(')' | ']' | '}') => depth -= 1,
            Token::Mark(';') if depth == 0 => return index + 1,
            Token::Mark(',') if depth == 0 && end == End::Comma => return index + 1,
            _ => {}
        }
    }
    tokens.len()
}

/// What an item may end with, beside a semicolon.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Semicolon,
    Block,
    /// A field, an argument, an arm.
    Comma,
}

fn end(tokens: &[Token<'_>]) -> End {
    let mut words = tokens.iter().filter_map(|token| match token {
        Token::Word(word) => Some(*word),
        _ => None,
    });
    let mut word = words.next();
    if word == Some("pub") {
        word = words.find(|word| !matches!(*word, "crate" | "super" | "self" | "in"));
    }
    match word {
        Some(word) if STATEMENTS.contains(&word) => End::Semicolon,
        Some(word) if BLOCKS.contains(&word) => End::Block,
        Some("const") if !matches!(words.next(), Some("fn" | "unsafe" | "async" | "extern")) => {
            End::Semicolon
        }
        Some("extern") if words.next() == Some("crate") => End::Semicolon,
        Some("const" | "extern") => End::Block,
        _ => End::Comma,
    }
}

#[cfg(test)]
mod tests {
    use super::Tests;
    use crate::discover::source;

    fn outline(source: &str, words: &[&str]) -> source::Outline {
        source::outline(source, words, Tests::Left)
    }

    #[test]
    fn items_of_the_host_are_left_out_to_their_end() {
        for host in [
            "#[host_only] use {a::b, lib::{c, d}};",
            "#[gridwright::host_only]\n#[derive(Parser)] struct Options { lib: usize }",
            "#[host_only] pub(crate) fn f<A, B>(x: [u8; 3]) -> [u8; { 3 }] where A: lib { lib::g(); { h } }",
            "#[host_only] pub const fn f() { lib }",
            "#[host_only] const X: S = S { a: lib };",
            "#[host_only] extern crate lib;",
            "#[host_only] extern \"C\" { fn lib(); }",
            "#[host_only] static X: &[u8] = { lib };",
            "#[cfg(not(gridwright_device))] mod x { use lib; }",
            "#[cfg(all(unix, not(gridwright_device)))] impl X { fn f() { lib } }",
            "#[cfg(test)] mod tests { use lib; }",
            "struct S { #[host_only] a: lib }",
            "fn f(#[host_only] a: lib, b: u8) {}",
            "#[host_only] unsafe impl X for lib {}",
            "#[host_only] #[cfg(any())] struct A(lib);",
        ] {
            let outline = outline(&format!("{host} fn kernel() {{ gpu_kernel }}"), &["lib", "gpu_kernel"]);
            assert_eq!(outline.words.len(), 2, "{host}");
            assert!(outline.device_words.contains("gpu_kernel"), "{host}");
            assert!(!outline.device_words.contains("lib"), "{host}");
        }
    }

    #[test]
    fn what_may_be_compiled_for_devices_counts() {
        for seen in [
            "#[host_only] fn f() {} use lib;",
            "#[host_only] struct A; struct B(lib);",
            "#[host_only] const X: S = S { a: 1 }; lib!();",
            "#[cfg(any(unix, not(gridwright_device)))] use lib;",
            "#[cfg(all(any(unix, not(gridwright_device)), x))] use lib;",
            "#[cfg(gridwright_device)] use lib;",
            "#[cfg_attr(not(gridwright_device), allow(x))] use lib;",
            "#[inline] fn f() { lib }",
            "#![host_only] use lib;",
            "struct S { #[host_only] a: u8, b: lib }",
        ] {
            assert!(outline(seen, &["lib"]).device_words.contains("lib"), "{seen}");
        }
    }

    #[test]
    fn what_tests_have_is_the_devices_in_a_build_of_tests() {
        let kernels = |text: &str| {
            [Tests::Left, Tests::Built].map(|tests| source::outline(text, &["gpu_kernel"], tests).on_device)
        };
        for of_tests in [
            "#[cfg(test)] mod tests { #[gpu_kernel] fn k() {} }",
            "#[cfg(all(test, feature = \"x\"))] #[gpu_kernel] fn k() {}",
        ] {
            assert_eq!(kernels(of_tests), [0, 1], "{of_tests}");
        }
        assert_eq!(kernels("#[cfg(not(test))] #[gpu_kernel] fn k() {}"), [1, 0]);
        assert_eq!(kernels("#[cfg(any(test, feature = \"x\"))] #[gpu_kernel] fn k() {}"), [1, 1]);
        assert_eq!(kernels("#[cfg(all(test, not(gridwright_device)))] mod tests { gpu_kernel }"), [0, 0]);
        assert_eq!(kernels("#[cfg(test)] mod tests { #[host_only] mod x { gpu_kernel } }"), [0, 0]);
        assert_eq!(kernels("#[cfg(test)] mod tests { #[test] fn of() { gpu_kernel } }"), [0, 0]);
    }

    #[test]
    fn unfinished_items_end_with_the_file() {
        for text in
            ["#[host_only]", "#[host_only] fn", "#[host_only", "#[", "#[host_only] {", "#[host_only] ]"]
        {
            let _ = outline(text, &["lib"]);
        }
    }
}
