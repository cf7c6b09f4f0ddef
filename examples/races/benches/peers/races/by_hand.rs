//! Loops by hand that no other bench has: what one would write with rayon, for vectors as wide as the machine's.

use std::hint::select_unpredictable;

use rayon::prelude::*;

use gridwright_examples::samples::mandelbrot::{STEPS, is_near, next};
use gridwright_measured::widest;

/// Bodies that are computed side by side.
const LANES: usize = 16;

/// Sums that are made side by side.
const SUMS: usize = 64;

widest! {
    fn sum_of(x: &[f32], total: &mut f32) {
        let mut sums = [0.0_f32; SUMS];
        let (chunks, rest) = x.as_chunks();
        for chunk in chunks {
            for (sum, x) in sums.iter_mut().zip::<&[f32; SUMS]>(chunk) {
                *sum += x;
            }
        }
        *total = sums.iter().chain(rest).sum();
    }
}

/// The sum of all elements, `piece` at a time.
pub(crate) fn sum(x: &[f32], piece: usize) -> f32 {
    let of = |x: &[f32]| {
        let mut total = 0.0;
        sum_of(x, &mut total);
        total
    };
    x.par_chunks(piece).map(of).sum()
}

widest! {
    /// A step of some bodies, from `first` on: as the example's kernel, for `LANES` bodies at a time.
    fn some_bodies(
        first: usize, terms: [f32; 2], old: &[[f32; 4]], new: &mut [[f32; 4]], velocities: &mut [[f32; 3]],
    ) {
        let [time, softening] = terms;
        for (group, (new, velocities)) in new.chunks_mut(LANES).zip(velocities.chunks_mut(LANES)).enumerate() {
            let first = first + group * LANES;
            let own = |axis: usize| -> [f32; LANES] {
                std::array::from_fn(|lane| old.get(first + lane).map_or(0.0, |body| body[axis]))
            };
            let [x, y, z] = [own(0), own(1), own(2)];
            let mut pulls = [[0.0_f32; LANES]; 3];
            for &[at_x, at_y, at_z, mass] in old {
                for lane in 0..LANES {
                    let [x, y, z] = [at_x - x[lane], at_y - y[lane], at_z - z[lane]];
                    let square = x.mul_add(x, y.mul_add(y, z.mul_add(z, softening)));
                    let inverse = mass / (square * square.sqrt());
                    pulls[0][lane] = x.mul_add(inverse, pulls[0][lane]);
                    pulls[1][lane] = y.mul_add(inverse, pulls[1][lane]);
                    pulls[2][lane] = z.mul_add(inverse, pulls[2][lane]);
                }
            }
            for (lane, (new, velocity)) in new.iter_mut().zip(velocities).enumerate() {
                let body = old[first + lane];
                for axis in 0..3 {
                    velocity[axis] = time.mul_add(pulls[axis][lane], velocity[axis]);
                    new[axis] = time.mul_add(velocity[axis], body[axis]);
                }
                new[3] = body[3];
            }
        }
    }
}

/// A step of all bodies, `piece` at a time.
pub(crate) fn bodies(
    terms: [f32; 2],
    old: &[[f32; 4]],
    new: &mut [[f32; 4]],
    velocities: &mut [[f32; 3]],
    piece: usize,
) {
    let pieces = new.par_chunks_mut(piece).zip(velocities.par_chunks_mut(piece)).enumerate();
    pieces.for_each(|(at, (new, velocities))| some_bodies(at * piece, terms, old, new, velocities));
}

/// Points that are computed side by side.
const POINTS: usize = 32;

widest! {
    /// A row of the Mandelbrot set: `POINTS` points at a time, `STEPS` steps at a time until the last of them runs away, and
    /// those steps one by one.
    fn mandelbrot_row(row: usize, view: [f32; 3], most: u32, steps: &mut [u32]) {
        let [left, top, step] = view;
        let c_im = top - row as f32 * step;
        for (group, steps) in steps.chunks_mut(POINTS).enumerate() {
            let c_re: [f32; POINTS] = std::array::from_fn(|lane| (group * POINTS + lane) as f32 * step + left);
            let [mut re, mut im] = [[0.0_f32; POINTS]; 2];
            let mut count = [0_u32; POINTS];
            for _ in 0..most / STEPS {
                let mut near = 0;
                for lane in 0..POINTS {
                    let (mut z, mut was_near) = ([re[lane], im[lane]], false);
                    for _ in 0..STEPS {
                        was_near = is_near(z);
                        z = next(z, [c_re[lane], c_im]);
                    }
                    near |= u32::from(was_near);
                    count[lane] += STEPS * u32::from(was_near);
                    re[lane] = select_unpredictable(was_near, z[0], re[lane]);
                    im[lane] = select_unpredictable(was_near, z[1], im[lane]);
                }
                if near == 0 {
                    break;
                }
            }
            for lane in 0..POINTS {
                let (mut z, mut more) = ([re[lane], im[lane]], 0);
                for _ in 0..STEPS {
                    more += u32::from(is_near(z));
                    z = next(z, [c_re[lane], c_im]);
                }
                count[lane] += more.min(most - count[lane]);
            }
            steps.copy_from_slice(&count[..steps.len()]);
        }
    }
}

