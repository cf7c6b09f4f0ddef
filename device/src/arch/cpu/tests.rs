use gridwright_core::Geometry;

use super::{Chunk, Isa, Launch, Rect};

fn rect(rows: core::ops::Range<usize>, cols: core::ops::Range<usize>) -> Rect {
    Rect { rows, cols }
}

fn positions(rect: &Rect) -> Vec<(usize, usize)> {
    rect.rows.clone().flat_map(|row| rect.cols.clone().map(move |col| (row, col))).collect()
}

#[test]
fn strips_and_inner_are_a_partition() {
    let whole = rect(2..9, 1..12);
    for inner in [rect(2..9, 1..12), rect(3..8, 3..5), rect(2..4, 1..2), rect(8..9, 11..12)] {
        let strips = whole.around(&inner);
        let mut all: Vec<_> = [&strips.above, &strips.left, &inner, &strips.right, &strips.below]
            .into_iter()
            .flat_map(positions)
            .collect();
        all.sort_unstable();
        assert_eq!(all, positions(&whole), "around {inner:?}");
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
    let launch = Launch { geometry: Geometry { threads: [10, 4, 3], block: [32, 8, 1], groups: [1, 1, 3] } };
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
