//! The local memory of a warp's threads: a stack for each.

use super::WARP;
use super::alternatives::AlternativeBytes;

#[derive(Debug, Default)]
pub(crate) struct Local {
    /// The threads' bytes, one thread's behind the other's. Sixteen bytes each, for the alignment.
    words: Vec<u128>,
    /// Words of a thread.
    stride: usize,
    /// Bytes of which divisions by zero, or bytes that nothing wrote, decide, by `key`.
    pub(crate) alternatives: AlternativeBytes,
}

impl Local {
    /// A name for a lane's byte.
    pub(crate) fn key(lane: usize, at: u64) -> u64 {
        (lane as u64) << 32 | at
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.stride as u64 * 16
    }

    /// Makes room for this many bytes a thread, and keeps what is there.
    pub(crate) fn grow(&mut self, bytes: usize) {
        let wanted = bytes.div_ceil(16);
        if wanted <= self.stride {
            return;
        }
        let stride = wanted.max(self.stride * 2);
        let mut words = vec![0; stride * WARP];
        for lane in 0..WARP {
            words[lane * stride..][..self.stride]
                .copy_from_slice(&self.words[lane * self.stride..][..self.stride]);
        }
        (self.words, self.stride) = (words, stride);
    }

    /// The bytes of a lane, which are `bytes()` many.
    pub(crate) fn pointer(&mut self, lane: usize) -> *mut u8 {
        self.words.as_mut_ptr().cast::<u8>().wrapping_add(lane * self.stride * 16)
    }

    /// Copies between frames of one lane. What doesn't fit isn't copied: frames are made before.
    pub(crate) fn copy(&mut self, lane: usize, from: u32, to: u32, bytes: u32) {
        let stride = self.stride * 16;
        let (from, to, bytes) = (from as usize, to as usize, bytes as usize);
        if from + bytes > stride || to + bytes > stride {
            return;
        }
        let start = self.pointer(lane);
        // SAFETY: both ranges are inside of the lane's bytes, as checked above; they may overlap.
        unsafe { std::ptr::copy(start.add(from), start.add(to), bytes) };
        let key = |at: usize| Self::key(lane, at as u64);
        self.alternatives.copy(key(from), key(to), bytes as u64);
    }

    pub(crate) fn read(&self, lane: usize, at: u32, target: &mut [u8]) {
        let bytes =
            self.words.iter().skip(lane * self.stride).take(self.stride).flat_map(|word| word.to_ne_bytes());
        for (target, byte) in target.iter_mut().zip(bytes.skip(at as usize)) {
            *target = byte;
        }
    }

    pub(crate) fn write(&mut self, lane: usize, at: u32, source: &[u8]) {
        let stride = self.stride * 16;
        if at as usize + source.len() > stride {
            return;
        }
        let start = self.pointer(lane);
        // SAFETY: the range is inside of the lane's bytes, as checked above.
        unsafe { std::ptr::copy_nonoverlapping(source.as_ptr(), start.add(at as usize), source.len()) };
        self.alternatives.forget(Self::key(lane, at.into()), source.len() as u64);
    }
}
