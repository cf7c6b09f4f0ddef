//! What a caller can get wrong at run time: each a typed error that names it, nothing launched.

use gridwright::launch::WorkgroupError;
use gridwright::prelude::*;
use gridwright::{ConfigError, Error};

type Result = std::result::Result<(), Error>;

#[gpu_kernel(requires = x.len() == y.len() && times < 10)]
fn add(t: Thread, x: &[f32], mut y: PerThread<[f32]>, times: u32) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()] * times as f32;
    }
}

#[gpu_kernel]
fn copy(t: Thread, x: &Matrix<f32>, mut y: PerThread<Matrix<f32>>) {
    if let Some(y) = y.get_mut(t) {
        *y = x.get_or(t.row(), t.col(), 0.0);
    }
}

fn launch_add(
    config: LaunchConfig,
    x: &[f32],
    y: &[f32],
    times: u32,
) -> std::result::Result<Vec<f32>, Error> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(x)?;
    let mut y = stream.upload(y)?;
    let result = add::load(&device)?.launch(&stream, config, (&x, &mut y, times));
    let y = stream.download(&y)?;
    if result.is_err() {
        assert!(y.iter().all(|&y| y == 0.0), "something was launched");
    }
    result.map(|()| y)
}

#[test]
fn lengths_that_requires_forbids() {
    let error = launch_add(LaunchConfig::threads(3), &[1.0; 3], &[0.0; 2], 1).unwrap_err();
    assert!(matches!(error, Error::Requirement { condition: "x.len() == y.len()", .. }));
    assert_eq!(
        error.to_string(),
        "kernel `add` requires `x.len() == y.len()`, but was given x: 3 elements, y: 2 elements, times: 1"
    );
}

#[test]
fn values_that_requires_forbids() {
    let error = launch_add(LaunchConfig::threads(3), &[1.0; 3], &[0.0; 3], 10).unwrap_err();
    assert!(error.to_string().contains("`times < 10`") && error.to_string().contains("times: 10"));
}

#[test]
fn arithmetic_in_requires_fails_rather_than_wraps() -> Result {
    #[gpu_kernel(requires = x.len() * scale == 0)]
    fn scaled(_t: Thread, x: &[u8], scale: usize) {
        let _ = (x, scale);
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload(&[0; 4])?;
    let kernel = scaled::load(&device)?;
    // 4 * 2^62 wraps to 0.
    let result = kernel.launch(&stream, LaunchConfig::threads(1), (&x, 1 << 62));
    assert!(matches!(result, Err(Error::Requirement { .. })));
    kernel.launch(&stream, LaunchConfig::threads(1), (&x, 0))
}

#[test]
fn sizes_of_a_launch() {
    let reason = |config| match launch_add(config, &[1.0], &[0.0], 1) {
        Err(Error::InvalidConfig { kernel: "add", reason }) => reason,
        other => panic!("{other:?}"),
    };
    assert_eq!(reason(LaunchConfig::threads(0)), ConfigError::Zero { what: "threads" });
    let too_many = reason(LaunchConfig::threads(1 << 33));
    assert!(matches!(too_many, ConfigError::OverLimit { value: 0x2_0000_0000, limit: 0x1_0000_0000, .. }));
    assert!(matches!(reason(LaunchConfig::grid(1, 2048)), ConfigError::OverLimit { limit: 1024, .. }));
    assert_eq!(reason(LaunchConfig::for_matrix(2, 2)), ConfigError::Rank { launch: 2, kernel: 1 });
    let message = launch_add(LaunchConfig::threads(0), &[1.0], &[0.0], 1).unwrap_err().to_string();
    assert_eq!(
        message,
        "kernel `add`: zero threads: there is nothing to launch; leave the launch out where there may be none, as in `if n > 0 { … }`"
    );
}

#[test]
fn a_cooperative_launch_of_a_device_that_has_none() {
    let error = launch_add(LaunchConfig::grid(1, 3).cooperative(), &[1.0; 3], &[0.0; 3], 1).unwrap_err();
    let Error::InvalidConfig { reason: ConfigError::Cooperative { groups: 1, most: 0 }, .. } = error else {
        panic!("{error}");
    };
    assert_eq!(error.to_string(), "kernel `add`: the device has no cooperative launches");
}

#[test]
fn lengths_and_devices_of_pinned_copies() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    let result = stream.copy_to_pinned(&buffer, stream.pinned(5)?);
    assert!(matches!(result, Err(Error::LengthMismatch { given: 5, expected: 4, .. })));
    let foreign = Device::cpu()?.stream()?.pinned(4)?;
    let result = stream.copy_from_pinned(&mut buffer, foreign);
    assert!(matches!(result, Err(Error::ForeignBuffer { .. })));
    assert!(matches!(stream.pinned::<u64>(usize::MAX), Err(Error::OutOfMemory { .. })));
    Ok(())
}

