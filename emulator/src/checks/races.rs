//! Who accessed each piece of device memory last.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Mutex, PoisonError};

use super::cell::Cell;
use super::shadow_row::{ROW, Row};

/// Pieces of a page of device memory.
const PAGE: usize = ROWS * ROW;
/// Rows of a page.
const ROWS: usize = 8;
const SHARDS: usize = 64;

/// Spreads page numbers.
#[derive(Debug, Default, Clone, Copy)]
struct PageHasher(u64);

impl Hasher for PageHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }
}

type Shard = Mutex<HashMap<u64, Box<Page>, BuildHasherDefault<PageHasher>>>;

/// The rows of a page.
#[derive(Debug, Default)]
pub(crate) struct Page([Row; ROWS]);

impl Page {
    /// The cell of a piece of the page. Other pieces' bits of the number don't count.
    pub(crate) fn cell(&mut self, piece: u64) -> &mut Cell {
        let piece = piece as usize % PAGE;
        self.0[piece / ROW].cell(piece)
    }

    /// The row that begins at a piece.
    pub(crate) fn row(&mut self, piece: u64) -> &mut Row {
        &mut self.0[piece as usize % PAGE / ROW]
    }
}

/// The cells of a launch's device memory, in pages that are made when they are touched.
#[derive(Debug)]
pub(crate) struct GlobalShadow {
    shards: Vec<Shard>,
    /// Bytes of a piece: a power of two.
    pub(crate) grain: u64,
}

impl GlobalShadow {
    pub(crate) fn new(grain: u64) -> Self {
        Self { shards: (0..SHARDS).map(|_| Shard::default()).collect(), grain }
    }

    /// The number of the piece that an address is in.
    #[inline]
    pub(crate) fn piece_of(&self, address: u64) -> u64 {
        address >> self.grain.trailing_zeros()
    }

    #[inline]
    pub(crate) fn page_of(&self, address: u64) -> u64 {
        self.piece_of(address) / PAGE as u64
    }

    /// Calls a function with a page.
    #[inline]
    pub(crate) fn with_page<T>(&self, page: u64, f: impl FnOnce(&mut Page) -> T) -> T {
        let shard = &self.shards[(page % SHARDS as u64) as usize];
        let mut pages = shard.lock().unwrap_or_else(PoisonError::into_inner);
        f(pages.entry(page).or_default())
    }
}
