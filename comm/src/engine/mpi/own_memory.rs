use std::mem;

/// Memory that MPI may go on using after a call was given up: whoever gave it up forgets it.
#[derive(Debug, Default)]
pub(super) struct OwnMemory {
    // In words, so that any number is aligned.
    words: Vec<u64>,
    bytes: usize,
}

impl OwnMemory {
    pub(super) fn copy_of(bytes: &[u8]) -> Self {
        let mut memory = Self { words: vec![0; bytes.len().div_ceil(8)], bytes: bytes.len() };
        memory.get_mut().copy_from_slice(bytes);
        memory
    }

    pub(super) fn get(&self) -> &[u8] {
        // SAFETY: so many words have at least so many bytes, all of them initialised.
        unsafe { std::slice::from_raw_parts(self.words.as_ptr().cast(), self.bytes) }
    }

    pub(super) fn get_mut(&mut self) -> &mut [u8] {
        // SAFETY: so many words have at least so many bytes, borrowed mutably; any bytes are words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.bytes) }
    }

    /// Leaves the memory to MPI for as long as the process runs.
    pub(super) fn leave(self) {
        mem::forget(self.words);
    }
}

#[cfg(test)]
mod tests {
    use super::OwnMemory;

    #[test]
    fn a_copy_is_aligned_and_has_the_same_bytes() {
        for len in 0..20 {
            let bytes: Vec<u8> = (0..len).collect();
            let copy = OwnMemory::copy_of(&bytes);
            assert_eq!(copy.get(), bytes);
            assert!(copy.get().as_ptr().addr().is_multiple_of(8));
        }
    }
}
