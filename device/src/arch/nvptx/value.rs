//! Values as NVIDIA's entries take them: whole.

use gridwright_core::{CHUNK_BYTES, CHUNKS, KernelArg, WORD_BYTES, WORDS};

/// A struct or an array. The compiler has no parameter that is aligned to more than 16 bytes.
#[repr(C, packed(16))]
pub struct WholeValue<T>(T);

/// There are no chunks.
pub type ValueChunk<const IS_THERE: bool> = ();
/// There are no words.
pub type ValueWord<const IS_THERE: bool> = ();

/// The value.
#[inline(always)]
pub(in crate::arch) fn value<T: KernelArg>(
    whole: WholeValue<T>,
    chunks: impl FnOnce() -> [[u64; CHUNK_BYTES / WORD_BYTES]; CHUNKS],
    words: [u64; WORDS],
) -> T {
    let _ = (chunks, words);
    whole.0
}
