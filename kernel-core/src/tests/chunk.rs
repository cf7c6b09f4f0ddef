use std::vec::Vec;

use crate::{Chunk, Geometry, LaunchSizes, Rect, Strips, WorkgroupMemory};

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
    let launch = LaunchSizes { geometry, memory: WorkgroupMemory::default(), cluster: 1 };
    assert_eq!(launch.index(0, 0, 9), 9);
    assert_eq!(launch.index(2, 3, 9), 119);
    let all = rect(1..3, 2..5);
    assert_eq!(Chunk { launch: &launch, plane: 1, owned: all.clone(), running: all }.first_index(), 52);
}
