//! Kernels of threads.

use gridwright::prelude::*;

#[gpu_kernel(requires = x.len() == y.len())]
pub(crate) fn add(t: Thread, by: u32, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()] + by;
    }
}

#[gpu_kernel]
fn cross(t: Thread, image: &Matrix<u32>, mut out: PerThread<Matrix<u32>>) {
    let (row, col) = (t.row(), t.col());
    let beside = image.get_or(row, col.wrapping_sub(1), 5) + image.get_or(row, col + 1, 5);
    let around = beside + image.get_or(row.wrapping_sub(1), col, 5) + image.get_or(row + 1, col, 5);
    if let Some(out) = out.get_mut(t) {
        *out = around;
    }
}

#[gpu_kernel(requires = scan.planes() == out.planes() && scan.rows() == out.rows() && scan.cols() == out.cols())]
fn behind(t: Thread, scan: &Volume<u32>, mut out: PerThread<Volume<u32>>) {
    let behind = scan.get_or(t.plane() + 1, t.row(), t.col(), 7);
    if let Some(out) = out.get_mut(t) {
        *out = behind;
    }
}

#[gpu_kernel]
fn from_the_end(t: Thread, mut out: PerThread<[u32], Reversed>) {
    if let Some(out) = out.get_mut(t) {
        *out = t.index() as u32;
    }
}

#[gpu_kernel]
fn transpose(t: Thread, from: &Matrix<u32>, mut to: PerThread<Matrix<u32>, Transposed>) {
    if let Some(to) = to.get_mut(t) {
        *to = from.get_or(t.row(), t.col(), 0);
    }
}

#[gpu_kernel(requires = from.rows() == sums.rows() && from.cols() == sums.cols())]
fn down_columns(t: Thread, from: &Matrix<u32>, mut sums: PerThread<Matrix<u32>, Columns>) {
    let Some(mut column) = sums.column_mut(t) else { return };
    let mut sum = 0;
    for row in 0..column.len() {
        sum += from.get_or(row, t.col(), 0);
        column[row] += sum;
    }
}

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Body {
    position: [f32; 3],
    mass: f32,
    id: u64,
}

#[gpu_kernel(requires = bodies.len() == moved.len())]
fn shift(t: Thread, by: Body, times: [u8; 3], bodies: &[Body], mut moved: PerThread<[Body]>) {
    let Some(moved) = moved.get_mut(t) else { return };
    *moved = bodies[t.index()];
    moved.id += by.id;
    for ((moved, by), times) in moved.position.iter_mut().zip(by.position).zip(times) {
        *moved += f32::from(times) * by;
    }
}

pub(crate) trait Scale: KernelArg {
    fn twice(self) -> Self;
}

impl Scale for f64 {
    fn twice(self) -> Self {
        2.0 * self
    }
}

impl Scale for u8 {
    fn twice(self) -> Self {
        self.wrapping_mul(2)
    }
}

#[gpu_kernel(instances((f64, 1), (u8, 3)))]
fn scale<T: Scale, const TIMES: usize>(t: Thread, mut x: PerThread<[T]>) {
    if let Some(x) = x.get_mut(t) {
        (0..TIMES).for_each(|_| *x = x.twice());
    }
}

#[gpu_kernel]
fn collatz(t: Thread, mut steps: PerThread<[u32]>) {
    let next = |n: u32| if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
    if let Some(steps) = steps.get_mut(t) {
        let path = core::iter::successors(Some(t.index() as u32 + 1), |&n| (n != 1).then(|| next(n)));
        *steps = path.count() as u32 - 1;
    }
}

#[gpu_kernel]
fn tally(t: Thread, x: &[u32], bins: Atomic<[u32]>, extremes: Atomic<[i64]>, sum: Atomic<[f32]>) {
    let Some(&x) = x.get(t.index()) else { return };
    bins.fetch_add(t, x as usize % bins.len(), 1);
    extremes.fetch_min(t, 0, -i64::from(x));
    extremes.fetch_max(t, 1, i64::from(x) << 20);
    sum.fetch_add(t, 0, 0.5);
}

