//! Each level, each way to pass, and workgroup memory of both kinds, where all names of the prelude and of primitive types mean
//! something else.

use gridwright::cluster::{Cluster, ClusterMemory};
use gridwright::grid::{Grid, GridMemory};
use gridwright::{
    Atomic, Group, KernelArg, Matrix, PerGroup, PerThread, Thread, Volume, Workgroup, gpu_kernel, unroll,
};
#[allow(unused_imports)] // to be in the way
use gridwright_hostile::names::{
    Clone, Copy, Default, Drop, Err, Fn, FnMut, FnOnce, Iterator, None, Ok, Option, Result, Send, Sized,
    Some, Sync, assert, bool, char, compile_error, f32, f64, i8, i16, i32, i64, i128, include, include_bytes,
    isize, matches, str, u8, u16, u32, u64, u128, usize,
};
use gridwright_hostile::real::{Float, Maybe, Size, Word};

/// By value, with more than one field.
#[derive(core::clone::Clone, core::marker::Copy, KernelArg)]
#[repr(C)]
struct Line {
    slope: Word,
    start: Word,
}

#[gpu_kernel(requires = x.len() == y.len() && line.slope > 0)]
fn of_threads(t: Thread, line: Line, by: Word, x: &[Word], mut y: PerThread<[Word]>, seen: Atomic<[Word]>) {
    if let Maybe::Some(y) = y.get_mut(t) {
        *y = line.slope * x[t.index()] + line.start;
        unroll!(for _ in 0..2 {
            *y += by;
        });
        seen.fetch_add(t, 0, 1);
    }
}

#[gpu_kernel(index = u64, requires = m.rows() == edges.rows() && v.planes() * 2 == 4)]
fn of_matrices(t: Thread, m: &Matrix<Word>, v: &Volume<Word>, mut edges: PerThread<Matrix<Word>>) {
    if let Maybe::Some(edge) = edges.get_mut(t) {
        *edge = m.get_or(t.row(), t.col(), 0) + v.get_or(1, t.row(), t.col(), 0);
    }
}

#[gpu_kernel(block = 64, max_threads = 64, requires = scratch.len() == g.len())]
fn of_groups(
    g: &Group,
    x: &[Word],
    mut sums: PerGroup<[Word]>,
    mut tile: Workgroup<[Word; 64]>,
    mut scratch: Workgroup<[Word]>,
) {
    g.load(&mut tile, x, g.origin().x);
    g.each((scratch.elements_mut(), tile.elements()), |_, (twice, x)| *twice = 2 * x);
    let values = g.map(scratch.elements(), |_, x| *x);
    sums.set(g, g.reduce(&values, |a, b| a + b));
}

#[gpu_kernel(instances((Word, 2), (Float, 3)))]
fn of_types<T: KernelArg, const N: Size>(t: Thread, x: T, mut y: PerThread<[[T; N]]>) {
    if let Maybe::Some(y) = y.get_mut(t) {
        *y = [x; N];
    }
}

#[gpu_kernel(block = 64)]
fn of_clusters(cluster: &Cluster, mut x: PerThread<[Word]>, mut m: ClusterMemory<[Word; 64]>) {
    cluster.each_group((&mut x, &mut m), |g, (mut x, mut m)| {
        g.each((x.elements_mut(), m.elements_mut()), |t, (x, m)| {
            *m = t.index() as Word;
            if let Maybe::Some(x) = x {
                *x += *m;
            }
        });
    });
}

#[gpu_kernel(block = 64)]
fn of_grids(grid: &Grid, by: Word, mut x: GridMemory<[Word]>) {
    grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x += by));
    grid.each(x.grid_stride_mut(), |_, x| x.for_each(|_, x| *x *= 2));
}

#[gridwright::host_only]
mod on_host {
    use gridwright::prelude::*;

    use crate::devices;

