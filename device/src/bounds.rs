//! Panics about an index beyond the end. In functions of their own: formatting takes the addresses of what
//! it says, which would keep index and length in memory in every turn of the loop around the check.

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_element(index: usize, len: usize, memory: &str) -> ! {
    panic!("index {index} of {len} elements {memory}")
}

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn not_in_matrix(row: usize, col: usize, rows: usize, cols: usize) -> ! {
    panic!("row {row}, column {col} of a matrix of {rows} rows and {cols} columns")
}

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn not_in_volume([plane, row, col]: [usize; 3], [planes, rows, cols]: [usize; 3]) -> ! {
    panic!(
        "plane {plane}, row {row}, column {col} of a volume of {planes} planes, {rows} rows and {cols} columns"
    )
}

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_row(row: usize, rows: usize) -> ! {
    panic!("row {row} of a matrix of {rows} rows")
}

/// # Panics
/// Always.
#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn no_segment(segment: usize, segments: usize) -> ! {
    panic!("segment {segment} of {segments}")
}
