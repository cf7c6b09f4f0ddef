//! What says in a word what kernels often do: elements by their position or a default, a value stored by its owner, blocks, either float.

use gridwright::math::Float;
use gridwright::prelude::*;

#[host_only]
use super::blocks;
#[host_only]
use crate::setting::{Result, open, sizes};

/// The sum of the elements beside each, of a slice, a matrix and a volume.
#[gpu_kernel]
fn beside(t: Thread, x: &[i32], m: &Matrix<i32>, v: &Volume<i32>, mut out: PerThread<[i32]>) {
    let i = t.index();
    let Some(out) = out.get_mut(t) else { return };
    let (row, col) = (i / m.cols(), i % m.cols());
    let (plane, in_plane) = (i / (v.rows() * v.cols()), i % (v.rows() * v.cols()));
    *out = x.get_or(i.wrapping_sub(1), 1000) + 10 * x.get_or(i + 1, 2000) + 100 * m[(row, col)]
        - v[(plane, in_plane / v.cols(), in_plane % v.cols())];
}

#[test]
fn elements_have_positions_and_defaults() -> Result {
    let (device, stream) = open()?;
    let n = 60;
    let x: Vec<i32> = (0..n).map(|i| i * i % 31).collect();
    let m = stream.upload_matrix(6, 10, &x)?;
    let v = stream.upload_volume(3, 4, 5, &x)?;
    let mut out = stream.alloc_zeroed::<i32>(n as usize)?;
    let arguments = (&stream.upload(&x)?, &m, &v, &mut out);
    beside::load(&device)?.launch(&stream, LaunchConfig::threads(n as usize), arguments)?;
    let expected: Vec<i32> = (0..x.len())
        .map(|i| {
            let before = i.checked_sub(1).map_or(1000, |i| x[i]);
            before + 10 * x.get(i + 1).copied().unwrap_or(2000) + 99 * x[i]
        })
        .collect();
    assert_eq!(stream.download(&out)?, expected);
    Ok(())
}

/// What is beyond a matrix's last column isn't the next row's first element.
#[gpu_kernel]
fn beyond(t: Thread, m: &Matrix<i32>, at: [u32; 2], mut out: PerThread<[i32]>) {
    if let Some(out) = out.get_mut(t) {
        *out = m[(at[0] as usize, at[1] as usize)];
    }
}

#[test]
fn positions_outside_are_panics() -> Result {
    let (device, stream) = open()?;
    if device.name().contains("emulated") || !crate::setting::is_cpu(&device) {
        return Ok(()); // a panic ends the device of a driver: those of GPUs are among the panics
    }
    let m = stream.upload_matrix(2, 3, &[1, 2, 3, 4, 5, 6])?;
    let mut out = stream.alloc_zeroed::<i32>(1)?;
    let mut look = |at| -> Result<i32> {
        beyond::load(&device)?.launch(&stream, LaunchConfig::threads(1), (&m, at, &mut out))?;
        stream.synchronize()?;
        Ok(stream.download(&out)?[0])
    };
    assert_eq!(look([1, 2])?, 6);
    for at in [[0, 3], [2, 0], [u32::MAX, u32::MAX]] {
        let message = look(at).unwrap_err().to_string();
        let expected = format!("row {}, column {} of a matrix of 2 rows and 3 columns", at[0], at[1]);
        assert!(message.contains(&expected), "{message}");
    }
    Ok(())
}

/// The sum of all elements, `blocks` of them at a time, put where the thread owns it: in a slice and in a matrix.
#[gpu_kernel(instances(f32, f64))]
fn sums_of_blocks<F: Float>(
    g: &Group,
    x: &[F],
    len: u32,
    mut out: PerThread<[F]>,
    mut turns: PerGroup<[u32]>,
) {
    let mut own = g.private(F::of(0.0));
    let (mut count, len, threads) = (0, len as usize, g.len());
    for start in g.blocks(x.len(), len) {
        count += 1;
        g.each(&mut own, |t, own| {
            for i in (start..start + len).skip(t.local().x).step_by(threads) {
                *own += x.get_or(i, F::of(0.0)) / F::of_count(2);
            }
        });
    }
    turns.set(g, count);
    let sum = g.reduce(&own, |a, b| a + b);
    out.store(g, &g.private(sum));
}

#[gpu_kernel]
fn to_matrix(g: &Group, mut out: PerThread<Matrix<u32>>) {
    let values = g.map((), |t, ()| (1000 * t.row() + t.col()) as u32);
    out.store(g, &values);
}

#[test]
fn blocks_begin_at_each_multiple_and_values_go_to_their_owners() -> Result {
    let (device, stream) = open()?;
    for &block in blocks(&device) {
        for &n in sizes(&device, &[0_usize, 1, 63, 64, 65, 1000], &[64, 65]) {
            let x: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
            let doubles: Vec<f64> = x.iter().map(|&x| x.into()).collect();
            let sum = doubles.iter().sum::<f64>() / 2.0;
            // Threads behind the last element own nothing.
            let owned = 2 * block - 1;
            let (mut out, mut turns) = (stream.alloc_zeroed::<f32>(owned)?, stream.alloc_zeroed::<u32>(2)?);
            let config = LaunchConfig::grid(2, block);
            let arguments = (&stream.upload(&x)?, 32, &mut out, &mut turns);
            sums_of_blocks::<f32>::load(&device)?.launch(&stream, config, arguments)?;
            assert_eq!(stream.download(&out)?, vec![sum as f32; owned]);
            assert_eq!(stream.download(&turns)?, [n.div_ceil(32) as u32; 2]);
            let mut out = stream.alloc_zeroed::<f64>(owned)?;
            let arguments = (&stream.upload(&doubles)?, 48, &mut out, &mut turns);
            sums_of_blocks::<f64>::load(&device)?.launch(&stream, config, arguments)?;
            assert_eq!(stream.download(&out)?, vec![sum; owned]);
        }
    }
    let mut out = stream.upload_matrix(5, 7, &[0_u32; 35])?;
    to_matrix::load(&device)?.launch(&stream, LaunchConfig::for_matrix(5, 7).block((4, 4)), (&mut out,))?;
    let expected: Vec<u32> = (0..35).map(|i| 1000 * (i / 7) + i % 7).collect();
    assert_eq!(stream.download(&out)?, expected);
    Ok(())
}

#[test]
fn a_devices_limits_say_how_large_its_warps_are() -> Result {
    let (device, _) = open()?;
    assert_eq!(device.limits().warp_size, crate::setting::warp_size(&device)?);
    Ok(())
}