#[test]
fn buffers_and_streams_of_another_device() -> Result {
    let (here, there) = (Device::cpu()?, Device::cpu()?);
    let (stream, other_stream) = (here.stream()?, there.stream()?);
    let foreign = other_stream.upload(&[1.0])?;
    let mut y = stream.upload(&[0.0])?;
    let kernel = add::load(&here)?;
    let error = kernel.launch(&stream, LaunchConfig::threads(1), (&foreign, &mut y, 1)).unwrap_err();
    assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "kernel `add`, parameter `x`"));
    let error = kernel.launch(&other_stream, LaunchConfig::threads(1), (&foreign, &mut y, 1)).unwrap_err();
    assert!(matches!(error, Error::ForeignStream { what: "stream", .. }));
    assert!(matches!(stream.download(&foreign), Err(Error::ForeignBuffer { .. })));
    assert!(matches!(stream.wait(&other_stream.record()?), Err(Error::ForeignStream { .. })));
    assert_eq!(stream.download(&y)?, [0.0]);
    // A clone is the same device.
    let same = here.clone().stream()?;
    assert_eq!(same.download(&y)?, [0.0]);
    Ok(())
}

#[test]
fn lengths_of_copies() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    let result = stream.copy_from_slice(&mut buffer, &[1; 3]);
    assert!(matches!(result, Err(Error::LengthMismatch { given: 3, expected: 4, .. })));
    let result = stream.copy_to_slice(&buffer, &mut [0; 5]);
    assert!(matches!(result, Err(Error::LengthMismatch { given: 5, expected: 4, .. })));
    assert!(matches!(stream.upload_matrix(2, 2, &[1; 5]), Err(Error::MatrixSize { len: 5, .. })));
    assert!(matches!(stream.upload_matrix(1 << 40, 1 << 40, &[0; 0]), Err(Error::MatrixSize { .. })));
    Ok(())
}

#[test]
#[allow(clippy::reversed_empty_ranges)]
fn parts_beyond_the_buffer() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut buffer = stream.alloc_zeroed::<u32>(4)?;
    assert!(matches!(buffer.slice(2..5), Err(Error::OutOfRange { start: 2, end: 5, len: 4 })));
    assert!(buffer.slice_mut(3..2).is_err());
    assert!(buffer.slice(..=usize::MAX).is_err());
    assert!(buffer.split_at_mut(5).is_err());
    assert!(buffer.slice(4..).is_ok_and(|empty| empty.is_empty()));
    Ok(())
}

#[test]
fn buffers_that_do_not_divide_into_arrays() -> Result {
    #[gpu_kernel]
    fn pairs(t: Thread, mut x: PerThread<[[f32; 2]]>) {
        if let Some([a, b]) = x.get_mut(t) {
            std::mem::swap(a, b);
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<f32>(5)?;
    let error = pairs::load(&device)?.launch(&stream, LaunchConfig::threads(3), (&mut x,)).unwrap_err();
    assert_eq!(error.to_string(), "kernel `pairs`, parameter `x`: 5 elements don't make arrays of 2");
    Ok(())
}

#[test]
fn more_memory_than_there_is() -> Result {
    let stream = Device::cpu()?.stream()?;
    let result = stream.alloc_zeroed::<u64>(usize::MAX);
    assert!(
        matches!(result, Err(Error::OutOfMemory { requested, .. }) if requested == 8 * usize::MAX as u128)
    );
    let result = stream.alloc_zeroed::<u8>(isize::MAX as usize);
    assert!(matches!(result, Err(Error::OutOfMemory { requested, .. }) if requested == isize::MAX as u128));
    let matrix = stream.alloc_matrix_zeroed::<f32>(1 << 31, 1 << 31);
    assert!(matches!(matrix, Err(Error::OutOfMemory { requested, .. }) if requested == 1 << 64));
    let matrix = stream.alloc_matrix_zeroed::<f32>(1, 1 << 32);
    assert!(matches!(matrix, Err(Error::MatrixLimit { rows: 1, .. })));
    Ok(())
}

#[test]
fn a_matrix_kernel_in_one_dimension_is_one_row() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let x = stream.upload_matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let mut y = stream.alloc_matrix_zeroed(2, 3)?;
    copy::load(&device)?.launch(&stream, LaunchConfig::threads(6), (&x, &mut y))?;
    assert_eq!(stream.download(&y)?, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]);
    Ok(())
}

