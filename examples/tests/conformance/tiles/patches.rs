//! Which elements a thread's patch has.

use gridwright::prelude::*;
#[host_only]
use gridwright::{ConfigError, Error};

#[host_only]
use crate::setting::{Result, open, says, sizes};

/// Each thread notes in its elements who it is, where it took them to be, and that it came by.
macro_rules! notes {
    ($($name:ident $([$block:tt])?: $rows:literal $cols:literal by $r:literal $c:literal;)*) => {$(
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut m: PerGroup<Matrix<[u32; 6]>, Tiles<$rows, $cols>>) {
            let ([row, col], [rows, cols]) = (m.origin(), [m.rows(), m.cols()]);
            g.each(m.patches_mut::<$r, $c>(), |t, patch| {
                let (x, y) = (t.local().x, t.local().y);
                assert_eq!((patch.row(), patch.col()), (row + y * $r, col + x * $c));
                let [y, x, first_row, first_col] = [y, x, patch.row(), patch.col()].map(|n| n as u32);
                patch.for_each(|row, col, note| {
                    let at = [first_row + row as u32, first_col + col as u32];
                    assert!((at[0] as usize) < rows && (at[1] as usize) < cols);
                    *note = [at[0], at[1], y, x, note[4] + 1, 0];
                });
            });
            g.each(m.patches_mut::<$r, $c>(), |_, mut patch| {
                let beyond = [($r, 0), (0, $c), (usize::MAX, 0), (0, usize::MAX)];
                assert!(beyond.into_iter().all(|(row, col)| patch.get_mut(row, col).is_none()));
                for row in 0..$r {
                    for col in 0..$c {
                        if let Some(note) = patch.get_mut(row, col) {
                            note[5] += 1;
                        }
                    }
                }
            });
        }
    )*};
}

notes! {
    squares: 8 8 by 2 2;
    declared_squares[(4, 4)]: 8 8 by 2 2;
    wide_patches: 3 40 by 1 5;
    high_patches[(2, 5)]: 35 6 by 7 3;
    single_patches[(8, 4)]: 4 8 by 1 1;
    whole_patches[(1, 1)]: 5 7 by 5 7;
    rows_patches: 2 96 by 1 3;
}

#[test]
fn each_element_is_in_one_patch() -> Result {
    let (device, stream) = open()?;
    macro_rules! run {
        ($kernel:ident: $tile_rows:literal $tile_cols:literal by $r:literal $c:literal) => {
            for &(rows, cols) in
                sizes(&device, &[(1, 1), (8, 8), (9, 7), (40, 33), (3, 200), (71, 5)], &[(9, 7), (20, 33)])
            {
                let mut m = stream.upload_matrix(rows, cols, &vec![[0_u32; 6]; rows * cols])?;
                let config = LaunchConfig::for_matrix(rows, cols).block(($tile_cols / $c, $tile_rows / $r));
                $kernel::load(&device)?.launch(&stream, config, (&mut m,))?;
                let expected = |i: usize| {
                    let (row, col) = (i / cols, i % cols);
                    [row, col, row % $tile_rows / $r, col % $tile_cols / $c, 1, 1].map(|n| n as u32)
                };
                let expected: Vec<_> = (0..rows * cols).map(expected).collect();
                assert_eq!(stream.download(&m)?, expected, "{rows} by {cols}");
            }
        };
    }
    run!(squares: 8 8 by 2 2);
    run!(declared_squares: 8 8 by 2 2);
    run!(wide_patches: 3 40 by 1 5);
    run!(high_patches: 35 6 by 7 3);
    run!(single_patches: 4 8 by 1 1);
    run!(whole_patches: 5 7 by 5 7);
    run!(rows_patches: 2 96 by 1 3);
    Ok(())
}

#[test]
fn groups_beyond_the_matrix_own_nothing_and_too_few_leave_the_rest() -> Result {
    let (device, stream) = open()?;
    let kernel = declared_squares::load(&device)?;
    for groups in [(1, 1), (2, 1), (1, 3), (9, 9)] {
        let mut m = stream.upload_matrix(11, 13, &[[0_u32; 6]; 143])?;
        kernel.launch(&stream, LaunchConfig::grid(groups, (4, 4)), (&mut m,))?;
        for (i, note) in stream.download(&m)?.into_iter().enumerate() {
            let (row, col) = (i / 13, i % 13);
            let came = u32::from(row / 8 < groups.1 && col / 8 < groups.0);
            assert_eq!((note[4], note[5]), (came, came), "({row}, {col}) of {groups:?}");
        }
    }
    Ok(())
}

