//! Loops over arrays and their slices, by each iterator of `core`: on GPUs they are unrolled, and the arrays are in registers.
//!
//! The book's [table](../../../book/src/how-it-works/loops.md) says which of them are.

use gridwright::prelude::*;

/// Kernels of some loops over an array `a`, each of which makes a word `s` of it.
macro_rules! loops {
    ($($kernel:ident $values:ident $count:literal { $($row:ident: |$a:ident, $s:ident| $body:block)* })*) => { $(
        #[allow(unused_mut, unused_assignments, reason = "some loops change their array, or set their word")]
        #[allow(clippy::needless_range_loop, clippy::manual_flatten, reason = "each loop is as it is written")]
        fn $values(a: [u32; 8]) -> [u32; $count] {
            [$({
                let (mut $a, mut $s) = (a, 0_u32);
                $body
                $s
            }),*]
        }

        #[gpu_kernel(requires = x.len() == y.len())]
        fn $kernel(t: Thread, x: &[[u32; 8]], mut y: PerThread<[[u32; $count]]>) {
            let Some(y) = y.get_mut(t) else { return };
            *y = $values(x[t.index()]);
        }

        #[cfg(not(gridwright_device))]
        mod $values {
            use super::{$kernel, tests::check};

            #[test]
            fn are_right_and_without_local_memory() -> Result<(), gridwright::Error> {
                check!($kernel, super::$values, $count, [$(stringify!($row)),*]);
                Ok(())
            }
        }
    )* };
}

/// A word that depends on the order of what is mixed into it.
fn mixed(word: u32, value: u32) -> u32 {
    word.rotate_left(1) ^ value
}