    #[test]
    fn threads() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let x = stream.upload(&[1_u32, 2, 3])?;
            let (mut y, mut seen) = (stream.alloc_zeroed::<u32>(3)?, stream.alloc_zeroed::<u32>(1)?);
            let kernel = super::of_threads::load(&device)?;
            let line = super::Line { slope: 10, start: 5 };
            // More threads than elements.
            kernel.launch(&stream, LaunchConfig::threads(70), (line, 100, &x, &mut y, &mut seen))?;
            assert_eq!((stream.download(&y)?, stream.download(&seen)?), (vec![215, 225, 235], vec![3]));
            let flat = super::Line { slope: 0, start: 5 };
            let refused = kernel.launch(&stream, LaunchConfig::threads(3), (flat, 1, &x, &mut y, &mut seen));
            assert!(matches!(refused, Err(gridwright::Error::Requirement { .. })), "{refused:?}");
            let mut longer = stream.alloc_zeroed::<u32>(4)?;
            let refused =
                kernel.launch(&stream, LaunchConfig::threads(3), (line, 1, &x, &mut longer, &mut seen));
            assert!(matches!(refused, Err(gridwright::Error::Requirement { .. })), "{refused:?}");
        }
        Ok(())
    }

    #[test]
    fn matrices() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let m = stream.upload_matrix(2, 3, &[1_u32, 2, 3, 4, 5, 6])?;
            let v = stream.upload_volume(2, 1, 2, &[0_u32, 0, 10, 20])?;
            let mut edges = stream.alloc_matrix_zeroed::<u32>(2, 3)?;
            let kernel = super::of_matrices::load(&device)?;
            kernel.launch(&stream, LaunchConfig::for_matrix(2, 3), (&m, &v, &mut edges))?;
            assert_eq!(stream.download(&edges)?, [11, 22, 3, 4, 5, 6]);
        }
        Ok(())
    }

    #[test]
    fn groups() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let x = stream.upload(&[1_u32; 100])?;
            let mut sums = stream.alloc_zeroed::<u32>(2)?;
            let config = LaunchConfig::grid(2, 64).workgroup::<u32>(64);
            super::of_groups::load(&device)?.launch(&stream, config, (&x, &mut sums))?;
            assert_eq!(stream.download(&sums)?, [128, 72]);
        }
        Ok(())
    }

    #[test]
    fn types() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let mut words = stream.alloc_zeroed::<[u32; 2]>(1)?;
            super::of_types::<u32, 2>::load(&device)?.launch(
                &stream,
                LaunchConfig::threads(1),
                (7, &mut words),
            )?;
            let mut floats = stream.alloc_zeroed::<[f32; 3]>(1)?;
            super::of_types::<f32, 3>::load(&device)?.launch(
                &stream,
                LaunchConfig::threads(1),
                (0.5, &mut floats),
            )?;
            assert_eq!((stream.download(&words)?, stream.download(&floats)?), (vec![[7; 2]], vec![[0.5; 3]]));
        }
        Ok(())
    }

    #[test]
    fn grids() -> Result<(), gridwright::Error> {
        for device in devices()? {
            let stream = device.stream()?;
            let mut x = stream.upload(&[1_u32, 2, 3])?;
            super::of_grids::load(&device)?.launch(&stream, LaunchConfig::grid(2, 64), (4, &mut x))?;
            assert_eq!(stream.download(&x)?, [10, 12, 14]);
        }
        Ok(())
    }

    /// The emulator's device has clusters in images for sm_90 only.
    #[test]
    fn clusters() -> Result<(), gridwright::Error> {
        let device = Device::cpu()?;
        let stream = device.stream()?;
        let mut x = stream.upload(&[1_u32; 128])?;
        let config = LaunchConfig::grid(2, 64).cluster(2);
        super::of_clusters::load(&device)?.launch(&stream, config, (&mut x,))?;
        assert_eq!(stream.download(&x)?[127], 128);
        Ok(())
    }
}