/// How many groups ran, in the first element of each.
#[gpu_kernel(block = (4, 2))]
fn tiles_that_ran(
    g: &Group,
    ran: Atomic<[u32]>,
    _a: PerGroup<Matrix<u32>, Tiles<6, 20>>,
    _b: PerGroup<Matrix<u8>, Tiles<6, 20>>,
) {
    g.each((), |t, ()| {
        if t.lane() == 0 {
            ran.fetch_add(t, 0, 1);
        }
    });
}

#[test]
fn a_launch_over_a_matrix_has_a_group_for_each_tile() -> Result {
    let (device, stream) = open()?;
    let kernel = tiles_that_ran::load(&device)?;
    let mut a = stream.upload_matrix(1, 1, &[0_u32])?;
    let mut b = stream.upload_matrix(1, 1, &[0_u8])?;
    for (rows, cols, groups) in [(1, 1, 1), (6, 20, 1), (7, 20, 2), (6, 21, 2), (100, 100, 17 * 5)] {
        let mut ran = stream.alloc_zeroed::<u32>(1)?;
        kernel.launch(&stream, LaunchConfig::for_matrix(rows, cols), (&mut ran, &mut a, &mut b))?;
        assert_eq!(stream.download(&ran)?, [groups], "{rows} by {cols}");
    }
    let mut ran = stream.alloc_zeroed::<u32>(1)?;
    let nothing = kernel.launch(&stream, LaunchConfig::for_matrix(0, 5), (&mut ran, &mut a, &mut b));
    assert!(
        matches!(nothing, Err(Error::InvalidConfig { reason: ConfigError::Zero { .. }, .. })),
        "{nothing:?}"
    );
    Ok(())
}

/// Elements that threads change until they are one: state of patches is taken out of the matrix and put back.
#[gpu_kernel]
fn collatz_in_patches(g: &Group, mut m: PerGroup<Matrix<u32>, Tiles<16, 32>>) {
    g.each_while(m.patches_mut::<2, 4>(), |_, patch| {
        let mut again = false;
        patch.for_each(|_, _, n| {
            if *n > 1 {
                *n = if *n % 2 == 0 { *n / 2 } else { *n * 3 + 1 };
                again = true;
            }
        });
        again
    });
}

#[test]
fn patches_are_changed_again_and_again() -> Result {
    let (device, stream) = open()?;
    let (rows, cols) = sizes(&device, &[(45, 50)], &[(20, 40)])[0];
    let numbers: Vec<u32> = (1..).take(rows * cols).collect();
    let mut m = stream.upload_matrix(rows, cols, &numbers)?;
    let config = LaunchConfig::for_matrix(rows, cols).block((8, 8));
    collatz_in_patches::load(&device)?.launch(&stream, config, (&mut m,))?;
    let left = stream.download(&m)?;
    assert_eq!(left, vec![1; rows * cols]);
    Ok(())
}

#[test]
fn patches_that_are_not_the_tile_are_a_panic() -> Result {
    let (device, stream) = open()?;
    let mut m = stream.upload_matrix(16, 16, &[[0_u32; 6]; 256])?;
    for block in [(4, 3), (3, 4), (5, 4), (4, 8), (1, 1)] {
        let config = LaunchConfig::for_matrix(16, 16).block(block);
        squares::load(&device)?.launch(&stream, config, (&mut m,))?;
        let Err(Error::KernelPanic { message, .. }) = stream.synchronize() else { panic!("no panic") };
        let (x, y) = block;
        let expected = format!(
            "a tile of 8 rows and 8 columns was handed to {y} by {x} threads on 1 planes, 2 rows and 2 columns to each"
        );
        assert!(says(&device, &message, &expected), "{message}");
    }
    assert_eq!(stream.download(&m)?, [[0; 6]; 256]);
    Ok(())
}
