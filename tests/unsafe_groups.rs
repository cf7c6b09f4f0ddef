//! Kernels of groups, clusters and grids that are `unsafe fn`: they are written as safe ones, and who launches them answers for what
//! their authors ask. Also instances of generic ones.

use gridwright::Error;
use gridwright::prelude::*;

type Result<T = ()> = std::result::Result<T, Error>;

const BLOCK: usize = 64;

/// # Safety
/// `n` is at most the length of `x`.
#[gpu_kernel(block = BLOCK)]
unsafe fn sums_of_groups(g: &Group, n: usize, x: &[u32], mut sums: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| {
        // SAFETY: `n` is at most the length, as the kernel asks.
        if t.index() < n { unsafe { *x.get_unchecked(t.index()) } } else { 0 }
    });
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}

/// # Safety
/// `n` is at most the length of `x`.
#[gpu_kernel(block = BLOCK)]
unsafe fn sums_of_clusters(
    cluster: &Cluster,
    n: usize,
    x: &[u32],
    mut sums: PerGroup<[u32]>,
    mut sum: ClusterMemory<[u32; 1]>,
) {
    cluster.each_group(&mut sum, |g, mut sum| {
        let mine = g.map((), |t, ()| {
            // SAFETY: `n` is at most the length, as the kernel asks.
            if t.index() < n { unsafe { *x.get_unchecked(t.index()) } } else { 0 }
        });
        let total = g.reduce(&mine, |a, b| a + b);
        g.fill(&mut sum, total);
    });
    cluster.each_group((&sum, &mut sums), |g, (parts, mut sums)| {
        sums.set(g, (0..parts.groups()).map(|rank| parts.of(rank)[0]).sum());
    });
}

/// # Safety
/// `n` is at most the length of `x`.
#[gpu_kernel(block = BLOCK)]
unsafe fn doubled_by_a_grid(grid: &Grid, n: usize, x: &[u32], mut y: GridMemory<[u32]>) {
    for _ in 0..2 {
        grid.each(y.grid_stride_mut(), |_, mine| {
            // SAFETY: `n` is at most the length, as the kernel asks.
            mine.for_each(|i, y| *y += if i < n { unsafe { *x.get_unchecked(i) } } else { 0 });
        });
    }
}

/// The sums of `n` elements by parts of so many.
fn sums(x: &[u32], n: usize, part: usize) -> Vec<u32> {
    x.chunks(part).enumerate().map(|(i, x)| x.iter().take(n.saturating_sub(i * part)).sum()).collect()
}

#[test]
fn groups_clusters_and_grids() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let numbers: Vec<u32> = (0..500).collect();
    let x = stream.upload(&numbers)?;
    for n in [0, 1, 64, 450, 500] {
        let mut y = stream.alloc_zeroed::<u32>(8)?;
        // SAFETY: there are 500 elements.
        unsafe {
            sums_of_groups::load(&device)?.launch(&stream, LaunchConfig::grid(8, BLOCK), (n, &x, &mut y))?;
        }
        assert_eq!(stream.download(&y)?, sums(&numbers, n, BLOCK), "{n}");

        let config = LaunchConfig::grid(8, BLOCK).cluster(4);
        // SAFETY: there are 500 elements.
        unsafe { sums_of_clusters::load(&device)?.launch(&stream, config, (n, &x, &mut y))? };
        let of_clusters: Vec<u32> =
            sums(&numbers, n, 4 * BLOCK).into_iter().flat_map(|sum| [sum; 4]).collect();
        assert_eq!(stream.download(&y)?, of_clusters, "{n}");

        let mut y = stream.alloc_zeroed::<u32>(500)?;
        // SAFETY: there are 500 elements.
        unsafe {
            doubled_by_a_grid::load(&device)?.launch(
                &stream,
                LaunchConfig::grid(2, BLOCK),
                (n, &x, &mut y),
            )?;
        };
        let doubled: Vec<u32> =
            numbers.iter().enumerate().map(|(i, x)| if i < n { 2 * x } else { 0 }).collect();
        assert_eq!(stream.download(&y)?, doubled, "{n}");
    }
    Ok(())
}

/// A library of generic kernels that trust what they are told.
#[allow(unreachable_pub)] // as a crate of its own has it
mod library {
    use super::*;

    /// # Safety
    /// `n` is at most the length of `x`.
    #[gpu_kernel(block = 32)]
    pub unsafe fn first_of_groups<T: KernelArg>(g: &Group, n: usize, x: &[T], mut first: PerGroup<[T]>) {
        let i = g.index() * 32;
        // SAFETY: `n` is at most the length, as the kernel asks.
        first.set(g, if i < n { unsafe { *x.get_unchecked(i) } } else { T::zeroed() });
    }

    kernel_trait! {
        /// What [`first_of_groups`] launches for a type.
        pub trait FirstOfGroups<T: KernelArg> {
            /// Takes them.
            type All = crate::library::first_of_groups<T>;
        }
    }

    /// A safe function by an unsafe kernel.
    pub(crate) fn first_of_groups_of<T: KernelArg, K: FirstOfGroups<T>>(
        stream: &Stream,
        x: &[T],
    ) -> Result<Vec<T>> {
        let groups = x.len().div_ceil(32);
        let (input, mut first) = (stream.upload(x)?, stream.alloc_zeroed(groups)?);
        let kernel = gridwright::launch::UnsafeKernel::<K::All>::load(stream.device())?;
        // SAFETY: that is the input's length.
        unsafe { kernel.launch(stream, LaunchConfig::grid(groups, 32), (x.len(), &input, &mut first))? };
        stream.download(&first)
    }
}

instance! { kernel first_f64_of_groups = library::first_of_groups<f64>; }

struct Mine;

instance! { impl library::FirstOfGroups<u16> for Mine; }

#[test]
fn instances() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let numbers: Vec<u16> = (0..100).collect();
    assert_eq!(library::first_of_groups_of::<u16, Mine>(&stream, &numbers)?, [0, 32, 64, 96]);

    let (x, mut y) = (stream.upload(&[1.5_f64; 64])?, stream.alloc_zeroed(2)?);
    let kernel: gridwright::launch::UnsafeKernel<first_f64_of_groups> = first_f64_of_groups::load(&device)?;
    // SAFETY: there are more elements.
    unsafe { kernel.launch(&stream, LaunchConfig::grid(2, 32), (10, &x, &mut y))? };
    assert_eq!(stream.download(&y)?, [1.5, 0.0]);
    Ok(())
}

#[test]
fn launches_are_checked_as_others() -> Result {
    let device = Device::cpu()?;
    let (stream, kernel) = (device.stream()?, sums_of_groups::load(&device)?);
    let (x, mut y) = (stream.upload(&[1_u32; 64])?, stream.alloc_zeroed(1)?);
    // SAFETY: there are as many elements.
    let error = unsafe { kernel.launch(&stream, LaunchConfig::grid(1, 32), (64, &x, &mut y)) }.unwrap_err();
    assert!(matches!(error, Error::InvalidConfig { .. }), "{error}");
    Ok(())
}
