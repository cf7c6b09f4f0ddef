//! Loads and stores of matrices whose parts only `wmma` knows.

use crate::execute::state::ActiveLanes;
use crate::execute::transfer::{load_row, store_element};
use crate::instruction::{Fragment, MoveFragment, SumType};
use crate::machine::{Done, Use, WARP, lanes_of};

/// What is accessed at once: of each lane as many bytes, which are bits of a register.
#[derive(Debug, Clone, Copy)]
pub(in crate::execute) struct Piece {
    register: usize,
    /// The first bit in the register.
    shift: usize,
    pub(in crate::execute) bytes: u32,
    pub(in crate::execute) addresses: [u64; WARP],
}

impl ActiveLanes<'_> {
    /// The pieces of a matrix in memory.
    pub(in crate::execute) fn pieces(&self, moved: &MoveFragment) -> Vec<Piece> {
        let (base, stride) = (self.addresses(&moved.access), *self.narrow(moved.stride));
        // Bits from the matrix's beginning, of a line and a place across the lines.
        let offset = |lane: usize, line: usize, across: usize, bits: usize| {
            let stride = u64::from(stride[lane]);
            let (line, across) = (line as u64, across as u64);
            let element = if moved.along_lines { line * stride + across } else { across * stride + line };
            base[lane].wrapping_add(element.wrapping_mul(bits as u64) / 8)
        };
        let mut pieces = Vec::new();
        match &moved.fragment {
            Fragment::Factor(factor) => {
                let bits = factor.element.bits();
                // Neighbours in a register are neighbours in memory, or come alone.
                let together = if moved.along_lines { factor.in_register() } else { 1 };
                let bytes = (bits * together / 8) as u32;
                for register in 0..factor.registers() {
                    for i in (0..factor.in_register()).step_by(together) {
                        let addresses = std::array::from_fn(|lane| {
                            let (line, across) = factor.place(register, lane, i);
                            offset(lane, line, across, bits)
                        });
                        pieces.push(Piece { register, shift: bits * i, bytes, addresses });
                    }
                }
            }
            Fragment::Sums(sums) => {
                let bits = sums.ty.bits();
                let in_register = if sums.ty == SumType::Half { 2 } else { 1 };
                for i in 0..sums.elements() {
                    let addresses = std::array::from_fn(|lane| {
                        let (row, col) = sums.place(lane, i);
                        offset(lane, row, col, bits)
                    });
                    let (register, shift) = (i / in_register, i % in_register * bits);
                    pieces.push(Piece { register, shift, bytes: (bits / 8) as u32, addresses });
                }
            }
        }
        pieces
    }

    pub(super) fn load_fragment(&mut self, load: &MoveFragment, mask: u32) -> Done {
        let (slots, wide) = load.fragment.slots();
        let pieces = self.pieces(load);
        let registers = pieces.iter().map(|piece| piece.register + 1).max().unwrap_or(1);
        let mut rows = vec![[0_u64; WARP]; registers];
        for mut piece in pieces {
            let used = Use {
                bytes: piece.bytes,
                is_read: true,
                is_write: false,
                is_atomic: false,
                cache: load.access.cache,
                hands_on: false,
            };
            let pointers = self.resolve(load.access.memory, mask, &mut piece.addresses, used)?;
            // SAFETY: `resolve` gave pointers to so many bytes, as aligned as that, also for lanes outside of the mask.
            let values = unsafe { load_row(&pointers, 0, piece.bytes) };
            for (bits, value) in rows[piece.register].iter_mut().zip(values) {
                *bits |= value << piece.shift;
            }
        }
        for (register, &slot) in slots.iter().enumerate() {
            let row = rows[register % registers];
            if wide {
                self.write_wide(slot, mask, &row);
            } else {
                self.write_narrow(slot, mask, &row.map(|bits| bits as u32));
            }
        }
        Ok(())
    }

    pub(super) fn store_fragment(&mut self, store: &MoveFragment, mask: u32) -> Done {
        let (slots, wide) = store.fragment.slots();
        for mut piece in self.pieces(store) {
            let Some(&slot) = slots.get(piece.register) else { continue };
            let row = if wide { *self.wide(slot) } else { self.narrow(slot).map(u64::from) };
            let used = Use {
                bytes: piece.bytes,
                is_read: false,
                is_write: true,
                is_atomic: false,
                cache: store.access.cache,
                hands_on: false,
            };
            let pointers = self.resolve(store.access.memory, mask, &mut piece.addresses, used)?;
            for lane in lanes_of(mask) {
                // SAFETY: `resolve` gave a pointer to so many bytes, as aligned as that, for each lane of the mask.
                unsafe { store_element(pointers[lane], piece.bytes, row[lane] >> piece.shift) };
            }
        }
        Ok(())
    }
}
