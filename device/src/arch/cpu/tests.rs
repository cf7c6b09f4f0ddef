use gridwright_core::{Geometry, WorkgroupMemory};

use super::{Chunk, Isa, Launch, Rect, Strips};

fn rect(rows: core::ops::Range<usize>, cols: core::ops::Range<usize>) -> Rect {
    Rect { rows, cols }
}

fn positions(rect: &Rect) -> Vec<(usize, usize)> {
    rect.rows.clone().flat_map(|row| rect.cols.clone().map(move |col| (row, col))).collect()
}

#[test]
fn bands_in_strips_around_what_is_inner_are_a_partition() {
    let whole = rect(2..9, 1..12);
    for inner in [rect(2..9, 1..12), rect(3..8, 3..5), rect(2..4, 1..2), rect(8..9, 11..12)] {
        for rows in [1, 2, 3, 7, usize::MAX] {
            let parts = whole.bands(rows).flat_map(|band| {
                let Strips { above, left, right, below } = band.around(&inner);
                [above, left, inner.intersection(&band), right, below]
            });
            let mut all: Vec<_> = parts.flat_map(|part| positions(&part)).collect();
            all.sort_unstable();
            assert_eq!(all, positions(&whole), "around {inner:?} in bands of {rows}");
        }
    }
}

#[test]
fn an_intersection_holds_what_is_in_both() {
    let (a, b) = (rect(0..5, 3..9), rect(2..8, 0..4));
    assert_eq!(a.intersection(&b), rect(2..5, 3..4));
    assert!(a.intersection(&rect(6..8, 0..10)).is_empty());
    assert_eq!(a.intersection(&Rect::ALL), a);
}

#[test]
fn indices_count_rows_then_planes() {
    let geometry = Geometry { threads: [10, 4, 3], block: [32, 8, 1], groups: [1, 1, 3] };
    let launch = Launch { geometry, memory: WorkgroupMemory::default(), cluster: 1 };
    assert_eq!(launch.index(0, 0, 9), 9);
    assert_eq!(launch.index(2, 3, 9), 119);
    let all = rect(1..3, 2..5);
    assert_eq!(Chunk { launch: &launch, plane: 1, owned: all.clone(), running: all }.first_index(), 52);
}

#[test]
fn the_baseline_is_always_there_and_wider_ones_come_after_it() {
    let names: Vec<_> = Isa::available().iter().map(|isa| isa.name()).collect();
    assert_eq!(names, ["baseline", "avx2", "avx512"][..names.len()]);
}

#[test]
fn scratch_gives_pieces_that_do_not_overlap_and_takes_them_back() {
    let mut scratch = super::scratch::Scratch::default();
    for _ in 0..3 {
        let mut pieces: Vec<_> = (1..200)
            .map(|n| {
                let piece = scratch.take::<u64>(n);
                assert_eq!(piece.as_ptr() as usize % 64, 0);
                (piece, n)
            })
            .collect();
        let mut ranges: Vec<_> = pieces
            .iter()
            .map(|&(piece, n)| (piece.as_ptr() as usize, piece.as_ptr() as usize + 8 * n))
            .collect();
        ranges.sort_unstable();
        assert!(ranges.windows(2).all(|pair| pair[0].1 <= pair[1].0));
        // SAFETY: each came from `take` just now, and goes back once.
        pieces.drain(..).for_each(|(piece, n)| unsafe { scratch.give_back(piece, n) });
        scratch.reset();
    }
}

#[test]
fn a_piece_that_was_given_back_is_the_next_of_its_size() {
    let scratch = super::scratch::Scratch::default();
    let piece = scratch.take::<f32>(256);
    // SAFETY: it came from `take`, and nobody uses it.
    unsafe { scratch.give_back(piece, 256) };
    assert_ne!(scratch.take::<f32>(512), piece);
    assert_eq!(scratch.take::<f32>(250), piece);
}
