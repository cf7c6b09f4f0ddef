//! Products of matrices.

use super::element::{factor_element, sum_bits, sum_element};
use crate::execute::state::ActiveLanes;
use crate::instruction::{
    Combine, ElementType, Factor, MultiplyMatrices, SumLayout, SumType, Sums, metadata_bits, multiply_add,
};
use crate::machine::{Slot, WARP};

/// Elements of lines that follow each other.
type Elements = Vec<f64>;

impl ActiveLanes<'_> {
    pub(super) fn multiply_matrices(&mut self, multiply: &MultiplyMatrices, mask: u32) {
        let MultiplyMatrices { a, b, c, d, .. } = multiply;
        let k = b.k;
        let mut a_lines = self.factor(a);
        if let Some(sparsity) = &multiply.sparsity {
            let metadata = *self.narrow(sparsity.metadata);
            let word = |row: usize, column: usize| {
                metadata[metadata_lane(a.element, k, sparsity.selector as usize, row, column)]
            };
            a_lines = spread(&a_lines, a.element, k, word);
        }
        let b_lines = self.factor(b);
        let mut sums = self.sums(c);
        for row in 0..c.rows {
            for col in 0..c.cols {
                // Each of four matrices has its own columns.
                let line = if c.layout == SumLayout::Quads { row / 8 * 8 + col } else { col };
                let (Some(a), Some(b), Some(sum)) = (
                    a_lines.get(row * k..(row + 1) * k),
                    b_lines.get(line * k..(line + 1) * k),
                    sums.get_mut(row * c.cols + col),
                ) else {
                    continue;
                };
                *sum = if d.ty == SumType::Double {
                    a.iter().zip(b).fold(*sum, |sum, (a, b)| multiply_add(*a, *b, sum, multiply.rounding))
                } else {
                    products(multiply.combine, a, b) + *sum
                };
            }
        }
        self.write_sums(d, &sums, multiply.saturates, mask);
    }

    fn register(&self, slot: Slot, wide: bool) -> [u64; WARP] {
        if wide { *self.wide(slot) } else { self.narrow(slot).map(u64::from) }
    }

    /// The elements of a factor, line by line.
    pub(super) fn factor(&self, factor: &Factor) -> Elements {
        let mut elements = vec![0.0; factor.lines * factor.k];
        for (register, &slot) in factor.slots.iter().enumerate().take(factor.registers()) {
            let row = self.register(slot, factor.element == ElementType::Double);
            for (lane, bits) in row.iter().enumerate() {
                for i in 0..factor.in_register() {
                    let (line, across) = factor.place(register, lane, i);
                    if let Some(element) = elements.get_mut(line * factor.k + across) {
                        *element = factor_element(factor.element, *bits, i);
                    }
                }
            }
        }
        elements
    }

    /// Sums, row by row.
    fn sums(&self, sums: &Sums) -> Elements {
        let wide = sums.ty == SumType::Double;
        let rows: Vec<[u64; WARP]> = sums.slots.iter().map(|&slot| self.register(slot, wide)).collect();
        sums.of_rows(&rows, sum_element)
    }

    fn write_sums(&mut self, sums: &Sums, elements: &[f64], saturates: bool, mask: u32) {
        for (&slot, row) in sums.slots.iter().zip(sum_rows(sums, elements, saturates)) {
            if sums.ty == SumType::Double {
                self.write_wide(slot, mask, &row);
            } else {
                self.write_narrow(slot, mask, &row.map(|bits| bits as u32));
            }
        }
    }
}

/// The registers of sums.
pub(super) fn sum_rows(sums: &Sums, elements: &[f64], saturates: bool) -> Vec<[u64; WARP]> {
    let in_register = if sums.ty == SumType::Half { 2 } else { 1 };
    let row = |register: usize| {
        std::array::from_fn(|lane| {
            (0..in_register).fold(0, |bits, i| {
                let (line, across) = sums.place(lane, register * in_register + i);
                let sum = elements.get(line * sums.cols + across).copied().unwrap_or(0.0);
                bits | sum_bits(sums.ty, sum, saturates) << (16 * i)
            })
        })
    };
    (0..sums.slots.len()).map(row).collect()
}

/// The sum of the products of two lines. Of all but doubles they are exact, and with what is added to it their sum is
/// rounded twice at most.
pub(super) fn products(combine: Combine, a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    match combine {
        Combine::Multiply | Combine::And => pairs.map(|(a, b)| a * b).sum(),
        Combine::Xor => pairs.map(|(a, b)| (a - b).abs()).sum(),
    }
}

/// The lane that has the metadata of an element of A. A word has 16 bits of a row and 16 of the one 8 rows further down, or, of elements
/// of 8 bits and less, 32 bits of one row.
pub(super) fn metadata_lane(
    element: ElementType,
    k: usize,
    selector: usize,
    row: usize,
    column: usize,
) -> usize {
    let quad = row % 8 * 4;
    let half = row / 8 % 2;
    let bit = metadata_bits(element, column);
    let word = if element.bits() >= 16 { bit / 16 } else { bit / 32 * 2 + half };
    let words = (16 * metadata_bits(element, k)).div_ceil(32 * 8);
    quad + (selector * words + word) % 4
}

/// Puts the elements of A, of which half aren't there, to their places in lines of `k`. `word` gives the word of metadata of an element.
pub(super) fn spread(
    kept: &[f64],
    element: ElementType,
    k: usize,
    word: impl Fn(usize, usize) -> u32,
) -> Elements {
    // Columns of which half are there, and how many stand together.
    let (group, together) = match element.bits() {
        32 => (2, 1),
        4 => (8, 2),
        _ => (4, 1),
    };
    let rows = kept.len() * 2 / k.max(1);
    let mut elements = vec![0.0; rows * k];
    for row in 0..rows {
        for first in (0..k).step_by(group) {
            let bit = metadata_bits(element, first);
            let within = if element.bits() >= 16 { bit % 16 + row / 8 % 2 * 16 } else { bit % 32 };
            let which = word(row, first) >> within & 15;
            for i in 0..group / 2 {
                let column = if group == 2 {
                    // Of two halves of 32 bits each, the first.
                    (which & 3) as usize / 2
                } else {
                    (which >> (2 * (i / together)) & 3) as usize * together + i % together
                };
                let from = kept.get(row * k / 2 + first / 2 + i).copied().unwrap_or(0.0);
                if let Some(to) = elements.get_mut(row * k + first + column) {
                    *to += from;
                }
            }
        }
    }
    elements
}