/// Adds one in global memory for each thread that runs.
#[gpu_kernel(block = (8, 4), max_threads = 32)]
fn declared(g: &Group, mut out: PerThread<Matrix<u32>>, mut fixed: Workgroup<[u64; 100]>) {
    g.load(&mut fixed, &[], 0);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += 1;
        }
    });
}

#[gpu_kernel(max_threads = 100)]
fn sized(g: &Group, mut out: PerThread<[u32]>, mut a: Workgroup<[u16]>, mut b: Workgroup<[[f64; 3]]>) {
    g.load(&mut a, &[], 0);
    g.load(&mut b, &[], 0);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += 1;
        }
    });
}

#[gpu_kernel]
fn unlimited(g: &Group, mut out: PerThread<[u32]>, mut w: Workgroup<[u32]>) {
    g.load(&mut w, &[], 0);
    g.each(out.elements_mut(), |_, out| {
        if let Some(out) = out {
            *out += 1;
        }
    });
}

#[test]
fn blocks_of_groups() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (declared, sized, unlimited) =
        (declared::load(&device)?, sized::load(&device)?, unlimited::load(&device)?);
    let mut matrix = stream.alloc_matrix_zeroed::<u32>(8, 8)?;
    let mut out = stream.alloc_zeroed::<u32>(8)?;
    let matrix_config = LaunchConfig::for_matrix(8, 8);
    let cases = [
        (
            declared.launch(&stream, matrix_config.block((8, 8)), (&mut matrix,)),
            "kernel `declared`: a block of (8, 8), but the kernel declares `block = (8, 4)`: give it that block, or none \
             with `LaunchConfig::threads`, `for_matrix` or `for_volume`",
        ),
        (
            declared.launch(&stream, LaunchConfig::grid(2, 32), (&mut matrix,)),
            "kernel `declared`: a block of 32, but the kernel declares `block = (8, 4)`: give it that block, or none \
             with `LaunchConfig::threads`, `for_matrix` or `for_volume`",
        ),
        (
            declared.launch(&stream, LaunchConfig::for_volume(2, 8, 8), (&mut matrix,)),
            "kernel `declared`: a 3-dimensional launch of a kernel whose parameters are 2-dimensional: several threads \
             would own one element; launch it with `LaunchConfig::threads(n)` or `LaunchConfig::for_matrix(rows, cols)`",
        ),
        (
            declared.launch(&stream, LaunchConfig::for_matrix(0, 8), (&mut matrix,)),
            "kernel `declared`: zero threads: there is nothing to launch; leave the launch out where there may be none, as in `if n > 0 { … }`",
        ),
    ];
    for (result, message) in cases {
        assert_eq!(result.unwrap_err().to_string(), message);
    }
    let refused = |config: LaunchConfig, out: &mut Buffer<u32>| {
        let config = config.workgroup::<u16>(1).workgroup::<[f64; 3]>(1);
        match sized.launch(&stream, config, (out,)) {
            Err(Error::InvalidConfig { kernel: "sized", reason }) => reason,
            other => panic!("{other:?}"),
        }
    };
    let zero = |what| ConfigError::Zero { what };
    assert_eq!(refused(LaunchConfig::threads(0), &mut out), zero("threads"));
    assert_eq!(refused(LaunchConfig::grid(0, 32), &mut out), zero("workgroups"));
    assert_eq!(refused(LaunchConfig::grid(1, 0), &mut out), zero("threads in a workgroup"));
    assert_eq!(refused(LaunchConfig::threads(8).block((8, 0)), &mut out), zero("threads in a workgroup"));
    // A block of two axes makes a launch of two.
    let rank = ConfigError::Rank { launch: 2, kernel: 1 };
    assert_eq!(refused(LaunchConfig::threads(8).block((8, 2)), &mut out), rank);
    let over = |reason: ConfigError| match reason {
        ConfigError::OverLimit { what, value, limit, .. } => (what, value, limit),
        other => panic!("{other:?}"),
    };
    assert_eq!(over(refused(LaunchConfig::grid(1, 101), &mut out)), ("threads in a workgroup", 101, 100));
    let along_x = ("threads of a workgroup along x", 1025, 1024);
    assert_eq!(over(refused(LaunchConfig::threads(8).block(1025), &mut out)), along_x);
    let along_z = ("threads of a workgroup along z", 65, 64);
    assert_eq!(over(refused(LaunchConfig::threads(8).block((1, 1, 65)), &mut out)), along_z);
    let too_many = refused(LaunchConfig::grid(1 << 31, 1), &mut out);
    assert_eq!(over(too_many), ("workgroups along x", 1 << 31, (1 << 31) - 1));
    let total = refused(LaunchConfig::grid((1 << 31) - 1, 100), &mut out);
    assert!(total.to_string().contains("#[gpu_kernel(index = u64)]"), "{total}");
    let large = LaunchConfig::threads(8).block((64, 32)).workgroup::<u32>(1);
    let error = unlimited.launch(&stream, large, (&mut out,)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `unlimited`: 2048 threads in a workgroup, but the limit is 1024; take a smaller block"
    );
    assert_eq!((stream.download(&matrix)?, stream.download(&out)?), (vec![0; 64], vec![0; 8]));
    // As declared, or without a word of it, each runs.
    declared.launch(&stream, matrix_config.block((8, 4)), (&mut matrix,))?;
    declared.launch(&stream, matrix_config, (&mut matrix,))?;
    let config = LaunchConfig::threads(8).workgroup::<u16>(1).workgroup::<[f64; 3]>(1);
    sized.launch(&stream, config.block(100), (&mut out,))?;
    sized.launch(&stream, config, (&mut out,))?;
    assert_eq!((stream.download(&matrix)?, stream.download(&out)?), (vec![2; 64], vec![2; 8]));
    Ok(())
}