/// The Mandelbrot set, at least `rows` rows in a piece.
pub(crate) fn mandelbrot(size: usize, view: [f32; 3], most: u32, steps: &mut [u32], rows: usize) {
    let pieces = steps.par_chunks_exact_mut(size).enumerate().with_min_len(rows);
    pieces.for_each(|(row, steps)| mandelbrot_row(row, view, most, steps));
}

widest! {
    /// The means of a row's neighbours: the ends stay as they are.
    fn stencil_row(above: &[f32], here: &[f32], below: &[f32], new: &mut [f32]) {
        let last = here.len() - 1;
        let (left, right) = (&here[..last - 1], &here[2..]);
        let neighbours = above[1..last].iter().zip(&below[1..last]).zip(left.iter().zip(right));
        for (new, ((above, below), (left, right))) in new[1..last].iter_mut().zip(neighbours) {
            *new = 0.25 * ((above + below) + (left + right));
        }
        (new[0], new[last]) = (here[0], here[last]);
    }
}

/// A step of the five-point stencil on a square of three rows or more, at least `rows` rows in a piece.
pub(crate) fn stencil(size: usize, old: &[f32], new: &mut [f32], rows: usize) {
    let pieces = new.par_chunks_exact_mut(size).enumerate().with_min_len(rows);
    pieces.for_each(|(row, new)| {
        let of = |row: usize| &old[row * size..][..size];
        if row == 0 || row + 1 == size {
            new.copy_from_slice(of(row));
        } else {
            stencil_row(of(row - 1), of(row), of(row + 1), new);
        }
    });
}

/// Each element becomes the sum of those before it: the sums of pieces first, and each piece from where the one before ends.
pub(crate) fn scan(x: &[u32], y: &mut [u32], piece: usize) {
    let add = |x: &[u32]| x.iter().fold(0_u32, |sum, x| sum.wrapping_add(*x));
    let mut starts: Vec<u32> = x.par_chunks(piece).map(add).collect();
    let mut sum = 0_u32;
    for start in &mut starts {
        sum = sum.wrapping_add(std::mem::replace(start, sum));
    }
    y.par_chunks_mut(piece).zip(x.par_chunks(piece)).zip(starts).for_each(|((y, x), mut sum)| {
        for (y, x) in y.iter_mut().zip(x) {
            *y = sum;
            sum = sum.wrapping_add(*x);
        }
    });
}

/// Rows and columns of the tiles of C that are kept in registers, and how many of A's columns and B's rows are taken at a time.
const TILE: (usize, usize) = (4, 16);
const DEPTH: usize = 256;

widest! {
    /// Some rows of C = A·B for squares, whose sides are a multiple of a tile's. `a` are rows of A.
    fn some_tiles(size: usize, a: &[f32], b: &[f32], c: &mut [f32]) {
        const ROWS: usize = TILE.0;
        const COLS: usize = TILE.1;
        c.fill(0.0);
        for deep in (0..size).step_by(DEPTH) {
            let depth = DEPTH.min(size - deep);
            for col in (0..size).step_by(COLS) {
                for (a, c) in a.chunks_exact(ROWS * size).zip(c.chunks_exact_mut(ROWS * size)) {
                    let mut sums = [[0.0_f32; COLS]; ROWS];
                    let rows: [&[f32]; ROWS] = std::array::from_fn(|row| &a[row * size + deep..][..depth]);
                    for k in 0..depth {
                        let b = &b[(deep + k) * size + col..][..COLS];
                        for (sums, row) in sums.iter_mut().zip(rows) {
                            for (sum, b) in sums.iter_mut().zip(b) {
                                *sum = row[k].mul_add(*b, *sum);
                            }
                        }
                    }
                    for (row, sums) in sums.iter().enumerate() {
                        for (c, sum) in c[row * size + col..].iter_mut().zip(sums) {
                            *c += sum;
                        }
                    }
                }
            }
        }
    }
}

/// C = A·B for squares, `rows` rows at a time, of which there is a whole number of tiles.
pub(crate) fn matrix_mul_tiled(size: usize, a: &[f32], b: &[f32], c: &mut [f32], rows: usize) {
    let pieces = c.par_chunks_mut(rows * size).zip(a.par_chunks(rows * size));
    pieces.for_each(|(c, a)| some_tiles(size, a, b, c));
}
