//! Rayon's ways, and loops by hand on its threads.

use rayon::prelude::*;

use crate::algorithm::Algorithm;
use crate::arena::{Arena, BINS, UPPER};
use crate::contestant::Contestant;
use crate::value::{Number, Value};

const NAME: &str = "rayon";

/// How many pieces a thread gets.
const PIECES: [usize; 2] = [1, 8];

pub(crate) fn enter<T: Value>(algorithm: Algorithm, threads: usize) -> Contestant<'static, T> {
    let rayon = Contestant::new(NAME);
    match algorithm {
        Algorithm::Sort if T::HAS_TIES => rayon.way("par_sort_by", |arena| {
            arena.y.par_sort_by(T::order);
            arena.y.len()
        }),
        Algorithm::Sort => rayon.way("par_sort_unstable_by", |arena| {
            arena.y.par_sort_unstable_by(T::order);
            arena.y.len()
        }),
        Algorithm::Scan => in_pieces(rayon, threads, |Arena { x, y, .. }, piece| {
            let mut sums: Vec<T> = x.par_chunks(piece).map(T::sum_in_lanes).collect();
            let mut sum = T::default();
            for start in &mut sums {
                (*start, sum) = (sum, sum.plus(*start));
            }
            let pieces = y.par_chunks_mut(piece).zip(x.par_chunks(piece));
            pieces.zip(sums).for_each(|((y, x), start)| T::scan(x, y, start));
            x.len()
        }),
        Algorithm::Reduce => {
            let rayon = rayon.way("par_iter, reduce", |arena| {
                let sum = arena.x.par_iter().copied().reduce(T::default, T::plus);
                arena.keep_sum(sum)
            });
            in_pieces(rayon, threads, |arena, piece| {
                let sums = arena.x.par_chunks(piece).map(T::sum);
                let sum = sums.reduce(T::default, T::plus);
                arena.keep_sum(sum)
            })
        }
        Algorithm::Select => {
            let rayon = rayon.way("filter, collect", |arena| {
                let limit = arena.limit;
                let kept = arena.x.par_iter().copied().filter(|x| x.is_below(limit)).collect();
                arena.keep(kept)
            });
            in_pieces(rayon, threads, |Arena { x, y, limit, .. }, piece| {
                let limit = *limit;
                compact(
                    x.par_chunks(piece),
                    y,
                    |x| T::count_below(x, limit),
                    |x, y| {
                        T::select(x, limit, y);
                    },
                )
            })
        }
        Algorithm::Unique => {
            let rayon = rayon.way("par_windows, filter, collect", |arena| {
                let x = &arena.x;
                let new = x.par_windows(2).filter(|two| two[0] != two[1]).map(|two| two[1]);
                let kept = rayon::iter::once(x[0]).chain(new).collect();
                arena.keep(kept)
            });
            in_pieces(rayon, threads, |Arena { x, y, .. }, piece| {
                y[0] = x[0];
                // Each piece begins with the element before it.
                let pieces = (1..x.len()).into_par_iter().step_by(piece);
                let pieces = pieces.map(|start| &x[start - 1..x.len().min(start + piece)]);
                let write = |x: &[T], y: &mut [T]| {
                    T::unique(x, y);
                };
                1 + compact(pieces, &mut y[1..], T::count_new, write)
            })
        }
        Algorithm::Histogram => rayon,
    }
}

pub(crate) fn histogram<T: Number>(threads: usize) -> Contestant<'static, T> {
    in_pieces(Contestant::new(NAME), threads, |Arena { x, bins, .. }, piece| {
        let counts = x.par_chunks(piece).map(|x| {
            let mut bins = [0; BINS];
            T::count(x, [0, UPPER].map(T::of), &mut bins);
            bins
        });
        let both = |mut a: [u32; BINS], b: [u32; BINS]| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        bins.copy_from_slice(&counts.reduce(|| [0; BINS], both));
        0
    })
}

/// Adds a way for each number of pieces.
fn in_pieces<T: Value>(
    rayon: Contestant<'static, T>,
    threads: usize,
    call: impl Fn(&mut Arena<T>, usize) -> usize + Copy + 'static,
) -> Contestant<'static, T> {
    PIECES.into_iter().fold(rayon, |rayon, pieces| {
        rayon.way(format!("{pieces} pieces a thread"), move |arena| {
            let piece = arena.x.len().div_ceil(pieces * threads);
            call(arena, piece)
        })
    })
}

/// Counts in each piece what it has for the result, and then writes that.
fn compact<'x, T: Value>(
    pieces: impl IndexedParallelIterator<Item = &'x [T]> + Clone,
    mut y: &mut [T],
    count: impl Fn(&[T]) -> usize + Sync + Send,
    write: impl Fn(&[T], &mut [T]) + Sync + Send,
) -> usize {
    let counts: Vec<usize> = pieces.clone().map(count).collect();
    let mut parts = Vec::with_capacity(counts.len());
    for &count in &counts {
        let (part, rest) = y.split_at_mut(count);
        parts.push(part);
        y = rest;
    }
    pieces.zip(parts).for_each(|(x, y)| write(x, y));
    counts.iter().sum()
}