#[test]
fn workgroup_memory_that_is_none_or_uneven_or_too_much() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (sized, unlimited) = (sized::load(&device)?, unlimited::load(&device)?);
    let mut out = stream.alloc_zeroed::<u32>(8)?;
    let threads = LaunchConfig::threads(8).block(100);
    let two = |a, b| threads.workgroup::<u16>(a).workgroup::<[f64; 3]>(b);
    let mut refused = |config| match sized.launch(&stream, config, (&mut out,)) {
        Err(error @ Error::WorkgroupMemory { kernel: "sized", .. }) => error.to_string(),
        other => panic!("{other:?}"),
    };
    // Behind 1024 bytes for collectives, in pieces of whole 16 bytes.
    let (most_a, most_b) = ((48 * 1024 - 1024 - 32) / 2, (48 * 1024 - 1024 - 16) / 24);
    let over = |bytes: u128| {
        format!(
            "kernel `sized`: {bytes} bytes of workgroup memory a group, of which 1024 are for the kernel's arrays of fixed \
             size and for collectives, but the limit of the device is 49152; ask for fewer elements"
        )
    };
    let zero = |name| {
        format!("kernel `sized`: zero elements of workgroup memory for `{name}`: give it at least one")
    };
    let huge = |name, elements: u128, size| {
        format!(
            "kernel `sized`: {elements} elements of {size} bytes of workgroup memory for `{name}` are more bytes than a \
             usize counts"
        )
    };
    let max = usize::MAX;
    let cases = [
        (two(0, 1), zero("a")),
        (two(1, 0), zero("b")),
        (two(0, 0), zero("a")),
        (threads.workgroup_per_thread::<u16>(0).workgroup::<[f64; 3]>(1), zero("a")),
        (two(most_a + 1, 1), over(49_168)),
        (two(1, most_b + 1), over(49_168)),
        (two(max / 4, 1), over(1024 + (max as u128 / 4 * 2).next_multiple_of(16) + 32)),
        (two(max, 1), huge("a", max as u128, 2)),
        (two(1, max / 24 + 1), huge("b", max as u128 / 24 + 1, 24)),
        (threads.workgroup::<u16>(1).workgroup_per_thread(max), huge("b", max as u128 * 100, 24)),
    ];
    for (config, message) in cases {
        assert_eq!(refused(config), message, "{config:?}");
    }
    sized.launch(&stream, two(most_a, 1), (&mut out,))?;
    sized.launch(&stream, two(1, most_b), (&mut out,))?;
    assert_eq!(stream.download(&out)?, [2; 8]);

    let mut bytes = |n| unlimited.launch(&stream, threads.dyn_workgroup_bytes(n), (&mut out,));
    let error = bytes(1023).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `unlimited`: 1023 bytes of workgroup memory for `w` aren't a multiple of 4, the bytes of its elements"
    );
    assert!(matches!(
        error,
        Error::WorkgroupMemory { reason: WorkgroupError::Uneven { bytes: 1023, .. }, .. }
    ));
    let zero = WorkgroupError::Zero { partition: "w" };
    assert!(matches!(bytes(0).unwrap_err(), Error::WorkgroupMemory { reason, .. } if reason == zero));
    let error = bytes(47 * 1024 + 4).unwrap_err();
    assert!(matches!(
        error,
        Error::WorkgroupMemory { reason: WorkgroupError::OverLimit { bytes: 49_168, .. }, .. }
    ));
    assert!(matches!(bytes(max - 3).unwrap_err(), Error::WorkgroupMemory { .. }));
    bytes(47 * 1024)?;
    assert_eq!(stream.download(&out)?, [3; 8]);
    Ok(())
}

