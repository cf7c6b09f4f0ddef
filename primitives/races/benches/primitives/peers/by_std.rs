//! The standard library's ways, and loops by hand, on one thread.

use std::iter::once;

use crate::algorithm::Algorithm;
use crate::arena::{Arena, UPPER};
use crate::contestant::Contestant;
use crate::value::{Number, Value};

const NAME: &str = "std";

pub(crate) fn enter<T: Value>(algorithm: Algorithm) -> Contestant<'static, T> {
    let std = Contestant::new(NAME);
    match algorithm {
        // Ours leaves ties in their order, and so does the peer.
        Algorithm::Sort if T::HAS_TIES => std.way("sort_by", |arena| {
            arena.y.sort_by(T::order);
            arena.y.len()
        }),
        Algorithm::Sort => std.way("sort_unstable_by", |arena| {
            arena.y.sort_unstable_by(T::order);
            arena.y.len()
        }),
        Algorithm::Scan => std.way("loop", |arena| {
            T::scan(&arena.x, &mut arena.y, T::default());
            arena.y.len()
        }),
        Algorithm::Reduce => std.way("fold", |arena| arena.keep_sum(T::sum(&arena.x))),
        Algorithm::Select => std
            .way("filter, collect", |arena| {
                let limit = arena.limit;
                arena.keep(arena.x.iter().copied().filter(|x| x.is_below(limit)).collect())
            })
            .way("loop", |Arena { x, y, limit, .. }| T::select(x, *limit, y))
            .way("loop without branches", |Arena { x, y, limit, .. }| {
                T::select_without_branches(x, *limit, y)
            }),
        Algorithm::Unique => std
            .way("clone, dedup", |arena| {
                let mut unique = arena.x.clone();
                unique.dedup();
                arena.keep(unique)
            })
            .way("windows, filter, collect", |arena| {
                let x = &arena.x;
                let new = x.windows(2).filter(|two| two[0] != two[1]).map(|two| two[1]);
                arena.keep(once(x[0]).chain(new).collect())
            })
            .way("loop", |Arena { x, y, .. }| {
                y[0] = x[0];
                1 + T::unique(x, &mut y[1..])
            })
            .way("loop without branches", |Arena { x, y, .. }| {
                y[0] = x[0];
                1 + T::unique_without_branches(x, &mut y[1..])
            }),
        Algorithm::Histogram => std,
    }
}

pub(crate) fn histogram<T: Number>() -> Contestant<'static, T> {
    Contestant::new(NAME).way("loop", |Arena { x, bins, .. }| {
        bins.fill(0);
        T::count(x, [0, UPPER].map(T::of), bins);
        0
    })
}
