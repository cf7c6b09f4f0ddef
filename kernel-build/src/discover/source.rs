//! A light reading of Rust source text: the modules that live in files of their own, and which of
//! a few words occur. Comments and strings are skipped; nothing is expanded, so a module that a
//! macro declares is not seen.

use std::collections::BTreeSet;
use std::ops::Range;

use super::host_only::{self, Tests};
use super::panics::{self, Panic};

/// What one file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Outline {
    /// `mod name;`, wherever it stands.
    pub(super) modules: Vec<Module>,
    /// The files named by `include!("…")`.
    pub(super) includes: Vec<String>,
    /// Which of the words asked for occur.
    pub(super) words: BTreeSet<String>,
    /// Which of the words asked for occur outside of what the device build leaves out.
    pub(super) device_words: BTreeSet<String>,
    /// How often the first of them occurs there.
    pub(super) on_device: usize,
    /// The panics whose messages have texts of the source, outside of what the device build leaves out.
    pub(super) panics: Vec<Panic>,
}

/// A module whose text is in another file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Module {
    /// The inline modules around it: folder names, from the outside in.
    pub(super) inside: Vec<String>,
    /// Its name.
    pub(super) name: String,
    /// The file that `#[path = "…"]` gives, also from within a `cfg_attr`.
    pub(super) path: Option<String>,
    /// Whether the device build leaves it out.
    pub(super) is_host_only: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'s> {
    Word(&'s str),
    Text(String),
    Mark(char),
}

/// A token and its bytes in the source.
#[derive(Debug)]
pub(super) struct Located<'s> {
    pub(super) token: Token<'s>,
    pub(super) place: Range<usize>,
}

impl Token<'_> {
    /// As it stands in the source, strings without their quotes.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Word(word) => (*word).to_owned(),
            Self::Text(text) => text.clone(),
            Self::Mark(mark) => mark.to_string(),
        }
    }
}

/// Reads one file.
pub(super) fn outline(source: &str, words: &[&str], tests: Tests) -> Outline {
    let located = tokens(source);
    let tokens: Vec<_> = located.iter().map(|located| located.token.clone()).collect();
    let host_only = host_only::items(&tokens, tests);
    let is_host_only = |at: usize| host_only.iter().any(|item: &Range<usize>| item.contains(&at));
    let mut outline = Outline { panics: panics::panics(source, &located, &host_only), ..Outline::default() };
    let mut depth = 0_usize;
    let mut inside: Vec<(usize, String)> = Vec::new();
    let mut path = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let rest = &tokens[at + 1..];
        match token {
            Token::Mark('#') => {
                let (length, value) = attribute(rest);
                path = value.or(path);
                at += length;
            }
            Token::Mark('{') => depth += 1,
            Token::Mark('}') => {
                depth = depth.saturating_sub(1);
                inside.retain(|(d, _)| *d <= depth);
            }
            Token::Mark(';') => path = None,
            Token::Word("mod") => {
                if let [Token::Word(name), end, ..] = rest {
                    let name = name.strip_prefix("r#").unwrap_or(name).to_owned();
                    match end {
                        Token::Mark(';') => outline.modules.push(Module {
                            inside: inside.iter().map(|(_, n)| n.clone()).collect(),
                            name,
                            path: path.take(),
                            is_host_only: is_host_only(at),
                        }),
                        Token::Mark('{') => {
                            depth += 1;
                            inside.push((depth, path.take().unwrap_or(name)));
                        }
                        _ => {}
                    }
                    at += 2;
                }
            }
            Token::Word("include") => {
                if let [Token::Mark('!'), Token::Mark('(' | '{' | '['), Token::Text(file), ..] = rest {
                    outline.includes.push(file.clone());
                }
            }
            // Between an attribute and `mod` stand only visibility words; any other item ends it.
            Token::Word(
                "fn" | "struct" | "enum" | "use" | "impl" | "static" | "const" | "trait" | "type",
            ) => path = None,
            _ => {}
        }
        at += 1;
    }
    // Words inside attributes count too: `#[gpu_kernel]` is one.
    for (at, token) in tokens.iter().enumerate() {
        let word = match token {
            Token::Word(word) => word,
            // The name of a variable: `env!("OUT_DIR")`.
            Token::Text(text) if text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') => {
                &**text
            }
            _ => continue,
        };
        // A macro's name counts where it is called: as a word it may be anything.
        let is_call = tokens.get(at + 1) == Some(&Token::Mark('!'));
        let call = words.iter().find(|name| is_call && name.strip_suffix('!') == Some(word));
        for found in words.iter().find(|name| **name == word).into_iter().chain(call) {
            outline.words.insert((*found).to_owned());
            if !is_host_only(at) {
                outline.device_words.insert((*found).to_owned());
                outline.on_device += usize::from(super::KERNELS.contains(found));
            }
        }
    }
    outline
}