#[test]
fn arguments_of_groups_from_another_device_or_of_uneven_length() -> Result {
    #[gpu_kernel]
    fn all_kinds(
        g: &Group,
        volume: &Volume<f32>,
        own: PerThread<Volume<f32>>,
        sums: PerGroup<[f32]>,
        arrays: PerGroup<[[f32; 4]]>,
        counts: Atomic<[u32]>,
    ) {
        let _ = (volume, own, sums, arrays);
        g.each((), |t, ()| {
            counts.fetch_add(t, 0, 1);
        });
    }
    let (here, there) = (Device::cpu()?, Device::cpu()?);
    let (stream, other) = (here.stream()?, there.stream()?);
    let kernel = all_kinds::load(&here)?;
    let mut counts = stream.alloc_zeroed::<u32>(1)?;
    for (foreign, name) in ["volume", "own", "sums", "arrays", "counts"].into_iter().enumerate() {
        let of = |argument: usize| if argument == foreign { &other } else { &stream };
        let volume = of(0).alloc_volume_zeroed::<f32>(1, 2, 3)?;
        let mut own = of(1).alloc_volume_zeroed::<f32>(1, 2, 3)?;
        let mut sums = of(2).alloc_zeroed::<f32>(1)?;
        let mut arrays = of(3).alloc_zeroed::<f32>(4)?;
        let mut foreign_counts = other.alloc_zeroed::<u32>(1)?;
        let counts = if foreign == 4 { &mut foreign_counts } else { &mut counts };
        let arguments = (&volume, &mut own, &mut sums, &mut arrays, counts);
        match kernel.launch(&stream, LaunchConfig::threads(1), arguments) {
            Err(Error::ForeignBuffer { place, .. }) => {
                assert_eq!(place, format!("kernel `all_kinds`, parameter `{name}`"));
            }
            other => panic!("{other:?}"),
        }
        assert!(matches!(stream.download(&volume), Err(Error::ForeignBuffer { .. })) == (foreign == 0));
    }
    let volume = stream.alloc_volume_zeroed::<f32>(1, 2, 3)?;
    let mut own = stream.alloc_volume_zeroed::<f32>(1, 2, 3)?;
    let mut sums = stream.alloc_zeroed::<f32>(1)?;
    let mut arrays = stream.alloc_zeroed::<f32>(7)?;
    let arguments = (&volume, &mut own, &mut sums, &mut arrays, &mut counts);
    let error = kernel.launch(&stream, LaunchConfig::threads(1), arguments).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel `all_kinds`, parameter `arrays`: 7 elements don't make arrays of 4"
    );
    assert_eq!(stream.download(&counts)?, [0]);
    Ok(())
}

#[test]
fn an_empty_part_from_the_middle_of_a_vectors_place_is_read() -> Result {
    #[gpu_kernel]
    fn lengths_of_vectors(t: Thread, x: &[gridwright::memory::Vector<f32, 4>], seen: Atomic<[u32]>) {
        assert!(x.is_empty() && x.as_ptr().is_aligned());
        seen.fetch_add(t, 0, 1);
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (buffer, mut seen) = (stream.upload(&[1.0_f32; 8])?, stream.alloc_zeroed::<u32>(1)?);
    let nothing = buffer.slice(1..1)?.vectors::<4>()?;
    lengths_of_vectors::load(&device)?.launch(&stream, LaunchConfig::threads(3), (nothing, &mut seen))?;
    assert_eq!(stream.download(&seen)?, [3]);
    Ok(())
}
