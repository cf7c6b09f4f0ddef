//! `kernel.run(…)`: launches on the host's own memory.

#![allow(clippy::unwrap_used)]

use gridwright::Error;
use gridwright::prelude::*;

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

#[test]
fn slices_arrays_and_vectors_go_and_come_back() -> Result {
    let device = Device::cpu()?;
    let kernel = saxpy::load(&device)?;
    let config = LaunchConfig::threads(3);
    let mut vector = vec![10.0, 20.0, 30.0];
    kernel.run(&device, config, (2.0, &[1.0, 2.0, 3.0], InOut(&mut vector)))?;
    assert_eq!(vector, [12.0, 24.0, 36.0]);
    let mut array = [10.0, 20.0, 30.0];
    kernel.run(&device, config, (2.0, &vec![1.0, 2.0, 3.0], InOut(&mut array)))?;
    assert_eq!(array, [12.0, 24.0, 36.0]);
    kernel.run(&device, LaunchConfig::threads(2), (2.0, &vector[1..], InOut(&mut array[..2])))?;
    assert_eq!(array, [60.0, 96.0, 36.0]);
    kernel.run(&device, config, (2.0, &[1.0; 3], Out(&mut array)))?;
    assert_eq!(array, [2.0; 3], "from zero, whatever was there");
    Ok(())
}

#[gpu_kernel]
fn shapes(
    t: Thread,
    m: &Matrix<u32>,
    v: &Volume<u32>,
    mut matrix: PerThread<Matrix<u32>>,
    mut volume: PerThread<Volume<u32>>,
    sum: Atomic<[u64]>,
) {
    let (row, col) = (t.row(), t.col());
    if let Some(matrix) = matrix.get_mut(t) {
        *matrix += m.get_or(row, col, 100);
    }
    if let Some(volume) = volume.get_mut(t) {
        *volume = v.get_or(t.plane(), row, col, 0) + 1;
        sum.fetch_add(t, 0, 1);
    }
}

#[test]
fn matrices_and_volumes_do_too() -> Result {
    let device = Device::cpu()?;
    let (mut matrix, mut volume, mut sum) = ([1; 6], vec![0; 6], [0_u64]);
    let arguments = (
        AsMatrix(2, 2, &[1, 2, 3, 4]),
        AsVolume(1, 2, 3, &[5; 6]),
        InOut(AsMatrix(2, 3, &mut matrix)),
        Out(AsVolume(1, 2, 3, &mut volume)),
        InOut(&mut sum),
    );
    shapes::load(&device)?.run(&device, LaunchConfig::for_matrix(2, 3), arguments)?;
    assert_eq!(matrix, [2, 3, 101, 4, 5, 101]);
    assert_eq!((volume, sum), (vec![6; 6], [6]));
    Ok(())
}

#[gpu_kernel(block = 4)]
fn group_sums(g: &Group, x: &[u32], mut sums: PerGroup<[u32]>, mut scratch: Workgroup<[u32]>) {
    g.load(&mut scratch, x, g.origin().x);
    let len = scratch.len();
    let mut sum = 0;
    for i in 0..len {
        sum += g.read(&scratch, i);
    }
    sums.set(g, sum);
}

#[test]
fn workgroup_memory_is_asked_for_as_in_a_launch() -> Result {
    let device = Device::cpu()?;
    let mut sums = [0; 2];
    let config = LaunchConfig::threads(8).workgroup::<u32>(4);
    group_sums::load(&device)?.run(&device, config, (&[1, 2, 3, 4, 5, 6, 7], Out(&mut sums)))?;
    assert_eq!(sums, [10, 18]);
    let config = LaunchConfig::threads(8).workgroup::<u32>(0);
    let error = group_sums::load(&device)?.run(&device, config, (&[1], Out(&mut sums))).unwrap_err();
    assert!(matches!(error, Error::WorkgroupMemory { kernel: "group_sums", .. }), "{error}");
    assert_eq!(sums, [10, 18]);
    Ok(())
}

#[gpu_kernel]
fn fails_at(t: Thread, at: usize, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x = 7;
        assert!(t.index() != at, "as asked");
    }
}

