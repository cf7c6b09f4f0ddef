//! Products of matrices that a warp's lanes hold together, and loads of them.
//!
//! Which lane has which element: PTX ISA, "Matrix Fragments for mma.m16n8k16 with floating point type" and its neighbours, and
//! `ldmatrix`.

use half::{bf16, f16};

use super::WARP;
use super::address::SHARED_WINDOW;
use super::lanes::Lanes;
use super::memory::{Done, Use};
use super::transfer::load_row;
use crate::instruction::{FactorType, LoadMatrices, Matrix, Memory, MultiplyMatrices, Slot, SumType};

/// Rows of a matrix that is loaded, each of 16 bytes.
const ROWS: usize = 8;

/// An element: integers fit, too.
type Elements = Vec<f64>;

impl Lanes<'_> {
    /// Executes an operation on matrices, by all lanes of the warp.
    pub(super) fn matrix_operation(&mut self, matrix: &Matrix, mask: u32) -> Done {
        match matrix {
            Matrix::Multiply(multiply) => {
                self.multiply_matrices(multiply, mask);
                Ok(())
            }
            Matrix::Load(load) => self.load_matrices(load, mask),
        }
    }

    /// The lanes' part of a factor: lines of `k` elements, rows of A or columns of B.
    fn lines(&self, slots: &[Slot], factor: FactorType, lines: usize, k: usize, is_a: bool) -> Elements {
        let mut elements = vec![0.0; lines * k];
        if factor == FactorType::Double {
            for &slot in slots {
                for (lane, bits) in self.wide(slot).iter().enumerate() {
                    elements[lane / 4 * k + lane % 4] = f64::from_bits(*bits);
                }
            }
            return elements;
        }
        let in_a_word = 4 / factor.bytes();
        for (word, &slot) in slots.iter().enumerate() {
            // A has its upper and lower half in turn; B has no lower one.
            let (half, part) = if is_a { (word % 2, word / 2) } else { (0, word) };
            for (lane, bits) in self.narrow(slot).iter().enumerate() {
                let first = (lane / 4 + 8 * half) * k + (4 * part + lane % 4) * in_a_word;
                for (i, element) in elements[first..first + in_a_word].iter_mut().enumerate() {
                    *element = factor_element(factor, *bits, i);
                }
            }
        }
        elements
    }

    fn multiply_matrices(&mut self, multiply: &MultiplyMatrices, mask: u32) {
        let MultiplyMatrices { factor, sum, rows, k, .. } = *multiply;
        let a = self.lines(&multiply.a, factor, rows, k, true);
        let b = self.lines(&multiply.b, factor, 8, k, false);
        let products = |row: usize, col: usize| a[row * k..][..k].iter().zip(&b[col * k..][..k]);
        // Products of all but doubles are exact, and their sum is rounded twice at most.
        let added = |row: usize, col: usize, c: f64| match sum {
            SumType::Double => products(row, col).fold(c, |sum, (a, b)| a.mul_add(*b, sum)),
            _ => products(row, col).map(|(a, b)| a * b).sum::<f64>() + c,
        };
        // In the `i`-th element that a lane has: the row, and the first of the two columns of a lane.
        let row = |lane: usize, i: usize| lane / 4 + 8 * (i / 2);
        let col = |lane: usize, i: usize| lane % 4 * 2 + i % 2;
        for (register, (&c, &d)) in multiply.c.iter().zip(&multiply.d).enumerate() {
            match sum {
                SumType::Double => {
                    let i = register;
                    let mut results = self.wide(c).map(f64::from_bits);
                    for (lane, value) in results.iter_mut().enumerate() {
                        *value = added(row(lane, i), col(lane, i), *value);
                    }
                    self.write_wide(d, mask, &results.map(f64::to_bits));
                }
                SumType::Single => {
                    let i = register;
                    let mut results = self.narrow(c).map(f32::from_bits);
                    for (lane, value) in results.iter_mut().enumerate() {
                        *value = added(row(lane, i), col(lane, i), f64::from(*value)) as f32;
                    }
                    self.write_narrow(d, mask, &results.map(f32::to_bits));
                }
                SumType::Integer => {
                    let i = register;
                    let mut results = *self.narrow(c);
                    for (lane, value) in results.iter_mut().enumerate() {
                        let sum = added(row(lane, i), col(lane, i), f64::from(*value as i32));
                        // It wraps around.
                        *value = sum as i64 as u32;
                    }
                    self.write_narrow(d, mask, &results);
                }
                SumType::Half => {
                    let mut results = *self.narrow(c);
                    for (lane, word) in results.iter_mut().enumerate() {
                        let half = |part: usize| {
                            let i = 2 * register + part;
                            let value = f16::from_bits((*word >> (16 * part)) as u16).to_f64();
                            u32::from(f16::from_f64(added(row(lane, i), col(lane, i), value)).to_bits())
                        };
                        *word = half(1) << 16 | half(0);
                    }
                    self.write_narrow(d, mask, &results);
                }
            }
        }
    }

    fn load_matrices(&mut self, load: &LoadMatrices, mask: u32) -> Done {
        let count = load.d.len();
        // The lanes of the first `8 * count` give the addresses of rows.
        let giving = u32::MAX >> (WARP - ROWS * count);
        let mut addresses = self.addresses(&load.access);
        if load.access.memory == Memory::Generic {
            // Only workgroup memory is loaded from: any other address is out of its bounds.
            addresses = addresses.map(|address| address.wrapping_sub(SHARED_WINDOW));
        }
        let used =
            Use { bytes: 16, is_read: true, is_write: false, is_atomic: false, cache: load.access.cache };
        let pointers = self.resolve(Memory::Shared, giving & mask, &mut addresses, used)?;
        let mut words = [[0_u32; 4]; WARP];
        for word in 0..4 {
            // SAFETY: `resolve` gave pointers to 16 bytes each, as aligned, also for lanes outside of the mask.
            let row = unsafe { load_row(&pointers, 4 * word, 4) };
            for (words, value) in words.iter_mut().zip(row) {
                words[word] = value as u32;
            }
        }
        for (matrix, &slot) in load.d.iter().enumerate() {
            let rows = &words[ROWS * matrix..][..ROWS];
            let element = |row: usize, col: usize| rows[row][col / 2] >> (col % 2 * 16) & 0xffff;
            let values: [u32; WARP] = std::array::from_fn(|lane| {
                let (line, pair) = (lane / 4, lane % 4 * 2);
                if load.transposed {
                    element(pair + 1, line) << 16 | element(pair, line)
                } else {
                    element(line, pair + 1) << 16 | element(line, pair)
                }
            });
            self.write_narrow(slot, mask, &values);
        }
        Ok(())
    }
}

/// The `i`-th element of a word.
fn factor_element(factor: FactorType, word: u32, i: usize) -> f64 {
    match factor {
        FactorType::Half => f16::from_bits((word >> (16 * i)) as u16).to_f64(),
        FactorType::Brain => bf16::from_bits((word >> (16 * i)) as u16).to_f64(),
        // The unit takes no notice of the lowest 13 bits.
        FactorType::Tf32 => f32::from_bits(word & !0x1fff).into(),
        FactorType::Signed => f64::from((word >> (8 * i)) as u8 as i8),
        FactorType::Unsigned => f64::from((word >> (8 * i)) as u8),
        FactorType::Double => 0.0,
    }
}