#[gpu_kernel(block = 64)]
unsafe fn reverse(t: Thread, x: *mut u32, n: usize, mut tile: Workgroup<[u32; 64]>) {
    let tile = tile.as_mut_ptr();
    let i = t.index();
    if i < n {
        // SAFETY: there are `n` elements, as the launch says, and one of the tile for each thread.
        unsafe { *tile.add(t.local().x) = *x.add(i) };
    }
    // SAFETY: all threads get here.
    unsafe { sync_threads(t) };
    if i < n {
        // SAFETY: there are `n` elements, in whole groups, as the launch says; a barrier is behind what others wrote.
        unsafe { *x.add(i) = *tile.add(63 - t.local().x) };
    }
}

#[cfg(not(gridwright_device))]
mod tests {
    use super::*;
    use crate::feature::{Result, feature, numbers};

    #[test]
    fn slices() -> Result {
        feature("kernels of threads, slices", |device, stream| {
            let kernel = add::load(device)?;
            for n in [0, 1, 300] {
                let (x, mut y) = (stream.upload(&numbers(n))?, stream.upload(&vec![1; n])?);
                kernel.launch(stream, LaunchConfig::threads(n + 50), (9, &x, &mut y))?;
                let expected: Vec<_> = numbers(n).iter().map(|x| x + 10).collect();
                assert_eq!(stream.download(&y)?, expected);
            }
            Ok(())
        })
    }

    #[test]
    fn matrices() -> Result {
        feature("two dimensions: matrices, stencils", |device, stream| {
            let (rows, cols) = (9, 21);
            let host = numbers(rows * cols);
            let image = stream.upload_matrix(rows, cols, &host)?;
            let mut out = stream.alloc_matrix_zeroed(rows, cols)?;
            cross::load(device)?.launch(stream, LaunchConfig::for_matrix(rows, cols), (&image, &mut out))?;
            let at = |row: usize, col: usize| {
                if row < rows && col < cols { host[row * cols + col] } else { 5 }
            };
            for (i, out) in stream.download(&out)?.into_iter().enumerate() {
                let (row, col) = (i / cols, i % cols);
                let beside = at(row, col.wrapping_sub(1)) + at(row, col + 1);
                assert_eq!(out, beside + at(row.wrapping_sub(1), col) + at(row + 1, col), "{row} {col}");
            }
            Ok(())
        })
    }

    #[test]
    fn volumes() -> Result {
        feature("three dimensions: volumes", |device, stream| {
            let (planes, rows, cols) = (3, 5, 7);
            let host = numbers(planes * rows * cols);
            let scan = stream.upload_volume(planes, rows, cols, &host)?;
            let mut out = stream.alloc_volume_zeroed(planes, rows, cols)?;
            let config = LaunchConfig::for_volume(planes, rows, cols);
            behind::load(device)?.launch(stream, config, (&scan, &mut out))?;
            let expected = [&host[rows * cols..], &[7; 35]].concat();
            assert_eq!(stream.download(&out)?, expected);
            Ok(())
        })
    }

    #[test]
    fn maps() -> Result {
        feature("other maps of owned memory: `Reversed`, `Transposed`", |device, stream| {
            let mut out = stream.alloc_zeroed::<u32>(40)?;
            from_the_end::load(device)?.launch(stream, LaunchConfig::threads(40), (&mut out,))?;
            assert_eq!(stream.download(&out)?, (0..40).rev().collect::<Vec<_>>());
            let host = numbers(35);
            let from = stream.upload_matrix(5, 7, &host)?;
            let mut to = stream.alloc_matrix_zeroed::<u32>(7, 5)?;
            transpose::load(device)?.launch(stream, LaunchConfig::for_matrix(5, 7), (&from, &mut to))?;
            let expected: Vec<_> = (0..35).map(|i| host[i % 5 * 7 + i / 5]).collect();
            assert_eq!(stream.download(&to)?, expected);
            let mut sums = stream.alloc_matrix_zeroed::<u32>(5, 7)?;
            down_columns::load(device)?.launch(stream, LaunchConfig::threads(7), (&from, &mut sums))?;
            let expected: Vec<u32> =
                (0..35).map(|i| (0..=i / 7).map(|row| host[row * 7 + i % 7]).sum()).collect();
            assert_eq!(stream.download(&sums)?, expected);
            Ok(())
        })
    }

