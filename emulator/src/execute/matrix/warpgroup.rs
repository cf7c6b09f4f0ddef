//! Products of matrices by four warps. Each warp reads what it needs when it begins a product, and has the sums when it has waited
//! for it: what it reads of its registers before that is what was there.

use super::element::factor_element;
use super::multiply::{metadata_lane, products, spread, sum_rows};
use crate::execute::state::ActiveLanes;
use crate::execute::transfer::load_row;
use crate::instruction::{Memory, MultiplyByWarpgroup, SharedFactor, WarpgroupFactor};
use crate::machine::{Done, Product, Slot, Use, WARP};
use crate::tensor_map::Swizzle;

/// Rows of a warp's part.
const ROWS: usize = 16;
/// Bytes that are accessed at once, and 8 of them side by side, in which rows of 16 bytes are held without a swizzle.
const PIECE: u64 = 16;
/// Lines of a part of a matrix.
const LINES: u64 = 8;

/// Where a matrix lies in workgroup memory: "Matrix descriptor" of the PTX ISA.
#[derive(Debug, Clone, Copy)]
struct Descriptor {
    start: u64,
    /// Bytes to the next part along the leading dimension, and along the other.
    leading: u64,
    stride: u64,
    base: u64,
    swizzle: Swizzle,
}

impl Descriptor {
    fn of(bits: u64) -> Self {
        let field = |shift: u32| (bits >> shift & 0x3fff) << 4;
        let swizzle = match bits >> 62 {
            0 => Swizzle::None,
            1 => Swizzle::Bytes128,
            2 => Swizzle::Bytes64,
            _ => Swizzle::Bytes32,
        };
        Self { start: field(0), leading: field(16), stride: field(32), base: bits >> 49 & 7, swizzle }
    }

    /// Address of the piece of a number along K, of a line.
    fn along_k(self, line: u64, piece: u64) -> u64 {
        let across = if self.swizzle == Swizzle::None { piece * self.leading } else { piece * PIECE };
        let offset = line % LINES * self.swizzle.span() + line / LINES * self.stride + across;
        self.swizzle.place(self.start + offset, self.base)
    }

    /// Address of the piece of a number along the lines, of a place along K.
    fn along_lines(self, k: u64, piece: u64) -> u64 {
        let pieces = self.swizzle.span() / PIECE;
        // Without a swizzle the two change their parts.
        let (next_lines, next_k) = match self.swizzle {
            Swizzle::None => (self.stride, self.leading),
            _ => (self.leading, self.stride),
        };
        let offset = piece % pieces * PIECE
            + piece / pieces * next_lines
            + k % LINES * self.swizzle.span()
            + k / LINES * next_k;
        self.swizzle.place(self.start + offset, self.base)
    }
}

