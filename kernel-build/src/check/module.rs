//! A light reading of LLVM IR in text: global variables, functions, and which names each mentions.

use std::collections::{BTreeMap, BTreeSet};

use super::places::{self, Places};
use crate::ir;

/// A whole program.
#[derive(Debug, Default)]
pub(super) struct Module<'t> {
    pub(super) globals: Vec<Global<'t>>,
    pub(super) functions: Vec<Function<'t>>,
    /// Names that variables' initial values mention: tables of functions.
    pub(super) in_tables: BTreeSet<&'t str>,
    pub(super) places: Places<'t>,
}

/// A variable of the module.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Global<'t> {
    pub(super) name: &'t str,
    /// `global` in the text; `constant` if not.
    pub(super) is_mutable: bool,
    /// Declared here and defined elsewhere.
    pub(super) is_external: bool,
    /// Known in the image only, under a name that is no name for others.
    pub(super) is_internal: bool,
    /// 0 for the general one, 3 for workgroup memory.
    pub(super) address_space: u32,
    /// Its type and its initial value.
    pub(super) value: &'t str,
}

/// A function with a body.
#[derive(Debug, Default)]
pub(super) struct Function<'t> {
    pub(super) name: &'t str,
    /// Whether the host launches it.
    pub(super) is_kernel: bool,
    /// How many parameters it takes.
    pub(super) arity: usize,
    /// The functions that it calls by name.
    pub(super) calls: BTreeSet<&'t str>,
    /// The names that it mentions otherwise, such as functions whose address it takes.
    pub(super) mentions: BTreeSet<&'t str>,
    /// For each call through a pointer, how many arguments it passes.
    pub(super) indirect: BTreeSet<usize>,
    /// Whether it takes an amount of stack that isn't constant.
    pub(super) has_dynamic_stack: bool,
    /// Where it is defined, and where it first calls each function by name, where the IR has lines.
    pub(super) defined: Option<u32>,
    pub(super) called: BTreeMap<&'t str, u32>,
}

impl<'t> Module<'t> {
    /// Reads the text. What isn't understood is passed over.
    pub(super) fn read(text: &'t str) -> Self {
        let mut module = Self::default();
        let mut open: Option<Function<'t>> = None;
        for line in text.lines() {
            if let Some(function) = &mut open {
                if line == "}" {
                    module.functions.extend(open.take());
                } else {
                    body_line(function, line);
                }
            } else if line.starts_with('@') {
                module.globals.extend(global(line));
                let names = names(line);
                module.in_tables.extend(names.iter().skip(1).map(|n| n.text));
            } else if line.starts_with("define ")
                && let Some(name) = names(line).first().filter(|n| n.is_callee)
            {
                let arity = arity(line.get(name.end..).unwrap_or_default());
                let is_kernel = ir::is_kernel(line);
                let defined = places::attached(line);
                open = Some(Function { name: name.text, is_kernel, arity, defined, ..Function::default() });
            } else if line.starts_with('!') {
                module.places.read(line);
            }
        }
        module
    }
}

/// `@name = internal unnamed_addr addrspace(1) global i32 0, align 4`
fn global(line: &str) -> Option<Global<'_>> {
    let (_, rest) = line.split_once(" = ")?;
    let name = names(line).first()?.text;
    let mut is_external = false;
    let mut is_internal = false;
    let mut address_space = 0;
    for word in rest.split_whitespace() {
        match word {
            "global" | "constant" => {
                let (_, value) = rest.split_once(word)?;
                let value = value.split(',').next().unwrap_or_default().trim();
                let is_mutable = word == "global";
                return Some(Global { name, is_mutable, is_external, is_internal, address_space, value });
            }
            "external" | "extern_weak" => is_external = true,
            "internal" | "private" => is_internal = true,
            // An alias has a type where a variable has one of the two words.
            "alias" | "ifunc" => return None,
            _ => {
                if let Some(number) = word.strip_prefix("addrspace(") {
                    address_space = number.trim_end_matches(')').parse().unwrap_or(0);
                }
            }
        }
    }
    None
}

fn body_line<'t>(function: &mut Function<'t>, line: &'t str) {
    for name in names(line) {
        if name.is_callee {
            function.calls.insert(name.text);
            if let Some(place) = places::attached(line) {
                function.called.entry(name.text).or_insert(place);
            }
        } else {
            function.mentions.insert(name.text);
        }
    }
    if let Some(arguments) = indirect_call(line) {
        function.indirect.insert(arity(arguments));
    }
    function.has_dynamic_stack |= is_dynamic_alloca(line);
}

/// A name after `@`.
#[derive(Debug)]
struct Name<'t> {
    text: &'t str,
    /// Whether `(` follows it, as in a call or a definition.
    is_callee: bool,
    /// Where it ends in its line.
    end: usize,
}

/// All names in a line, outside of strings and comments.
fn names(line: &str) -> Vec<Name<'_>> {
    let bytes = line.as_bytes();
    let mut names = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'"' => at = closing_quote(bytes, at) + 1,
            b';' => break,
            b'@' => {
                let (start, end, next) = if bytes.get(at) == Some(&b'"') {
                    let end = closing_quote(bytes, at + 1);
                    (at + 1, end, end + 1)
                } else {
                    let end =
                        bytes[at..].iter().position(|b| !is_name_byte(*b)).map_or(bytes.len(), |n| at + n);
                    (at, end, end)
                };
                if let Some(text) = line.get(start..end).filter(|t| !t.is_empty()) {
                    names.push(Name { text, is_callee: bytes.get(next) == Some(&b'('), end: next });
                }
                at = next;
            }
            _ => {}
        }
    }
    names
}

fn closing_quote(bytes: &[u8], from: usize) -> usize {
    bytes.get(from..).and_then(|b| b.iter().position(|b| *b == b'"')).map_or(bytes.len(), |n| from + n)
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-')
}

/// The text from the `(` of a call through a register on.
fn indirect_call(line: &str) -> Option<&str> {
    let (_, call) = line.split_once("call ").or_else(|| line.split_once("invoke "))?;
    for (i, _) in call.match_indices('%') {
        let name = call[i + 1..].bytes().take_while(|b| is_name_byte(*b)).count();
        let after = i + 1 + name;
        // `%name(` is a callee; a type before an argument has a space after it.
        if name > 0 && call.as_bytes().get(after) == Some(&b'(') && !call[..i].contains('"') {
            return call.get(after..);
        }
        // Arguments come after the callee: a named one or `asm` has no register before its `(`.
        if call[..i].contains('@') {
            return None;
        }
    }
    None
}

/// The number of parts between commas in the parentheses that `text` starts with.
fn arity(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut commas = 0;
    let mut is_empty = true;
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            b',' if depth == 1 => commas += 1,
            b' ' => {}
            _ => is_empty = false,
        }
    }
    if is_empty { 0 } else { commas + 1 }
}

/// `%x = alloca i8, i64 %n` or a saved stack; a constant count has no `%`.
fn is_dynamic_alloca(line: &str) -> bool {
    match line.split_once(" = alloca ") {
        Some((_, operands)) => {
            operands.split(", ").skip(1).any(|part| part.starts_with('i') && part.contains(" %"))
        }
        None => line.contains("@llvm.stacksave"),
    }
}
