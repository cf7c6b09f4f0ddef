//! Loads, stores and transpositions of matrices of 8 by 8 elements of 16 bits.

use crate::execute::state::ActiveLanes;
use crate::execute::transfer::{load_row, store_element};
use crate::instruction::{Memory, MoveMatrices};
use crate::machine::{Done, Pointers, SHARED_WINDOW, Slot, Use, WARP, lanes_of};

/// Rows of a matrix, each of 16 bytes.
const ROWS: usize = 8;
/// Words of a row.
const WORDS: usize = 4;

impl ActiveLanes<'_> {
    /// Pointers to the rows. The lanes of the first `8 * count` give their addresses.
    fn matrix_rows(&mut self, moved: &MoveMatrices, mask: u32, is_write: bool) -> Done<(Pointers, u32)> {
        let giving = mask & u32::MAX >> (WARP - (ROWS * moved.values.len()).clamp(1, WARP));
        let mut addresses = self.addresses(&moved.access);
        if moved.access.memory == Memory::Generic {
            // Only workgroup memory is accessed: any other address is out of its bounds.
            addresses = addresses.map(|address| address.wrapping_sub(SHARED_WINDOW));
        }
        let used = Use {
            bytes: 16,
            is_read: !is_write,
            is_write,
            is_atomic: false,
            cache: moved.access.cache,
            hands_on: false,
        };
        let pointers = self.resolve(Memory::Shared, giving, &mut addresses, used)?;
        Ok((pointers, giving))
    }

    pub(super) fn load_matrices(&mut self, load: &MoveMatrices, mask: u32) -> Done {
        let (pointers, _) = self.matrix_rows(load, mask, false)?;
        let mut words = [[0_u32; WORDS]; WARP];
        for word in 0..WORDS {
            // SAFETY: `resolve` gave pointers to 16 bytes each, as aligned, also for lanes outside of the mask.
            let row = unsafe { load_row(&pointers, 4 * word, 4) };
            for (words, value) in words.iter_mut().zip(row) {
                words[word] = value as u32;
            }
        }
        for (rows, &slot) in words.chunks(ROWS).zip(&load.values) {
            let matrix: [u32; WARP] = std::array::from_fn(|lane| rows[lane / WORDS][lane % WORDS]);
            let matrix = if load.transposed { transposed(&matrix) } else { matrix };
            self.write_narrow(slot, mask, &matrix);
        }
        Ok(())
    }

    pub(super) fn store_matrices(&mut self, store: &MoveMatrices, mask: u32) -> Done {
        let (pointers, giving) = self.matrix_rows(store, mask, true)?;
        for (matrix, &slot) in store.values.iter().enumerate() {
            let values = *self.narrow(slot);
            let values = if store.transposed { transposed(&values) } else { values };
            for row in lanes_of(giving).filter(|lane| lane / ROWS == matrix) {
                for word in 0..WORDS {
                    let value = values[row % ROWS * WORDS + word];
                    // SAFETY: `resolve` gave a pointer to 16 bytes, as aligned, for each lane of the mask.
                    unsafe { store_element(pointers[row].add(4 * word), 4, value.into()) };
                }
            }
        }
        Ok(())
    }

    pub(super) fn transpose_matrix(&mut self, d: Slot, a: Slot, mask: u32) {
        let matrix = transposed(self.narrow(a));
        self.write_narrow(d, mask, &matrix);
    }
}

/// The transposed of a matrix of which lane `l` has two neighbours of row `l / 4`.
fn transposed(matrix: &[u32; WARP]) -> [u32; WARP] {
    let element = |row: usize, col: usize| matrix[row * WORDS + col / 2] >> (col % 2 * 16) & 0xffff;
    std::array::from_fn(|lane| {
        let (row, col) = (lane / WORDS, lane % WORDS * 2);
        element(col + 1, row) << 16 | element(col, row)
    })
}