    #[test]
    fn structs() -> Result {
        feature("structs and arrays, by value and in buffers", |device, stream| {
            let body = |id| Body { position: [id as f32, 1.0, -1.0], mass: 2.0, id };
            let host: Vec<Body> = (0..33).map(body).collect();
            let bodies = stream.upload(&host)?;
            let mut moved = stream.alloc_zeroed::<Body>(33)?;
            let by = Body { position: [0.5, 1.0, 2.0], mass: 0.0, id: 1 << 40 };
            let arguments = (by, [1, 2, 0], &bodies, &mut moved);
            shift::load(device)?.launch(stream, LaunchConfig::threads(33), arguments)?;
            for (old, new) in host.iter().zip(stream.download(&moved)?) {
                let position = [old.position[0] + 0.5, 3.0, -1.0];
                assert_eq!(new, Body { position, id: old.id + (1 << 40), ..*old });
            }
            Ok(())
        })
    }

    #[test]
    fn generics() -> Result {
        feature("generic kernels, with named instances", |device, stream| {
            let mut x = stream.upload(&[1.5, 2.0])?;
            scale::<f64, 1>::load(device)?.launch(stream, LaunchConfig::threads(2), (&mut x,))?;
            assert_eq!(stream.download(&x)?, [3.0, 4.0]);
            let mut x = stream.upload(&[1_u8, 33])?;
            scale::<u8, 3>::load(device)?.launch(stream, LaunchConfig::threads(2), (&mut x,))?;
            assert_eq!(stream.download(&x)?, [8, 8]);
            Ok(())
        })
    }

    #[test]
    fn closures() -> Result {
        feature("closures and iterators inside kernels", |device, stream| {
            let mut steps = stream.alloc_zeroed::<u32>(30)?;
            collatz::load(device)?.launch(stream, LaunchConfig::threads(30), (&mut steps,))?;
            assert_eq!(stream.download(&steps)?[26], 111); // 27 takes 111 steps: OEIS A006577
            Ok(())
        })
    }

    #[test]
    fn atomics() -> Result {
        feature("atomics on buffers", |device, stream| {
            let host = numbers(300);
            let (mut bins, mut extremes) = (stream.alloc_zeroed::<u32>(8)?, stream.alloc_zeroed::<i64>(2)?);
            let mut sum = stream.alloc_zeroed::<f32>(1)?;
            let arguments = (&stream.upload(&host)?, &mut bins, &mut extremes, &mut sum);
            tally::load(device)?.launch(stream, LaunchConfig::threads(300), arguments)?;
            let mut expected = [0; 8];
            host.iter().for_each(|&x| expected[x as usize % 8] += 1);
            assert_eq!(stream.download(&bins)?, expected);
            let most = i64::from(*host.iter().max().expect("numbers"));
            assert_eq!(stream.download(&extremes)?, [-most, most << 20]);
            assert_eq!(stream.download(&sum)?, [150.0]);
            Ok(())
        })
    }

    #[test]
    fn pointers() -> Result {
        feature("`unsafe` kernels: raw pointers, barriers", |device, stream| {
            let host = numbers(192);
            let mut x = stream.upload(&host)?;
            // SAFETY: there are as many elements, in whole groups.
            unsafe { reverse::load(device)?.launch(stream, LaunchConfig::threads(192), (&mut x, 192))? };
            let expected: Vec<_> = host.chunks(64).flat_map(|part| part.iter().rev().copied()).collect();
            assert_eq!(stream.download(&x)?, expected);
            Ok(())
        })
    }
}
