//! Values as AMD's entries take them: in chunks and words, as a struct would go by pointer.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use gridwright_core::{CHUNK_BYTES, CHUNKS, KernelArg, WORD_BYTES, WORDS, has_chunk, has_word};

use crate::arch::gpu::GivenChunk;

/// Nothing: a value isn't passed whole.
pub struct WholeValue<T>(PhantomData<T>);

/// The words of a chunk. A vector is the largest that the compiler passes as it is.
#[repr(simd)]
#[derive(Clone, Copy)]
pub struct Words([u64; 16]);

impl GivenChunk for Words {
    #[inline(always)]
    fn get(self) -> [u64; CHUNK_BYTES / WORD_BYTES] {
        // SAFETY: a vector of as many words, which has their bytes and no others.
        unsafe { core::mem::transmute(self) }
    }
}

/// Whether a part is one of a value's.
pub struct IsThere<const IS_THERE: bool>;

/// The types of a part that is there, or isn't.
pub trait PartTypes {
    /// Of a chunk.
    type Chunk;
    /// Of a word.
    type Word;
}

impl PartTypes for IsThere<true> {
    type Chunk = Words;
    type Word = u64;
}

impl PartTypes for IsThere<false> {
    type Chunk = ();
    type Word = ();
}

/// What an entry declares for a chunk.
pub type ValueChunk<const IS_THERE: bool> = <IsThere<IS_THERE> as PartTypes>::Chunk;
/// What an entry declares for a word.
pub type ValueWord<const IS_THERE: bool> = <IsThere<IS_THERE> as PartTypes>::Word;

/// The value.
#[inline(always)]
pub(in crate::arch) fn value<T: KernelArg>(
    whole: WholeValue<T>,
    chunks: impl FnOnce() -> [[u64; CHUNK_BYTES / WORD_BYTES]; CHUNKS],
    words: [u64; WORDS],
) -> T {
    let _ = whole;
    let mut value = MaybeUninit::<T>::uninit();
    let to = value.as_mut_ptr().cast::<u8>();
    let in_chunks = const {
        let mut count = 0;
        while has_chunk(size_of::<T>(), count) {
            count += 1;
        }
        count * CHUNK_BYTES
    };
    if const { has_chunk(size_of::<T>(), 0) } {
        // SAFETY: the value has the bytes of its chunks, of which there are as many.
        unsafe { ptr::copy_nonoverlapping(chunks().as_ptr().cast::<u8>(), to, in_chunks) };
    }
    if const { has_word(size_of::<T>(), 0) } {
        // SAFETY: so many bytes are left, and the words have as many.
        unsafe {
            ptr::copy_nonoverlapping(words.as_ptr().cast(), to.add(in_chunks), size_of::<T>() - in_chunks)
        };
    }
    // SAFETY: all bytes are written, of which any are valid for the value.
    unsafe { value.assume_init() }
}
