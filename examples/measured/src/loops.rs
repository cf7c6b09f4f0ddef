//! The hand-written loops: what one would write without Gridwright.

use rayon::prelude::*;

use crate::widest;

widest! {
    /// y = a*x + y.
    pub fn saxpy(a: f32, x: &[f32], y: &mut [f32]) {
        for (y, x) in y.iter_mut().zip(x) {
            *y = a.mul_add(*x, *y);
        }
    }
}

/// [`saxpy`] on rayon's threads.
pub fn saxpy_rayon(a: f32, x: &[f32], y: &mut [f32], chunk: usize) {
    y.par_chunks_mut(chunk).zip(x.par_chunks(chunk)).for_each(|(y, x)| saxpy(a, x, y));
}

/// A grey image.
#[derive(Clone, Copy, Debug)]
pub struct Image<'i> {
    /// Row after row.
    pub pixels: &'i [u8],
    /// How many.
    pub rows: usize,
    /// The pixels of a row.
    pub cols: usize,
}

impl Image<'_> {
    fn row(&self, row: usize) -> &[u8] {
        &self.pixels[row * self.cols..][..self.cols]
    }

    /// One row of edges: the slice loop inside, the careful function at the borders.
    pub fn sobel_row(self, row: usize, edges: &mut [u8]) {
        if row == 0 || row + 1 == self.rows || self.cols < 3 {
            for (col, edge) in edges.iter_mut().enumerate() {
                *edge = self.border(row, col);
            }
            return;
        }
        let last = self.cols - 1;
        edges[0] = self.border(row, 0);
        edges[last] = self.border(row, last);
        interior(self.row(row - 1), self.row(row), self.row(row + 1), &mut edges[1..last]);
    }

    /// All rows on this thread.
    pub fn sobel(self, edges: &mut [u8]) {
        edges.chunks_exact_mut(self.cols).enumerate().for_each(|(row, edges)| self.sobel_row(row, edges));
    }

    /// Rows on rayon's threads, at least `rows` in a piece.
    pub fn sobel_rayon(self, edges: &mut [u8], rows: usize) {
        let pieces = edges.par_chunks_exact_mut(self.cols).enumerate().with_min_len(rows);
        pieces.for_each(|(row, edges)| self.sobel_row(row, edges));
    }

    /// Any pixel. A neighbour outside the image counts as the pixel itself.
    fn border(self, row: usize, col: usize) -> u8 {
        let here = self.pixels[row * self.cols + col];
        let at = |down: usize, right: usize| {
            let (row, col) = ((row + down).wrapping_sub(1), (col + right).wrapping_sub(1));
            if row < self.rows && col < self.cols { self.pixels[row * self.cols + col] } else { here }
        };
        gradient([at(0, 0), at(0, 1), at(0, 2)], [at(1, 0), at(1, 2)], [at(2, 0), at(2, 1), at(2, 2)])
    }
}

widest! {
    /// `edges` are those of the pixels of `here` but the first and the last.
    fn interior(above: &[u8], here: &[u8], below: &[u8], edges: &mut [u8]) {
        let cols = edges.len() + 2;
        let (above, here, below) = (&above[..cols], &here[..cols], &below[..cols]);
        for (left, edge) in edges.iter_mut().enumerate() {
            let of = |row: &[u8]| [row[left], row[left + 1], row[left + 2]];
            *edge = gradient(of(above), [here[left], here[left + 2]], of(below));
        }
    }
}

#[inline(always)]
fn gradient(above: [u8; 3], here: [u8; 2], below: [u8; 3]) -> u8 {
    let (above, here, below) = (above.map(i16::from), here.map(i16::from), below.map(i16::from));
    let gx = (above[2] + 2 * here[1] + below[2]) - (above[0] + 2 * here[0] + below[0]);
    let gy = (below[0] + 2 * below[1] + below[2]) - (above[0] + 2 * above[1] + above[2]);
    (gx.abs() + gy.abs()).min(255) as u8
}

widest! {
    /// C = A·B, row by row: to each row of C rows of B are added, as often as A says, four at a time, as the example's kernel does.
    /// `a` are rows of A.
    pub fn matrix_mul(inner: usize, cols: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        for (a, c) in a.chunks_exact(inner).zip(c.chunks_exact_mut(cols)) {
            c.fill(0.0);
            let (fours, rest) = a.as_chunks();
            let (of_fours, of_rest) = b.split_at(4 * fours.len() * cols);
            for (a, b) in fours.iter().zip(of_fours.chunks_exact(4 * cols)) {
                add_four(a, b, c);
            }
            for (a, b) in rest.iter().zip(of_rest.chunks_exact(cols)) {
                for (c, b) in c.iter_mut().zip(b) {
                    *c = a.mul_add(*b, *c);
                }
            }
        }
    }
}