#[test]
fn a_failure_leaves_the_hosts_memory_as_it_was() -> Result {
    let device = Device::cpu()?;
    let mut x = [1, 2, 3];
    let error =
        fails_at::load(&device)?.run(&device, LaunchConfig::threads(3), (1, InOut(&mut x))).unwrap_err();
    assert!(matches!(error, Error::KernelPanic { .. }), "{error}");
    assert_eq!(x, [1, 2, 3]);

    let mut y = [5.0; 3];
    let error = saxpy::load(&device)?
        .run(&device, LaunchConfig::threads(3), (1.0, &[1.0; 2], Out(&mut y)))
        .unwrap_err();
    assert!(matches!(error, Error::Requirement { kernel: "saxpy", .. }), "{error}");
    assert_eq!(y, [5.0; 3]);
    // The device is as good as before.
    saxpy::load(&device)?.run(&device, LaunchConfig::threads(3), (1.0, &[1.0; 3], Out(&mut y)))?;
    assert_eq!(y, [1.0; 3]);
    Ok(())
}

#[test]
fn shapes_that_do_not_fit_are_refused() -> Result {
    let device = Device::cpu()?;
    let kernel = shapes::load(&device)?;
    let run = |rows: usize, planes: usize| {
        let (mut matrix, mut volume, mut sum) = ([1; 6], [0; 6], [0_u64]);
        let arguments = (
            AsMatrix(1, 1, &[1]),
            AsVolume(1, 1, 1, &[5]),
            Out(AsMatrix(rows, 3, &mut matrix)),
            InOut(AsVolume(planes, 2, 3, &mut volume)),
            Out(&mut sum),
        );
        kernel.run(&device, LaunchConfig::for_matrix(2, 3), arguments)
    };
    assert!(matches!(run(3, 1), Err(Error::MatrixSize { rows: 3, cols: 3, len: 6 })));
    assert!(matches!(run(2, 2), Err(Error::VolumeSize { planes: 2, rows: 2, cols: 3, len: 6 })));
    run(2, 1)
}

#[test]
fn a_kernel_runs_on_its_own_device_only() -> Result {
    let (device, other) = (Device::cpu()?, Device::cpu()?);
    let error = saxpy::load(&device)?
        .run(&other, LaunchConfig::threads(1), (1.0, &[1.0], Out(&mut [0.0])))
        .unwrap_err();
    assert!(matches!(error, Error::ForeignStream { what: "device", .. }), "{error}");
    Ok(())
}

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
struct Particle {
    at: [f32; 2],
    mass: f32,
}

#[gpu_kernel]
fn moved(t: Thread, by: [f32; 2], heaviest: Particle, mut particles: PerThread<[Particle]>) {
    if let Some(particle) = particles.get_mut(t) {
        particle.at = [particle.at[0] + by[0], particle.at[1] + by[1]];
        particle.mass = particle.mass.min(heaviest.mass);
    }
}

#[test]
fn structs_go_by_value_and_in_slices() -> Result {
    let device = Device::cpu()?;
    let mut particles = vec![Particle { at: [1.0, 2.0], mass: 3.0 }; 4];
    let heaviest = Particle { at: [0.0; 2], mass: 2.0 };
    moved::load(&device)?.run(
        &device,
        LaunchConfig::threads(4),
        ([0.5, -0.5], heaviest, InOut(&mut particles)),
    )?;
    assert_eq!(particles, [Particle { at: [1.5, 1.5], mass: 2.0 }; 4]);
    Ok(())
}

#[gpu_kernel]
unsafe fn copied(t: Thread, from: *const u32, to: *mut u32, n: usize) {
    if t.col() < n {
        // SAFETY: the caller says that both have so many elements.
        unsafe { *to.add(t.col()) = *from.add(t.col()) };
    }
}

#[test]
fn unsafe_kernels_run_too() -> Result {
    let device = Device::cpu()?;
    let mut to = [0; 3];
    // SAFETY: both have three elements.
    unsafe { copied::load(&device)?.run(&device, LaunchConfig::threads(3), (&[1, 2, 3], Out(&mut to), 3))? };
    assert_eq!(to, [1, 2, 3]);
    Ok(())
}
