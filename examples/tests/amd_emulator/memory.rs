//! The memory that the emulator's kernels see: a file that the server maps at a fixed address. Here it is
//! only read and written, so no pointer into it is ever followed on this side.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

use gridwright::__private::bytemuck;
use gridwright::KernelArg;
use gridwright_core::{RawMatrix, RawSlice};

/// Where the server maps it.
pub(crate) const ADDRESS: usize = 0x7e00_0000_0000;
/// How much there is.
pub(crate) const BYTES: usize = 1 << 20;

/// What lies where nothing was put.
const UNUSED: u8 = 0xa5;
/// Between two buffers, at least.
const GAP: usize = 256;

#[derive(Debug)]
pub(crate) struct Memory {
    file: File,
    /// What the file has to hold.
    bytes: Vec<u8>,
    used: usize,
}

impl Memory {
    /// Makes the file.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        let memory = Self { file, bytes: vec![UNUSED; BYTES], used: GAP };
        memory.write()?;
        Ok(memory)
    }

    /// Forgets all buffers.
    pub(crate) fn clear(&mut self) {
        self.bytes.fill(UNUSED);
        self.used = GAP;
    }

    /// A buffer.
    pub(crate) fn slice<T: KernelArg>(&mut self, elements: &[T]) -> RawSlice<T> {
        let bytes: &[u8] = bytemuck::cast_slice(elements);
        let start = self.used;
        let end = start + bytes.len();
        assert!(end + GAP <= BYTES, "the emulator's memory is too small for {} bytes more", bytes.len());
        self.bytes[start..end].copy_from_slice(bytes);
        self.used = (end + GAP).next_multiple_of(GAP);
        RawSlice { pointer: std::ptr::without_provenance_mut(ADDRESS + start), len: elements.len() }
    }

    /// A matrix, row after row.
    pub(crate) fn matrix<T: KernelArg>(&mut self, rows: usize, cols: usize, elements: &[T]) -> RawMatrix<T> {
        assert_eq!(elements.len(), rows * cols, "a matrix of {rows} x {cols}");
        RawMatrix { pointer: self.slice(elements).pointer, rows, cols }
    }

    /// Gives the kernel what was put here.
    pub(crate) fn write(&self) -> io::Result<()> {
        self.file.write_all_at(&self.bytes, 0)
    }

    /// The elements that a kernel wrote, of each of its results. All else has to be as it was.
    pub(crate) fn written<T: KernelArg, const N: usize>(
        &mut self,
        results: [*mut T; N],
        lens: [usize; N],
    ) -> io::Result<[Vec<T>; N]> {
        let mut now = vec![0; BYTES];
        self.file.read_exact_at(&mut now, 0)?;
        let places: [_; N] = std::array::from_fn(|i| {
            let start = results[i].addr() - ADDRESS;
            start..start + lens[i] * size_of::<T>()
        });
        for place in &places {
            self.bytes[place.clone()].copy_from_slice(&now[place.clone()]);
        }
        let stray = (0..BYTES).find(|&i| now[i] != self.bytes[i]);
        assert_eq!(stray, None, "the kernel wrote a byte outside of {places:?}, where it owns nothing");
        Ok(places.map(|place| bytemuck::pod_collect_to_vec(&now[place])))
    }
}
