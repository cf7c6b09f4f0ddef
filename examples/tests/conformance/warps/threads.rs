//! Who a warp's threads are: in groups of one, two and three dimensions the same as in the group's own phases.

use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, open, sizes, warp_size};

/// What a thread says of itself.
fn who(t: Thread) -> [u32; 9] {
    let l = t.local();
    [t.index(), t.row(), t.col(), t.plane(), l.x, l.y, l.z, t.lane(), t.group_index()].map(|n| n as u32)
}

macro_rules! identities {
    ($($name:ident $([$block:tt])?: $memory:ty;)*) => {$(
        /// Each thread, as the group's phases know it, and as its warp's, whose index and number of threads it adds.
        #[gpu_kernel$((block = $block))?]
        fn $name(g: &Group, mut in_group: PerThread<$memory>, mut in_warp: PerThread<$memory>) {
            g.each(in_group.elements_mut(), |t, out| {
                if let Some(out) = out {
                    *out = [who(t), [0; 9]];
                }
            });
            g.each_warp(&mut in_warp, |w, mut out| {
                let (index, len) = (w.index() as u32, w.len() as u32);
                w.each(out.elements_mut(), |t, out| {
                    if let Some(out) = out {
                        *out = [who(t), [index, len, 0, 0, 0, 0, 0, 0, 0]];
                    }
                });
            });
        }
    )*};
}

identities! {
    who_in_slices: [[[u32; 9]; 2]];
    who_in_declared_slices[100]: [[[u32; 9]; 2]];
    who_in_full_slices[64]: [[[u32; 9]; 2]];
    who_in_matrices: Matrix<[[u32; 9]; 2]>;
    who_in_declared_matrices[(5, 3)]: Matrix<[[u32; 9]; 2]>;
    who_in_square_matrices[(16, 16)]: Matrix<[[u32; 9]; 2]>;
    who_in_wide_matrices[(64, 3)]: Matrix<[[u32; 9]; 2]>;
    who_in_volumes: Volume<[[u32; 9]; 2]>;
    who_in_declared_volumes[(5, 7, 3)]: Volume<[[u32; 9]; 2]>;
}

/// What both wrote says the same of the thread, and what the warp said of itself is right for a block.
#[host_only]
fn compare(lanes: usize, in_group: &[[[u32; 9]; 2]], in_warp: &[[[u32; 9]; 2]], [x, y, z]: [usize; 3]) {
    for (&[expected, _], &[who, of_warp]) in in_group.iter().zip(in_warp) {
        assert_eq!(who, expected, "block {x} by {y} by {z}");
        let number = (who[6] as usize * y + who[5] as usize) * x + who[4] as usize;
        assert_eq!(who[7] as usize, number % lanes);
        let len = lanes.min(x * y * z - number / lanes * lanes);
        assert_eq!((of_warp[0] as usize, of_warp[1] as usize), (number / lanes, len));
    }
}

#[test]
fn threads_of_rows_are_the_same_in_their_warps() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    macro_rules! run {
        ($kernel:ident, $block:expr, $config:expr) => {{
            let (mut a, mut b) = (stream.alloc_zeroed(1000)?, stream.alloc_zeroed(1000)?);
            $kernel::load(&device)?.launch(&stream, $config, (&mut a, &mut b))?;
            compare(lanes, &stream.download(&a)?, &stream.download(&b)?, [$block, 1, 1]);
        }};
    }
    for &block in sizes(&device, &[1, 31, 32, 33, 65, 100, 1000], &[33, 100]) {
        run!(who_in_slices, block, LaunchConfig::threads(1000).block(block));
    }
    run!(who_in_declared_slices, 100, LaunchConfig::threads(1000));
    run!(who_in_full_slices, 64, LaunchConfig::threads(1024));
    Ok(())
}

#[test]
fn threads_of_rectangles_are_the_same_in_their_warps() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    macro_rules! run {
        ($kernel:ident, $block:expr, $config:expr) => {{
            let nothing = vec![[[0_u32; 9]; 2]; 35 * 150];
            let (mut a, mut b) =
                (stream.upload_matrix(35, 150, &nothing)?, stream.upload_matrix(35, 150, &nothing)?);
            $kernel::load(&device)?.launch(&stream, $config, (&mut a, &mut b))?;
            let (x, y) = $block;
            compare(lanes, &stream.download(&a)?, &stream.download(&b)?, [x, y, 1]);
        }};
    }
    let blocks = [(1, 1), (1, 40), (40, 1), (5, 3), (16, 16), (32, 4), (33, 2), (96, 3), (7, 100)];
    for &block in sizes(&device, &blocks, &blocks[4..7]) {
        run!(who_in_matrices, block, LaunchConfig::for_matrix(35, 150).block(block));
    }
    run!(who_in_declared_matrices, (5, 3), LaunchConfig::for_matrix(35, 150));
    run!(who_in_square_matrices, (16, 16), LaunchConfig::for_matrix(35, 150));
    run!(who_in_wide_matrices, (64, 3), LaunchConfig::for_matrix(35, 150));
    Ok(())
}

#[test]
fn threads_of_boxes_are_the_same_in_their_warps() -> Result {
    let (device, stream) = open()?;
    let lanes = warp_size(&device)?;
    macro_rules! run {
        ($kernel:ident, $block:expr, $config:expr) => {{
            let nothing = vec![[[0_u32; 9]; 2]; 6 * 14 * 15];
            let (mut a, mut b) =
                (stream.upload_volume(6, 14, 15, &nothing)?, stream.upload_volume(6, 14, 15, &nothing)?);
            $kernel::load(&device)?.launch(&stream, $config, (&mut a, &mut b))?;
            let (x, y, z) = $block;
            compare(lanes, &stream.download(&a)?, &stream.download(&b)?, [x, y, z]);
        }};
    }
    let groups =
        |(x, y, z): (usize, usize, usize)| (15_usize.div_ceil(x), 14_usize.div_ceil(y), 6_usize.div_ceil(z));
    let blocks = [(1, 1, 1), (5, 7, 3), (8, 4, 2), (32, 2, 2), (1, 1, 6), (33, 3, 1)];
    for &block in sizes(&device, &blocks, &blocks[1..3]) {
        run!(who_in_volumes, block, LaunchConfig::grid(groups(block), block));
    }
    run!(who_in_declared_volumes, (5, 7, 3), LaunchConfig::grid((3, 2, 2), (5, 7, 3)));
    Ok(())
}
