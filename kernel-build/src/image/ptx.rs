//! A reader of PTX text, as far as declarations go: entries with their parameters, layout records,
//! and what is declared `.extern`. Bodies are skipped.

use std::collections::BTreeMap;
use std::iter::Peekable;
use std::vec::IntoIter;

use super::{Entry, Image, LAYOUT_PREFIX, Malformed, Parameter, attach_layouts};

/// Functions that NVIDIA's driver brings.
const FROM_DRIVER: [&str; 4] = ["vprintf", "__assertfail", "malloc", "free"];

pub(super) type Tokens<'t> = Peekable<IntoIter<&'t str>>;

/// Reads a whole module.
pub(super) fn read(text: &str) -> Result<Image, Malformed> {
    let mut tokens = tokens(text).into_iter().peekable();
    let mut image = Image::default();
    let mut records = BTreeMap::new();
    let mut is_module = false;
    let mut is_extern = false;
    while let Some(token) = tokens.next() {
        match token {
            ".version" => is_module = true,
            ".extern" => is_extern = true,
            ".entry" => image.entries.push(entry(&mut tokens)?),
            ".func" => {
                let name = function(&mut tokens)?;
                if is_extern && !FROM_DRIVER.contains(&name) {
                    image.unresolved.push(name.to_owned());
                }
                is_extern = false;
            }
            ".global" | ".const" => {
                let variable = variable(&mut tokens)?;
                if is_extern {
                    image.unresolved.push(variable.name.to_owned());
                } else if let Some(kernel) = variable.name.strip_prefix(LAYOUT_PREFIX) {
                    records.insert(kernel.to_owned(), variable.bytes()?);
                }
                is_extern = false;
            }
            "{" => skip_block(&mut tokens)?,
            ";" => is_extern = false,
            _ => {}
        }
    }
    if !is_module {
        return Err(Malformed("the PTX has no `.version`".to_owned()));
    }
    attach_layouts(&mut image.entries, records)?;
    Ok(image)
}

/// `name ( parameters ) directives { body }`, after `.entry`.
fn entry(tokens: &mut Tokens<'_>) -> Result<Entry, Malformed> {
    let name =
        tokens.next().filter(|t| is_name(t)).ok_or_else(|| Malformed("an entry has no name".to_owned()))?;
    let mut parameters = Vec::new();
    let mut end = 0_u32;
    if tokens.next_if_eq(&"(").is_some() {
        let mut open = true;
        while open {
            let mut words = Vec::new();
            open = loop {
                match tokens.next() {
                    Some(",") => break true,
                    Some(")") => break false,
                    Some(word) => words.push(word),
                    None => return Err(Malformed(format!("the parameters of `{name}` don't end"))),
                }
            };
            if words.is_empty() {
                continue;
            }
            let declared =
                declaration(&words).map_err(|e| Malformed(format!("a parameter of `{name}`: {e}")))?;
            let too_large = || Malformed(format!("the parameters of `{name}` are too large"));
            let size = u32::try_from(declared.size().ok_or_else(too_large)?).map_err(|_| too_large())?;
            let offset = end.checked_next_multiple_of(declared.alignment).ok_or_else(too_large)?;
            end = offset.checked_add(size).ok_or_else(too_large)?;
            parameters.push(Parameter { offset, size });
        }
    }
    // Launch bounds and other directives stand between the parameters and the body.
    loop {
        match tokens.next() {
            Some("{") => break skip_block(tokens)?,
            Some(";") => break,
            Some(_) => {}
            None => return Err(Malformed(format!("the entry `{name}` has no body"))),
        }
    }
    Ok(Entry { name: name.to_owned(), parameters, layout: Vec::new() })
}

/// `( result ) name ( parameters ) { body }` or with `;` at its end, after `.func`.
fn function<'t>(tokens: &mut Tokens<'t>) -> Result<&'t str, Malformed> {
    let mut name = None;
    let mut depth = 0_usize;
    loop {
        match tokens.next() {
            Some("(") => depth += 1,
            Some(")") => depth = depth.saturating_sub(1),
            Some("{") => {
                skip_block(tokens)?;
                break;
            }
            Some(";") => break,
            Some(word) if depth == 0 && name.is_none() && is_name(word) => name = Some(word),
            Some(_) => {}
            None => return Err(Malformed("a function has no end".to_owned())),
        }
    }
    name.ok_or_else(|| Malformed("a function has no name".to_owned()))
}

/// A variable of the module and its initial value.
pub(super) struct Variable<'t> {
    pub(super) name: &'t str,
    element: u32,
    count: u64,
    values: Vec<&'t str>,
}

/// `.align 8 .b8 name[16] = {…};`, after `.global` or `.const`.
pub(super) fn variable<'t>(tokens: &mut Tokens<'t>) -> Result<Variable<'t>, Malformed> {
    let mut words = Vec::new();
    let mut values = Vec::new();
    let mut in_values = false;
    loop {
        match tokens.next() {
            Some(";") => break,
            Some("=") => in_values = true,
            Some(word) if in_values => values.push(word),
            Some(word) => words.push(word),
            None => return Err(Malformed("a variable has no end".to_owned())),
        }
    }
    let declared = declaration(&words).map_err(|e| Malformed(format!("a variable: {e}")))?;
    Ok(Variable { name: declared.name, element: declared.element, count: declared.count, values })
}