impl ActiveLanes<'_> {
    pub(super) fn multiply_by_warpgroup(&mut self, multiply: &MultiplyByWarpgroup, mask: u32) -> Done {
        let k = multiply.k;
        let warp = self.identity.warp;
        let kept = if multiply.sparsity.is_some() { k / 2 } else { k };
        let mut a = match &multiply.a {
            WarpgroupFactor::Registers(factor) => self.factor(factor),
            WarpgroupFactor::Shared(shared) => {
                let first = warp % 4 * ROWS;
                self.shared_factor(shared, first, ROWS, kept)?
            }
        };
        if let Some(sparsity) = &multiply.sparsity {
            let metadata = *self.narrow(sparsity.metadata);
            let selector = sparsity.selector as usize;
            let element = multiply.b.element;
            a = spread(&a, element, k, |row, column| {
                metadata[metadata_lane(element, k, selector, row, column)]
            });
        }
        let columns = multiply.sums.cols;
        let b = self.shared_factor(&multiply.b, 0, columns, k)?;
        let rows =
            multiply.sums.slots.iter().map(|&slot| self.latest(slot).map(u64::from)).collect::<Vec<_>>();
        let mut sums = multiply.sums.of_rows(&rows, super::element::sum_element);
        let adds = self.predicate(multiply.adds) & mask != 0;
        for (row, a) in a.chunks(k).enumerate() {
            for (col, b) in b.chunks(k).enumerate() {
                if let Some(sum) = sums.get_mut(row * columns + col) {
                    let product = products(multiply.combine, a, b);
                    let product = if multiply.negative { -product } else { product };
                    *sum = if adds { product + *sum } else { product };
                }
            }
        }
        let group = *self.group.products.closed(warp);
        let results = sum_rows(&multiply.sums, &sums, multiply.saturates);
        for (&slot, values) in multiply.sums.slots.iter().zip(results) {
            let row = self.start.narrow + slot.0;
            let values = values.map(|bits| bits as u32);
            let pending = &mut self.group.products.sums;
            pending.retain(|one| (one.warp, one.row, one.group) != (warp, row, group));
            pending.push(Product { warp, row, group, values });
        }
        Ok(())
    }

    /// What a register will hold when all products are done.
    fn latest(&self, slot: Slot) -> [u32; WARP] {
        let (warp, row) = (self.identity.warp, self.start.narrow + slot.0);
        let pending = self.group.products.sums.iter().rev().find(|one| (one.warp, one.row) == (warp, row));
        pending.map_or_else(|| *self.narrow(slot), |one| one.values)
    }

    pub(super) fn commit_products(&mut self) {
        let closed = self.group.products.closed(self.identity.warp);
        *closed = closed.saturating_add(1);
    }

    /// Ends the products of all groups but so many of the last ones.
    pub(super) fn await_products(&mut self, but: u32, mask: u32) {
        let warp = self.identity.warp;
        let closed = *self.group.products.closed(warp);
        let is_done =
            |one: &Product| one.warp == warp && u64::from(one.group) + u64::from(but) < u64::from(closed);
        let pending = std::mem::take(&mut self.group.products.sums);
        let (done, rest): (Vec<Product>, Vec<Product>) = pending.into_iter().partition(is_done);
        self.group.products.sums = rest;
        for one in done {
            // A frame that is gone has no registers.
            if let Some(slot) = one.row.checked_sub(self.start.narrow) {
                self.write_narrow(Slot(slot), mask, &one.values);
                if !self.alternatives.is_empty() {
                    self.agree(Slot(slot), false, mask);
                }
            }
        }
        if self.core.checks.workgroup_races || self.core.checks.device_races {
            // What all lanes read for the products is read.
            self.group.clocks.meet(warp, mask);
        }
    }

    /// Lines of a matrix in workgroup memory, each with `k` elements.
    fn shared_factor(
        &mut self,
        shared: &SharedFactor,
        first: usize,
        lines: usize,
        k: usize,
    ) -> Done<Vec<f64>> {
        let descriptor = Descriptor::of(self.wide(shared.descriptor)[0]);
        let bits = shared.element.bits();
        let in_piece = PIECE as usize * 8 / bits;
        // Each piece, and the line and the place along K of its first element.
        let mut places = Vec::new();
        if shared.turned {
            for at in 0..k {
                for line in (first..first + lines).step_by(in_piece) {
                    let piece = (line / in_piece) as u64;
                    places.push((descriptor.along_lines(at as u64, piece), line - first, at));
                }
            }
        } else {
            for line in 0..lines {
                for at in (0..k).step_by(in_piece) {
                    let address = descriptor.along_k((first + line) as u64, (at / in_piece) as u64);
                    places.push((address, line, at));
                }
            }
        }
        let mut elements = vec![0.0; lines * k];
        for places in places.chunks(WARP) {
            let mask = u32::MAX >> (WARP - places.len());
            let mut addresses = [0; WARP];
            addresses.iter_mut().zip(places).for_each(|(address, place)| *address = place.0);
            let used = Use {
                bytes: PIECE as u32,
                is_read: true,
                is_write: false,
                is_atomic: false,
                cache: u32::MAX,
                hands_on: false,
            };
            let pointers = self.resolve(Memory::Shared, mask, &mut addresses, used)?;
            // SAFETY: `resolve` gave pointers to 16 bytes, as aligned as that, also for lanes outside of the mask.
            let halves = unsafe { [load_row(&pointers, 0, 8), load_row(&pointers, 8, 8)] };
            for (lane, &(_, line, at)) in places.iter().enumerate() {
                for i in 0..in_piece {
                    let bit = i * bits;
                    let value = factor_element(shared.element, halves[bit / 64][lane] >> (bit % 64), 0);
                    let (line, at) = if shared.turned { (line + i, at) } else { (line, at + i) };
                    if let Some(element) = elements.get_mut(line * k + at).filter(|_| line < lines) {
                        *element = value;
                    }
                }
            }
        }
        Ok(elements)
    }
}
