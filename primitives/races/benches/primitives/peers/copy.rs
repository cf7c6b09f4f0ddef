//! A copy of the elements: what memory, or the caches, allow.

use rayon::prelude::*;

use crate::contestant::Contestant;
use crate::value::Value;

/// The contestant's name: it isn't a peer.
pub(crate) const NAME: &str = "copy";

/// The fastest copy.
pub(crate) fn enter<T: Value>(threads: usize) -> Contestant<'static, T> {
    let copy = Contestant::new(NAME).way("one thread", |arena| {
        arena.y.copy_from_slice(&arena.x);
        0
    });
    [1, 8].into_iter().fold(copy, |copy, parts| {
        copy.way(format!("{parts} parts a thread"), move |arena| {
            let piece = arena.x.len().div_ceil(threads * parts);
            let pieces = arena.y.par_chunks_mut(piece).zip(arena.x.par_chunks(piece));
            pieces.for_each(|(y, x)| y.copy_from_slice(x));
            0
        })
    })
}