loops! {
    values_in_turn values_in_turn_of 12 {
        into_iter: |a, s| { for v in a { s = mixed(s, v); } }
        iter: |a, s| { for v in &a { s = mixed(s, *v); } }
        iter_mut: |a, s| { for v in &mut a { *v = v.rotate_left(s & 7); s ^= *v; } s = s.wrapping_add(a[3]); }
        enumerate: |a, s| { for (i, v) in a.into_iter().enumerate() { s = s.rotate_left(i as u32) ^ v; } }
        rev: |a, s| { for v in a.into_iter().rev() { s = mixed(s, v); } }
        enumerate_rev: |a, s| { for (i, v) in a.iter().enumerate().rev() { s = s.rotate_left(i as u32) ^ v; } }
        range: |a, s| { for i in 0..8 { s = mixed(s, a[i]); } }
        range_inclusive: |a, s| { for i in 0..=7 { s = mixed(s, a[i]); } }
        range_step_by: |a, s| { for i in (0..8).step_by(3) { s = mixed(s, a[i]); } }
        step_by: |a, s| { for v in a.into_iter().step_by(3) { s = mixed(s, v); } }
        iter_step_by: |a, s| { for v in a.iter().step_by(3) { s = mixed(s, *v); } }
        both_ends: |a, s| { let mut i = a.into_iter(); while let (Some(v), Some(w)) = (i.next(), i.next_back()) { s = mixed(s, v ^ w); } }
    }
    several_arrays several_arrays_of 10 {
        zip: |a, s| { let b = a.map(|v| v >> 3); for (v, w) in a.into_iter().zip(b) { s = mixed(s, v.wrapping_mul(w)); } }
        iter_zip: |a, s| { let b = a.map(|v| v >> 3); for (v, w) in a.iter().zip(&b) { s = mixed(s, v.wrapping_mul(*w)); } }
        zip_mut: |a, s| { let b = a; for (v, w) in a.iter_mut().zip(b) { *v = v.wrapping_mul(w | 1); } for v in a { s = mixed(s, v); } }
        chain: |a, s| { for v in a.iter().chain(&[7, 8]) { s = mixed(s, *v); } }
        into_chain: |a, s| { for v in a.into_iter().chain([7, 8]) { s = mixed(s, v); } }
        map: |a, s| { for v in a.map(|v| v >> 1) { s = mixed(s, v); } }
        from_fn: |a, s| { let b: [u32; 8] = core::array::from_fn(|i| a[i] ^ a[7 - i]); for v in b { s = mixed(s, v); } }
        nested: |a, s| { for b in [a, a.map(|v| v >> 1)] { for v in b { s = mixed(s, v); } } }
        flatten: |a, s| { for v in [a, a.map(|v| v >> 1)].into_iter().flatten() { s = mixed(s, v); } }
        flat_map: |a, s| { for v in a.into_iter().flat_map(|v| [v, v >> 1]) { s = mixed(s, v); } }
    }
    parts_of_arrays parts_of_arrays_of 9 {
        chunks: |a, s| { for v in a.chunks(3) { s = mixed(s, v[0] ^ v.len() as u32); } }
        chunks_exact: |a, s| { for v in a.chunks_exact(2) { s = mixed(s, v[0] ^ v[1] >> 1); } }
        chunks_mut: |a, s| { for v in a.chunks_mut(2) { v[0] ^= v[1]; } for v in a { s = mixed(s, v); } }
        as_chunks: |a, s| { for [v, w] in a.as_chunks::<2>().0 { s = mixed(s, v ^ w >> 1); } }
        windows: |a, s| { for v in a.windows(3) { s = mixed(s, v[0] ^ v[2]); } }
        skip: |a, s| { for v in a.iter().skip(2) { s = mixed(s, *v); } }
        take: |a, s| { for v in a.into_iter().take(5) { s = mixed(s, v); } }
        cycle: |a, s| { for v in a.iter().cycle().take(16) { s = mixed(s, *v); } }
        split_at: |a, s| { let (l, r) = a.split_at(3); for (v, w) in l.iter().zip(r) { s = mixed(s, v ^ w); } }
    }
    chosen_values chosen_values_of 10 {
        filter: |a, s| { for v in a.into_iter().filter(|v| v % 2 == 0) { s = mixed(s, v); } }
        filter_map: |a, s| { for v in a.into_iter().filter_map(|v| v.checked_sub(9)) { s = mixed(s, v); } }
        take_while: |a, s| { for v in a.into_iter().take_while(|v| *v != 9) { s = mixed(s, v); } }
        skip_while: |a, s| { for v in a.into_iter().skip_while(|v| *v != 9) { s = mixed(s, v); } }
        map_while: |a, s| { for v in a.into_iter().map_while(|v| v.checked_sub(9)) { s = mixed(s, v); } }
        scan: |a, s| { for v in a.into_iter().scan(1_u32, |c, v| { *c ^= v; Some(*c) }) { s = mixed(s, v); } }
        peekable: |a, s| { let mut i = a.into_iter().peekable(); while let Some(v) = i.next() { s = mixed(s, v ^ i.peek().copied().unwrap_or(0)); } }
        stopped: |a, s| { for v in a { if v == 9 { break; } s = mixed(s, v); } }
        left_out: |a, s| { for v in a { if v == 9 { continue; } s = mixed(s, v); } }
        options: |a, s| { for v in a.map(|v| v.checked_sub(9)) { if let Some(v) = v { s = mixed(s, v); } } }
    }
    answers_of_arrays answers_of_arrays_of 9 {
        fold: |a, s| { s = a.into_iter().fold(s, mixed); }
        for_each: |a, s| { a.into_iter().for_each(|v| s = mixed(s, v)); }
        sum: |a, s| { s += a.iter().map(|v| v >> 4).sum::<u32>(); }
        max: |a, s| { s += a.iter().copied().max().unwrap_or(1); }
        position: |a, s| { s = a.into_iter().position(|v| v == 9).map_or(99, |at| at as u32); }
        any: |a, s| { s = u32::from(a.into_iter().any(|v| v == 9)); }
        early_end: |a, s| { s = (|| { let mut s = 0_u32; for v in a { s = s.checked_add(v)?; } Some(s) })().unwrap_or(1); }
        bytes: |a, s| { for (i, v) in a[0].to_le_bytes().into_iter().enumerate() { s = s.rotate_left(i as u32) ^ u32::from(v); } }
        of_bytes: |a, s| { let mut b = [0_u8; 4]; for (o, v) in b.iter_mut().zip(a) { *o = v as u8; } s = s.wrapping_add(u32::from_le_bytes(b)); }
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    /// Words that take each way through the loops.
    pub(super) const GIVEN: [[u32; 8]; 5] = [
        [1, 2, 3, 4, 5, 6, 7, 8],
        [9, 8, 7, 6, 5, 4, 3, 2],
        [0x8000_0001, 0xffff_fffe, 9, 0, 0x1234_5678, 9, 2, 1],
        [u32::MAX; 8],
        [10, 12, 14, 16, 18, 20, 22, 9],
    ];

    /// Compares a kernel's results with the host's, and looks for loops and local memory in its PTX.
    macro_rules! check {
        ($kernel:ident, $values:expr, $count:literal, $rows:expr) => {{
            use gridwright::prelude::*;

            let device = crate::device()?;
            let stream = device.stream()?;
            let given = $crate::array_loops::tests::GIVEN;
            let x = stream.upload(&given)?;
            let mut y = stream.alloc_zeroed::<[u32; $count]>(given.len())?;
            $kernel::load(&device)?.launch(&stream, LaunchConfig::threads(given.len()), (&x, &mut y))?;
            for (given, results) in given.iter().zip(stream.download(&y)?) {
                let expected = $values(std::hint::black_box(*given));
                for ((row, result), expected) in $rows.into_iter().zip(results).zip(expected) {
                    assert_eq!(result, expected, "{row} of {given:?}");
                }
            }
            if let Some(text) = crate::ptx::entry(stringify!($kernel)) {
                assert!(!text.contains("__local_depot"), "an array is in local memory: {text}");
                assert!(!$crate::array_loops::tests::has_loop(&text), "a loop is left: {text}");
            }
        }};
    }
    pub(super) use check;

    /// Whether a branch goes back.
    pub(super) fn has_loop(ptx: &str) -> bool {
        let is_back = |(at, branch): (usize, &str)| {
            let label = branch.split_whitespace().next_back().unwrap_or_default().trim_end_matches(';');
            ptx.find(&format!("{label}:")).is_some_and(|target| target < at)
        };
        ptx.match_indices("bra").any(|(at, _)| {
            ptx[at..]
                .split_once('\n')
                .is_some_and(|(branch, _)| branch.contains("$L") && is_back((at, branch)))
        })
    }

    #[test]
    fn a_branch_back_is_a_loop() {
        let (before, after) = ("$L__BB0_1:\n\tadd;\n", "\t@%p1 bra \t$L__BB0_1;\n");
        assert!(has_loop(&format!("{before}{after}")) && !has_loop(&format!("{after}{before}")));
    }
}