impl Variable<'_> {
    /// The initial value. What isn't given is zero.
    pub(super) fn bytes(&self) -> Result<Vec<u8>, Malformed> {
        let wrong = || Malformed(format!("the value of `{}` can't be read", self.name));
        let element = self.element as usize;
        let count = usize::try_from(self.count).map_err(|_| wrong())?;
        // A record is a few words for each argument; more than this is no record.
        let length = count.checked_mul(element).filter(|n| *n <= 1 << 20).ok_or_else(wrong)?;
        let mut bytes = Vec::with_capacity(length);
        let mut negative = false;
        for word in self.values.iter().filter(|w| !matches!(**w, "{" | "}" | ",")) {
            if *word == "-" {
                negative = true;
                continue;
            }
            let value = number(word).ok_or_else(wrong)?;
            let value = if negative { value.wrapping_neg() } else { value };
            negative = false;
            bytes.extend(value.to_le_bytes().get(..element).ok_or_else(wrong)?);
        }
        if bytes.len() > length {
            return Err(wrong());
        }
        bytes.resize(length, 0);
        Ok(bytes)
    }
}

/// A parameter or variable, without its value.
#[derive(Debug)]
struct Declaration<'t> {
    name: &'t str,
    /// Bytes of one element.
    element: u32,
    count: u64,
    alignment: u32,
}

impl Declaration<'_> {
    fn size(&self) -> Option<u64> {
        self.count.checked_mul(u64::from(self.element))
    }
}

/// `.param .align 8 .b8 name[24]`, `.param .u64 .ptr .global .align 4 name`.
fn declaration<'t>(words: &[&'t str]) -> Result<Declaration<'t>, String> {
    let mut name = None;
    let mut element = None;
    let mut vector = 1;
    let mut count = 1_u64;
    let mut alignment = None;
    let mut is_pointee = false;
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        match word {
            // The alignment after `.ptr` is that of what is pointed to.
            ".ptr" => is_pointee = true,
            ".align" => {
                let value = words.next().and_then(number).and_then(|n| u32::try_from(n).ok());
                let value =
                    value.filter(|n| n.is_power_of_two()).ok_or("its alignment is no power of two")?;
                if !is_pointee {
                    alignment = Some(value);
                }
            }
            ".v2" => vector = 2,
            ".v4" => vector = 4,
            "[" => {
                let length = match words.next() {
                    // `name[]` takes its length from the value; there is none in what is read here.
                    Some("]") => Some(0),
                    Some(word) => number(word).filter(|_| words.next() == Some("]")),
                    None => None,
                };
                count = length.and_then(|n| count.checked_mul(n)).ok_or("its length can't be read")?;
            }
            ".attribute" => {
                let _ = words.by_ref().find(|w| *w == ")");
            }
            _ if word.starts_with('.') => element = element_size(word).or(element),
            _ if is_name(word) && name.is_none() => name = Some(word),
            _ => return Err(format!("unexpected `{word}`")),
        }
    }
    let name = name.ok_or("it has no name")?;
    let element = element.ok_or_else(|| format!("`{name}` has no type of a known size"))? * vector;
    Ok(Declaration { name, element, count, alignment: alignment.unwrap_or(element) })
}

/// The bytes of `.f32`, `.b64` and so on.
fn element_size(word: &str) -> Option<u32> {
    let (kind, bits) = (word.get(1..2)?, word.get(2..)?);
    match (kind, bits) {
        ("b" | "u" | "s" | "f", "8" | "16" | "32" | "64" | "128") => {
            bits.parse().ok().map(|bits: u32| bits / 8)
        }
        _ => None,
    }
}

/// Decimal, or hexadecimal; unsigned ones may end in `U`.
fn number(word: &str) -> Option<u64> {
    let word = word.strip_suffix('U').unwrap_or(word);
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '%'))
}

/// To the end of a block whose `{` is taken.
pub(super) fn skip_block(tokens: &mut Tokens<'_>) -> Result<(), Malformed> {
    let mut depth = 1_usize;
    while depth > 0 {
        match tokens.next() {
            Some("{") => depth += 1,
            Some("}") => depth -= 1,
            Some(_) => {}
            None => return Err(Malformed("a block of the PTX has no end".to_owned())),
        }
    }
    Ok(())
}

/// Words and marks, without comments and strings.
pub(super) fn tokens(text: &str) -> Vec<&str> {
    let is_word = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'$' | b'%');
    let bytes = text.as_bytes();
    let from = |at: usize| text.get(at..).unwrap_or_default();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let end = match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => from(at).find('\n').map_or(bytes.len(), |n| at + n),
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                from(at + 2).find("*/").map_or(bytes.len(), |n| at + n + 4)
            }
            b'"' => from(at + 1).find('"').map_or(bytes.len(), |n| at + n + 2),
            b if is_word(b) => bytes[at..].iter().position(|b| !is_word(*b)).map_or(bytes.len(), |n| at + n),
            _ => at + 1,
        };
        let is_token = is_word(byte)
            || matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b',' | b';' | b'=' | b'-');
        if let Some(token) = text.get(at..end).filter(|_| is_token) {
            tokens.push(token);
        }
        at = end;
    }
    tokens
}
