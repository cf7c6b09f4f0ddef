use super::is_name;

/// A parameter or variable, without its value.
#[derive(Debug)]
pub(super) struct Declaration {
    /// Bytes of one element.
    pub(super) element: u32,
    /// Number of elements.
    pub(super) count: u64,
    /// Alignment in bytes.
    pub(super) alignment: u32,
}

/// `.param .align 8 .b8 name[24]`, `.param .u64 .ptr .global .align 4 name`.
pub(super) fn declaration(words: &[&str]) -> Result<Declaration, String> {
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
    Ok(Declaration { element, count, alignment: alignment.unwrap_or(element) })
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

/// A number, decimal or hexadecimal; unsigned ones may end in `U`.
pub(super) fn number(word: &str) -> Option<u64> {
    let word = word.strip_suffix('U').unwrap_or(word);
    match word.strip_prefix("0x").or_else(|| word.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => word.parse().ok(),
    }
}