/// The tokens that an attribute takes after its `#`, and the file if it gives a `path`.
fn attribute(tokens: &[Token<'_>]) -> (usize, Option<String>) {
    let start = usize::from(tokens.first() == Some(&Token::Mark('!')));
    let length = start + bracketed(&tokens[start..]);
    if length == start {
        return (0, None);
    }
    let path = tokens[..length].windows(3).rev().find_map(|window| match window {
        [Token::Word("path"), Token::Mark('='), Token::Text(file)] => Some(file.clone()),
        _ => None,
    });
    (length, path)
}

/// How many tokens the brackets that these begin with take, to the end of the file if they don't close; none without a bracket.
pub(super) fn bracketed(tokens: &[Token<'_>]) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate() {
        depth = match token {
            Token::Mark('[') => depth + 1,
            Token::Mark(']') => depth.saturating_sub(1),
            _ => depth,
        };
        if depth == 0 {
            return if index == 0 { 0 } else { index + 1 };
        }
    }
    tokens.len()
}

/// Words, string literals and single marks, without comments and white space.
fn tokens(source: &str) -> Vec<Located<'_>> {
    let mut tokens = Vec::new();
    let mut rest = source.strip_prefix('\u{feff}').unwrap_or(source);
    while let Some(c) = rest.chars().next() {
        let start = source.len() - rest.len();
        let mut token = None;
        let used = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if let Some((used, text)) = string(rest) {
            token = Some(Token::Text(text));
            used
        } else if c == '_' || c.is_alphanumeric() {
            let prefix = if rest.starts_with("r#") { 2 } else { 0 };
            let word = rest[prefix..]
                .find(|c: char| c != '_' && !c.is_alphanumeric())
                .map_or(rest.len(), |n| n + prefix);
            token = Some(Token::Word(&rest[..word]));
            word.max(1)
        } else if c == '\'' {
            character(rest)
        } else {
            token = Some(Token::Mark(c));
            c.len_utf8()
        };
        tokens.extend(token.map(|token| Located { token, place: start..start + used }));
        rest = &rest[used..];
    }
    tokens
}

/// The length of a comment in slashes and stars, which may hold others.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_usize;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => depth += 1,
            b"*/" => depth -= 1,
            _ => {
                at += 1;
                continue;
            }
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length and the value of a string literal of any kind. Escapes stay as they are, except `\\`
/// and `\"`: that is enough for file names.
fn string(text: &str) -> Option<(usize, String)> {
    let body = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let prefix = text.len() - body.len();
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let open = raw[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = open.find(&close);
        let length = end.map_or(open.len(), |n| n + close.len());
        let value = &open[..end.unwrap_or(open.len())];
        return Some((prefix + 1 + hashes + 1 + length, value.to_owned()));
    }
    let open = body.strip_prefix('"')?;
    let mut value = String::new();
    let mut characters = open.char_indices();
    while let Some((i, c)) = characters.next() {
        match c {
            '"' => return Some((prefix + 1 + i + 1, value)),
            '\\' => match characters.next() {
                Some((_, escaped @ ('\\' | '"'))) => value.push(escaped),
                Some((_, other)) => value.extend(['\\', other]),
                None => break,
            },
            _ => value.push(c),
        }
    }
    Some((text.len(), value))
}

/// The length of a character literal, or of the mark that starts a lifetime.
fn character(text: &str) -> usize {
    let mut characters = text.char_indices().skip(1);
    match characters.next() {
        Some((_, '\\')) => {
            characters.next();
            characters.find(|(_, c)| *c == '\'').map_or(text.len(), |(i, _)| i + 1)
        }
        Some(_) => match characters.next() {
            Some((i, '\'')) => i + 1,
            _ => 1,
        },
        None => 1,
    }
}
