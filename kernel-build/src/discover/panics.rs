//! The texts that panics take from the sources: of `expect("…")`, and of constants in a message.
//!
//! A GPU formats nothing, and the compiler leaves of a message the template with gaps for its values. Those that stand in the source are
//! found by the place that a panic names.

use std::collections::HashMap;
use std::ops::Range;

use super::source::{Located, Token};

/// What is known of the values of a panic's message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Panic {
    /// From 1, as the compiler counts.
    pub(crate) line: usize,
    /// From 1, in characters.
    pub(crate) column: usize,
    /// The values in the template's order, as far as they are known: empty ones aren't.
    pub(crate) values: Vec<String>,
}

/// Macros whose message comes after so many arguments.
const MACROS: [(&str, usize); 7] = [
    ("panic", 0),
    ("unreachable", 0),
    ("todo", 0),
    ("unimplemented", 0),
    ("assert", 1),
    ("assert_eq", 2),
    ("assert_ne", 2),
];

/// The panics of a file outside of what the host has alone.
pub(super) fn panics(source: &str, tokens: &[Located<'_>], host_only: &[Range<usize>]) -> Vec<Panic> {
    let constants = constants(source, tokens);
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        if host_only.iter().any(|item| item.contains(&at)) {
            continue;
        }
        let Token::Word(word) = tokens[at].token else { continue };
        let is_method = at > 0 && tokens[at - 1].token == Token::Mark('.');
        let name = word.strip_prefix("debug_").unwrap_or(word);
        let rest = &tokens[at + 1..];
        let values = match rest {
            [open, message, ..] if is_method && word == "expect" && open.token == Token::Mark('(') => {
                literal(source, message, &constants).map(|text| vec![text])
            }
            [mark, open, arguments @ ..] if mark.token == Token::Mark('!') && is_open(open) => MACROS
                .iter()
                .find(|(other, _)| *other == name)
                .and_then(|&(name, before)| of_macro(source, name, before, arguments, &constants)),
            _ => None,
        };
        if let Some(values) = values.filter(|values| values.iter().any(|value| !value.is_empty())) {
            let (line, column) = place(source, tokens[at].place.start);
            found.push(Panic { line, column, values });
        }
    }
    found
}

fn is_open(token: &Located<'_>) -> bool {
    matches!(token.token, Token::Mark('(' | '[' | '{'))
}

/// The values of a macro's message: an assertion of two values has the operator before it.
fn of_macro(
    source: &str,
    name: &str,
    before: usize,
    arguments: &[Located<'_>],
    constants: &HashMap<&str, String>,
) -> Option<Vec<String>> {
    let message = argument(arguments, before).filter(|message| matches!(message.token, Token::Text(_)));
    let format = message.and_then(|message| unescaped(&source[message.place.clone()]));
    let operator = match name {
        "assert_eq" => "==",
        "assert_ne" => "!=",
        _ => return Some(values(&format?, constants)),
    };
    let mut all = vec![operator.to_owned()];
    all.extend(format.map(|format| filled(&format, constants)));
    Some(all)
}

/// The first token of an argument, behind as many commas that stand in no brackets.
fn argument<'t, 's>(arguments: &'t [Located<'s>], number: usize) -> Option<&'t Located<'s>> {
    let (mut depth, mut commas) = (0_usize, 0);
    for token in arguments {
        if commas == number && depth == 0 && token.token != Token::Mark(',') {
            return Some(token);
        }
        match token.token {
            Token::Mark('(' | '[' | '{') => depth += 1,
            Token::Mark(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            Token::Mark(',') if depth == 0 => commas += 1,
            _ => {}
        }
    }
    None
}

/// The text of a literal, or of a constant.
fn literal(source: &str, token: &Located<'_>, constants: &HashMap<&str, String>) -> Option<String> {
    match token.token {
        Token::Text(_) => unescaped(&source[token.place.clone()]),
        Token::Word(name) => constants.get(name).cloned(),
        Token::Mark(_) => None,
    }
}

/// `const NAME: &str = "…";`, or with a lifetime.
fn constants<'s>(source: &str, tokens: &[Located<'s>]) -> HashMap<&'s str, String> {
    let mut constants = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if !matches!(token.token, Token::Word("const" | "static")) {
            continue;
        }
        let of_str = |token: &Located<'_>| token.token == Token::Word("str");
        if let [name, colon, rest @ ..] = &tokens[at + 1..]
            && let Token::Word(name) = name.token
            && colon.token == Token::Mark(':')
            && let Some(end) = rest.iter().take(4).position(of_str)
            && let [equals, value, semicolon, ..] = &rest[end + 1..]
            && equals.token == Token::Mark('=')
            && matches!(value.token, Token::Text(_))
            && semicolon.token == Token::Mark(';')
            && let Some(text) = unescaped(&source[value.place.clone()])
        {
            constants.insert(name, text);
        }
    }
    constants
}

