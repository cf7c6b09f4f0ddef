//! Crates of radix sorts. They leave no ties in their order.

use rdst::RadixSort;

use crate::contestant::Contestant;
use crate::value::Value;

/// Each of them.
pub(crate) fn enter<T: Value>(threads: usize) -> [Contestant<'static, T>; 2] {
    let rdst = Contestant::new("rdst")
        .way("radix_sort_unstable", |arena| {
            arena.y.radix_sort_unstable();
            arena.y.len()
        })
        .way("with_low_mem_tuner", |arena| {
            arena.y.radix_sort_builder().with_low_mem_tuner().sort();
            arena.y.len()
        });
    let voracious = Contestant::new("voracious_radix_sort").way("voracious_mt_sort", move |arena| {
        T::sort_voraciously(&mut arena.y, threads);
        arena.y.len()
    });
    [rdst.unstable(), voracious.unstable()]
}
