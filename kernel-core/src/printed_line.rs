//! A printed line, in words of 64 bits and as text.

use core::fmt::{self, Display, Write};

/// A line in words, as a thread on a GPU writes it:
///
/// | word | |
/// |---|---|
/// | 0 | how many words the line has; written last |
/// | 1, 2 | the address and the length of the format |
/// | 3 | the arguments' kinds, of 4 bits each, the first lowest |
/// | from 4 | two words for each argument |
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The address and the length of the format.
    pub format: [u64; 2],
    /// The arguments' kinds.
    pub kinds: u64,
}

impl Line {
    /// The words before the arguments.
    pub const HEAD: usize = 4;
    /// The words of an argument.
    pub const ARGUMENT: usize = 2;
    /// The most arguments: their kinds fit a word.
    pub const MOST_ARGUMENTS: usize = 16;

    /// The words of a line with so many arguments.
    #[inline(always)]
    pub const fn words(arguments: usize) -> usize {
        Self::HEAD + Self::ARGUMENT * arguments
    }
}

/// A value that is printed.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each is named for its type")]
pub enum Argument<'a> {
    Unsigned(u64),
    Signed(i64),
    Unsigned128(u128),
    Signed128(i128),
    F32(f32),
    F64(f64),
    Bool(bool),
    Char(char),
    Str(&'a str),
}

impl<'a> Argument<'a> {
    /// The value's kind, which is below 16, and its two words. Those of a text are its address and its
    /// length.
    #[inline(always)]
    pub fn to_words(self) -> (u64, [u64; 2]) {
        match self {
            Self::Unsigned(value) => (1, [value, 0]),
            Self::Signed(value) => (2, [value as u64, 0]),
            Self::Unsigned128(value) => (3, [value as u64, (value >> 64) as u64]),
            Self::Signed128(value) => (4, [value as u64, (value >> 64) as u64]),
            Self::F32(value) => (5, [value.to_bits().into(), 0]),
            Self::F64(value) => (6, [value.to_bits(), 0]),
            Self::Bool(value) => (7, [value.into(), 0]),
            Self::Char(value) => (8, [u32::from(value).into(), 0]),
            Self::Str(text) => (9, [text.as_ptr().addr() as u64, text.len() as u64]),
        }
    }

    /// The value of a kind and two words; `text` gives the text of an address and a length. `None` for words that
    /// [`to_words`](Self::to_words) doesn't give.
    pub fn from_words(
        kind: u64,
        [low, high]: [u64; 2],
        text: impl FnOnce([u64; 2]) -> &'a str,
    ) -> Option<Self> {
        let wide = u128::from(high) << 64 | u128::from(low);
        Some(match kind {
            1 => Self::Unsigned(low),
            2 => Self::Signed(low as i64),
            3 => Self::Unsigned128(wide),
            4 => Self::Signed128(wide as i128),
            5 => Self::F32(f32::from_bits(u32::try_from(low).ok()?)),
            6 => Self::F64(f64::from_bits(low)),
            7 => Self::Bool(low != 0),
            8 => Self::Char(char::from_u32(u32::try_from(low).ok()?)?),
            9 => Self::Str(text([low, high])),
            _ => return None,
        })
    }
}

impl Display for Argument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsigned(value) => value.fmt(f),
            Self::Signed(value) => value.fmt(f),
            Self::Unsigned128(value) => value.fmt(f),
            Self::Signed128(value) => value.fmt(f),
            Self::F32(value) => value.fmt(f),
            Self::F64(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Char(value) => value.fmt(f),
            Self::Str(value) => value.fmt(f),
        }
    }
}

/// Writes a line: the format with an argument in place of each `{}`, and `{{` and `}}` as one brace.
///
/// # Errors
/// What `out` returns.
pub fn write_line(out: &mut dyn Write, format: &str, arguments: &[Argument<'_>]) -> fmt::Result {
    let mut arguments = arguments.iter();
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let (text, marked) = rest.split_at(at);
        out.write_str(text)?;
        // A brace is one byte, and the macro lets none stand alone.
        let (mark, after) = marked.split_at_checked(2).unwrap_or((marked, ""));
        match (mark, arguments.as_slice()) {
            ("{}", [argument, ..]) => {
                write!(out, "{argument}")?;
                arguments.next();
            }
            ("{{", _) => out.write_char('{')?,
            ("}}", _) => out.write_char('}')?,
            _ => out.write_str(mark)?,
        }
        rest = after;
    }
    out.write_str(rest)
}