/// The values of a format: those of constants, and nothing of others. Behind an argument by its position nothing is known, as the compiler
/// writes out those that are literals.
fn values(format: &str, constants: &HashMap<&str, String>) -> Vec<String> {
    let mut values = Vec::new();
    for piece in pieces(format) {
        match piece {
            Piece::Text(_) => {}
            Piece::Value("") => break,
            Piece::Value(name) => values.push(constants.get(name).cloned().unwrap_or_default()),
        }
    }
    values
}

/// A format with its constants written out, and `…` for all else.
fn filled(format: &str, constants: &HashMap<&str, String>) -> String {
    let piece = |piece| match piece {
        Piece::Text(text) => text,
        Piece::Value(name) => constants.get(name).map_or("…", String::as_str),
    };
    pieces(format).into_iter().map(piece).collect()
}

enum Piece<'f> {
    Text(&'f str),
    /// The name of what is formatted as it is; empty for an argument by its position, and for one with options.
    Value(&'f str),
}

fn pieces(format: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, brace) = rest.split_at(at);
        pieces.push(Piece::Text(text));
        if brace.starts_with("{{") || brace.starts_with("}}") {
            pieces.push(Piece::Text(&brace[..1]));
            rest = &brace[2..];
        } else if let Some((name, after)) = brace[1..].split_once('}') {
            let is_name = !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c == '_' || c.is_alphanumeric());
            pieces.push(Piece::Value(if is_name { name } else { "" }));
            rest = after;
        } else {
            return pieces;
        }
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// The value of a string literal; `None` of one of bytes.
fn unescaped(literal: &str) -> Option<String> {
    if let Some(raw) = literal.strip_prefix('r') {
        return Some(raw.trim_matches('#').strip_prefix('"')?.strip_suffix('"')?.to_owned());
    }
    let mut rest = literal.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    while let Some((before, escape)) = rest.split_once('\\') {
        text.push_str(before);
        let kind = escape.chars().next()?;
        rest = &escape[kind.len_utf8()..];
        match kind {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            '0' => text.push('\0'),
            '\\' | '"' | '\'' => text.push(kind),
            '\n' | '\r' => rest = rest.trim_start(),
            'x' => {
                text.push(char::from(u8::from_str_radix(rest.get(..2)?, 16).ok()?));
                rest = &rest[2..];
            }
            'u' => {
                let (digits, after) = rest.strip_prefix('{')?.split_once('}')?;
                text.push(char::from_u32(u32::from_str_radix(&digits.replace('_', ""), 16).ok()?)?);
                rest = after;
            }
            _ => return None,
        }
    }
    text.push_str(rest);
    Some(text)
}

/// Line and column of a byte, from 1, as the compiler counts: in characters.
fn place(source: &str, at: usize) -> (usize, usize) {
    let before = &source[..at];
    let start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use crate::discover::host_only::Tests;
    use crate::discover::source;

    fn panics_of(text: &str) -> Vec<(usize, usize, Vec<String>)> {
        let outline = source::outline(text, &[], Tests::Left);
        outline.panics.into_iter().map(|p| (p.line, p.column, p.values)).collect()
    }

    fn values_of(text: &str) -> Vec<String> {
        let [(_, _, values)] = panics_of(text).try_into().unwrap_or_else(|all| panic!("{text}: {all:?}"));
        values
    }

    #[test]
    fn the_text_of_expect_is_found_where_the_compiler_says() {
        let text = "fn f() {\n    let é = x.get(0).expect(\"a point\\u{21}\");\n    y\n        .expect(WHY)\n}\nconst WHY: &'static str = r#\"raw\"#;\n\
                    #[host_only] fn g() { z.expect(\"host\") } fn expect(\"no\") {} // .expect(\"no\")\n";
        assert_eq!(panics_of(text), [(2, 22, vec!["a point!".to_owned()]), (4, 10, vec!["raw".to_owned()])]);
    }

    #[test]
    fn constants_of_messages_are_known_and_variables_arent() {
        let constant = "const NAME: &str = \"grid\";";
        assert_eq!(values_of(&format!("{constant} panic!(\"{{NAME}}\")")), ["grid"]);
        assert_eq!(
            values_of(&format!("{constant} assert!(a(1, 2), \"{{x}} {{{{ {{NAME}}\", y)")),
            ["", "grid"]
        );
        assert_eq!(
            values_of(&format!("{constant} assert_eq!(a[1, 2], b, \"of {{NAME}} {{}}\", c)")),
            ["==", "of grid …"]
        );
        assert_eq!(values_of("assert_ne!(a, b)"), ["!="]);
        assert_eq!(values_of("debug_assert_ne!(a, b)"), ["!="]);
        for nothing in [
            "panic!(\"plain\")",
            "panic!(\"{} {NAME}\", 1)",
            "panic!(\"{NAME:?}\")",
            "assert!(x)",
            "x.expect(y)",
        ] {
            assert_eq!(panics_of(nothing), [], "{nothing}");
        }
    }

    #[test]
    fn texts_that_end_early_have_no_panics() {
        let text = "const N: &str = \"a\\u{41}\"; fn f() { x.expect(\"é\\n\"); panic!(\"{N} {\"); assert_eq!(a, (b), \"c\") }";
        for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
            let _ = panics_of(&text[..end]);
        }
    }
}
