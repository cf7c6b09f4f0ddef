//! How AMD's entries take a parameter by value that isn't a number: in chunks, and words for what they leave. A struct as a whole would go by
//! pointer, to memory that nobody fills.
//!
//! An entry declares [`CHUNKS`] chunks and [`WORDS`] words. Those that a value doesn't have are of a type without bytes, and no parameters.

/// The most bytes of a parameter by value: less than the 4 KiB that all parameters of an entry have.
///
/// ```
/// assert_eq!(gridwright_core::MOST_VALUE_BYTES, 4095);
/// ```
pub const MOST_VALUE_BYTES: usize = CHUNKS * CHUNK_BYTES + WORDS * WORD_BYTES - 1;

/// The bytes that all parameters of an entry can have. Source: PTX ISA, "Kernel Function Parameters": 4,352 bytes, less what this library
/// adds. What newer GPUs have beyond isn't used.
pub(crate) const MOST_PARAMETER_BYTES: usize = 4096;

/// The words that an entry declares.
#[doc(hidden)]
pub const WORDS: usize = 16;
/// The chunks that an entry declares.
#[doc(hidden)]
pub const CHUNKS: usize = 31;
/// The bytes of a word.
#[doc(hidden)]
pub const WORD_BYTES: usize = 8;
/// The bytes of a chunk: the largest vector that the compiler passes.
#[doc(hidden)]
pub const CHUNK_BYTES: usize = 128;

/// The chunks that a value of a number of bytes has, which stand in front. A small value has none.
const fn chunks(bytes: usize) -> usize {
    if bytes <= WORDS * WORD_BYTES { 0 } else { bytes / CHUNK_BYTES }
}

/// The words of a value, behind its chunks. The last may go beyond the value.
const fn words(bytes: usize) -> usize {
    (bytes - chunks(bytes) * CHUNK_BYTES).div_ceil(WORD_BYTES)
}

/// Whether a value of a number of bytes has the `i`th chunk.
#[doc(hidden)]
pub const fn has_chunk(bytes: usize, i: usize) -> bool {
    i < chunks(bytes)
}

/// Whether a value of a number of bytes has the `i`th word.
#[doc(hidden)]
pub const fn has_word(bytes: usize, i: usize) -> bool {
    i < words(bytes)
}

/// A part of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValuePart {
    /// The first of its bytes.
    pub start: usize,
    /// The bytes that the entry declares for it. The last part may go beyond the value.
    pub bytes: usize,
}

/// The `i`th part of a value of a number of bytes, in the order of the entry's parameters.
///
/// ```
/// use gridwright_core::{ValuePart, value_part};
///
/// let parts: Vec<_> = (0..).map_while(|i| value_part(12, i)).collect();
/// assert_eq!(parts, [ValuePart { start: 0, bytes: 8 }, ValuePart { start: 8, bytes: 8 }]);
/// assert_eq!(value_part(0, 0), None);
/// ```
pub const fn value_part(bytes: usize, i: usize) -> Option<ValuePart> {
    let chunks = chunks(bytes);
    if i < chunks {
        Some(ValuePart { start: i * CHUNK_BYTES, bytes: CHUNK_BYTES })
    } else if i - chunks < words(bytes) {
        let start = chunks * CHUNK_BYTES + (i - chunks) * WORD_BYTES;
        Some(ValuePart { start, bytes: WORD_BYTES })
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{CHUNKS, MOST_VALUE_BYTES, WORDS, has_chunk, has_word, value_part};

    #[test]
    fn the_parts_of_each_size_cover_it_and_fit_into_what_is_declared() {
        for bytes in 0..=MOST_VALUE_BYTES {
            let parts: Vec<_> = (0..).map_while(|i| value_part(bytes, i)).collect();
            let mut end = 0;
            for part in &parts {
                assert_eq!(part.start, end, "of {bytes}");
                assert!(part.start < bytes, "a part of {bytes} without bytes");
                end += part.bytes;
            }
            assert!(bytes <= end && end < bytes + 8, "{end} of {bytes}");
            let declared = (0..CHUNKS).filter(|&i| has_chunk(bytes, i)).count()
                + (0..WORDS).filter(|&i| has_word(bytes, i)).count();
            assert_eq!(declared, parts.len(), "of {bytes}");
        }
        assert!(has_chunk(MOST_VALUE_BYTES + 1, CHUNKS));
    }
}