/// Adds four rows of B to a row of C.
#[inline(always)]
fn add_four(a: &[f32; 4], b: &[f32], c: &mut [f32]) {
    let (first, rest) = b.split_at(c.len());
    let (second, rest) = rest.split_at(c.len());
    let (third, fourth) = rest.split_at(c.len());
    let rows = first.iter().zip(second).zip(third.iter().zip(fourth));
    for (c, ((first, second), (third, fourth))) in c.iter_mut().zip(rows) {
        let sum = a[1].mul_add(*second, a[0].mul_add(*first, *c));
        *c = a[3].mul_add(*fourth, a[2].mul_add(*third, sum));
    }
}

/// [`matrix_mul`] on rayon's threads, `rows` rows at a time.
pub fn matrix_mul_rayon(inner: usize, cols: usize, a: &[f32], b: &[f32], c: &mut [f32], rows: usize) {
    let pieces = c.par_chunks_mut(rows * cols).zip(a.par_chunks(rows * inner));
    pieces.for_each(|(c, a)| matrix_mul(inner, cols, a, b, c));
}

/// Rows and columns of the squares in which a matrix is transposed: rows of one fill a cache line.
const SQUARE: usize = 16;

widest! {
    /// Rows of a transposed matrix, from `first` on, square by square.
    pub fn transpose(rows: usize, cols: usize, first: usize, input: &[f32], output: &mut [f32]) {
        for (strip, output) in output.chunks_mut(SQUARE * rows).enumerate() {
            for left in (0..rows).step_by(SQUARE) {
                for (row, output) in output.chunks_exact_mut(rows).enumerate() {
                    let from = first + strip * SQUARE + row;
                    let end = rows.min(left + SQUARE);
                    for (col, output) in (left..end).zip(&mut output[left..end]) {
                        *output = input[col * cols + from];
                    }
                }
            }
        }
    }
}

/// [`transpose`] on rayon's threads, `piece` rows of the output at a time.
pub fn transpose_rayon(rows: usize, cols: usize, input: &[f32], output: &mut [f32], piece: usize) {
    let pieces = output.par_chunks_mut(piece * rows).enumerate();
    pieces.for_each(|(at, output)| transpose(rows, cols, at * piece, input, output));
}

/// How often each byte value occurs. Bytes side by side are counted in bins of their own, as a bin that was just written is read late.
pub fn histogram(data: &[u8]) -> [u32; 256] {
    let mut bins = [[0; 256]; 4];
    let (words, rest) = data.as_chunks();
    for word in words {
        for (bins, &value) in bins.iter_mut().zip::<&[u8; 4]>(word) {
            bins[usize::from(value)] += 1;
        }
    }
    rest.iter().for_each(|&value| bins[0][usize::from(value)] += 1);
    std::array::from_fn(|value| bins.iter().map(|bins| bins[value]).sum())
}

/// [`histogram`] on rayon's threads, `piece` bytes at a time.
pub fn histogram_rayon(data: &[u8], piece: usize) -> [u32; 256] {
    let both = |mut a: [u32; 256], b: [u32; 256]| {
        a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
        a
    };
    data.par_chunks(piece).map(histogram).reduce(|| [0; 256], both)
}

/// The distribution function of the normal distribution, by the example's polynomial.
#[inline(always)]
fn norm_cdf(d: f32) -> f32 {
    let k = 1.0 / 0.231_641_9_f32.mul_add(d.abs(), 1.0);
    let p = 1.330_274_4_f32.mul_add(k, -1.821_255_9).mul_add(k, 1.781_477_9);
    let p = p.mul_add(k, -0.356_563_78).mul_add(k, 0.319_381_54) * k;
    let tail = 0.398_942_3 * (-0.5 * d * d).exp() * p;
    if d > 0.0 { 1.0 - tail } else { tail }
}

widest! {
    /// What options are worth, calls and puts, at a rate of interest and a volatility.
    pub fn price(terms: [f32; 2], options: [&[f32]; 3], results: [&mut [f32]; 2]) {
        let ([rate, volatility], [price, strike, years], [call, put]) = (terms, options, results);
        let both = call.iter_mut().zip(put);
        for ((call, put), ((&price, &strike), &years)) in both.zip(price.iter().zip(strike).zip(years)) {
            let deviation = volatility * years.sqrt();
            let d1 = (0.5 * volatility * volatility + rate).mul_add(years, (price / strike).ln()) / deviation;
            let (of_price, of_strike) = (norm_cdf(d1), norm_cdf(d1 - deviation));
            let discounted = strike * (-rate * years).exp();
            *call = price * of_price - discounted * of_strike;
            *put = discounted * (1.0 - of_strike) - price * (1.0 - of_price);
        }
    }
}

/// [`price`] on rayon's threads, `chunk` options at a time.
pub fn price_rayon(
    terms: [f32; 2],
    [price, strike, years]: &[Vec<f32>; 3],
    [call, put]: [&mut [f32]; 2],
    chunk: usize,
) {
    let results = call.par_chunks_mut(chunk).zip(put.par_chunks_mut(chunk));
    let options = price.par_chunks(chunk).zip(strike.par_chunks(chunk)).zip(years.par_chunks(chunk));
    results.zip(options).for_each(|((call, put), ((price, strike), years))| {
        self::price(terms, [price, strike, years], [call, put]);
    });
}
