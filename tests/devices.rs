//! Several devices, and memory that host and device share, on the CPU.

#![allow(clippy::unwrap_used)]

use gridwright::graph::GraphBuilder;
use gridwright::prelude::*;
use gridwright::{DeviceKind, Error};

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel(requires = x.len() == y.len())]
fn add(t: Thread, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += x[t.index()];
    }
}

#[gpu_kernel]
fn count(t: Thread, seen: Atomic<[u32]>) {
    seen.fetch_add(t, t.index() % 4, 1);
}

#[gpu_kernel]
fn squares(g: &Group, pairs: PerThread<[[u32; 2]]>, mut firsts: PerGroup<[u32]>) {
    let mut pairs = pairs;
    g.each(pairs.elements_mut(), |t, pair| {
        if let Some(pair) = pair {
            *pair = [t.index() as u32, (t.index() * t.index()) as u32];
        }
    });
    firsts.set(g, g.index() as u32);
}

#[gpu_kernel]
fn refuse(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x > 0, "zero");
    }
}

#[test]
fn copies_go_between_devices_by_the_stream_of_either() -> Result {
    let (here, there) = (Device::cpu()?.stream()?, Device::cpu()?.stream()?);
    let x = here.upload(&[1_u32, 2, 3, 4])?;
    let mut y = there.alloc_zeroed::<u32>(6)?;
    here.copy(&x, &mut y.slice_mut(1..5)?)?;
    assert_eq!(there.download(&y)?, [0, 1, 2, 3, 4, 0]);
    there.copy(&x.slice(..2)?, &mut y.slice_mut(4..)?)?;
    assert_eq!(there.download(&y)?, [0, 1, 2, 3, 1, 2]);
    // Nothing is nothing, but of the right devices.
    here.copy(&x.slice(4..)?, &mut y.slice_mut(..0)?)?;
    Ok(())
}

#[test]
fn copies_of_other_lengths_and_of_two_foreign_devices_are_refused() -> Result {
    let (here, there, third) = (Device::cpu()?.stream()?, Device::cpu()?.stream()?, Device::cpu()?.stream()?);
    let x = here.upload(&[1_u32, 2, 3])?;
    let mut y = there.alloc_zeroed::<u32>(2)?;
    let error = here.copy(&x, &mut y).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { given: 3, expected: 2, .. }), "{error}");
    let error = third.copy(&x.slice(1..)?, &mut y).unwrap_err();
    assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "copy, from"), "{error}");
    // Both of one device, and the stream of another.
    let z = there.upload(&[5_u32, 6])?;
    assert!(matches!(here.copy(&z, &mut y), Err(Error::ForeignBuffer { .. })));
    assert_eq!(there.download(&y)?, [0, 0]);
    Ok(())
}

#[test]
fn a_launch_takes_a_peers_buffer_once_that_is_enabled_and_in_that_direction() -> Result {
    let (here, there) = (Device::cpu()?, Device::cpu()?);
    let (stream, abroad) = (here.stream()?, there.stream()?);
    let (x, mut y) = (stream.upload(&[1_u32; 100])?, abroad.upload(&[2_u32; 100])?);
    let kernel = add::load(&here)?;
    let refused = kernel.launch(&stream, LaunchConfig::threads(100), (&x, &mut y)).unwrap_err();
    assert!(matches!(&refused, Error::ForeignBuffer { place, .. } if place == "kernel `add`, parameter `y`"));
    assert!(here.can_access_peer(&there)? && here.can_access_peer(&here)?);
    here.enable_peer_access(&there)?;
    here.enable_peer_access(&there)?;
    here.enable_peer_access(&here)?;
    kernel.launch(&stream, LaunchConfig::threads(100), (&x, &mut y))?;
    assert_eq!(abroad.download(&y)?, [3; 100]);
    let refused = add::load(&there)?.launch(&abroad, LaunchConfig::threads(100), (&x, &mut y));
    assert!(matches!(refused, Err(Error::ForeignBuffer { .. })));
    // A clone is the same device, another opening isn't.
    let clone = here.clone();
    assert!(
        add::load(&clone)?
            .launch(&stream, LaunchConfig::threads(100), (&y, &mut abroad.upload(&[0; 100])?))
            .is_ok()
    );
    let third = Device::cpu()?.stream()?.upload(&[0_u32; 100])?;
    assert!(kernel.launch(&stream, LaunchConfig::threads(100), (&third, &mut y)).is_err());
    Ok(())
}

#[test]
fn the_cpu_is_listed_last() -> Result {
    let all = Device::all()?;
    assert_eq!(all.last().map(Device::kind), Some(DeviceKind::Cpu));
    assert_eq!(all.iter().filter(|device| device.kind() == DeviceKind::Cpu).count(), 1);
    Ok(())
}

#[test]
fn host_and_kernels_share_memory_of_both_kinds() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = add::load(&device)?;
    for mut x in [stream.alloc_unified::<u32>(1000)?, stream.alloc_mapped::<u32>(1000)?] {
        assert_eq!(x.read()?, [0; 1000]);
        x.write()?.iter_mut().zip(0..).for_each(|(x, i)| *x = i);
        let mut y = stream.alloc_unified::<u32>(1000)?;
        {
            // Who only reads may do so at the same time.
            let seen = x.read()?;
            kernel.launch(&stream, LaunchConfig::threads(1000), (&x, &mut y))?;
            assert_eq!(seen, y.read()?);
        }
        let (low, high) = (y.slice(..500)?, x.slice(500..)?);
        let mut sum = stream.alloc_zeroed(500)?;
        kernel.launch(&stream, LaunchConfig::threads(500), (low, &mut sum))?;
        kernel.launch(&stream, LaunchConfig::threads(500), (&high, &mut sum))?;
        assert!(stream.download(&sum)?.iter().zip(0..).all(|(&sum, i)| sum == 500 + 2 * i));
        stream.fill(&mut x.slice_mut(..)?, 3)?;
        assert_eq!(stream.download(&x)?, [3; 1000]);
    }
    Ok(())
}

#[test]
fn shared_memory_is_passed_as_each_kind_of_parameter() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut seen = stream.alloc_unified::<u32>(4)?;
    count::load(&device)?.launch(&stream, LaunchConfig::threads(101), (&mut seen,))?;
    assert_eq!(seen.read()?, [26, 25, 25, 25]);
    let (mut pairs, mut firsts) = (stream.alloc_mapped::<u32>(128)?, stream.alloc_unified::<u32>(2)?);
    let squares = squares::load(&device)?;
    squares.launch(&stream, LaunchConfig::grid(2, 32), (&mut pairs, &mut firsts))?;
    assert!(pairs.read()?.chunks(2).zip(0..).all(|(pair, i)| pair == [i, i * i]));
    assert_eq!(firsts.read()?, [0, 1]);
    let mut odd = stream.alloc_unified::<u32>(3)?;
    let error = squares.launch(&stream, LaunchConfig::grid(1, 32), (&mut odd, &mut firsts)).unwrap_err();
    assert!(matches!(error, Error::UnevenArrays { len: 3, array: 2, .. }), "{error}");
    Ok(())
}

#[test]
fn looking_at_shared_memory_reports_a_panic_once() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = refuse::load(&device)?;
    let mut x = stream.alloc_unified::<u32>(10)?;
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut x,))?;
    assert!(matches!(x.read(), Err(Error::KernelPanic { kernel: "refuse", .. })));
    assert_eq!(x.read()?, [0; 10]);
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut x,))?;
    assert!(matches!(x.write(), Err(Error::KernelPanic { .. })));
    x.write()?.fill(1);
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut x,))?;
    assert_eq!(x.read()?, [1; 10]);
    Ok(())
}

#[test]
fn shared_memory_of_no_bytes_and_of_too_many() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut nothing = stream.alloc_unified::<u64>(0)?;
    assert!(nothing.is_empty() && nothing.read()?.is_empty() && nothing.write()?.is_empty());
    for len in [usize::MAX, usize::MAX / 8] {
        assert!(matches!(stream.alloc_unified::<u64>(len), Err(Error::OutOfMemory { .. })));
        assert!(matches!(stream.alloc_mapped::<u64>(len), Err(Error::OutOfMemory { .. })));
    }
    assert!(matches!(nothing.slice(1..), Err(Error::OutOfRange { .. })));
    Ok(())
}

#[test]
fn rows_of_a_matrix_are_parts_of_a_buffer() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut matrix = stream.upload_matrix(3, 4, &(0..12).collect::<Vec<u32>>())?;
    assert_eq!(stream.download(&matrix.slice_rows(1..=1)?)?, [4, 5, 6, 7]);
    assert_eq!(matrix.slice_rows(..)?.len(), 12);
    assert!(matrix.slice_rows(3..)?.is_empty());
    stream.fill(&mut matrix.slice_rows_mut(2..)?, 9)?;
    assert_eq!(stream.download(&matrix)?, [0, 1, 2, 3, 4, 5, 6, 7, 9, 9, 9, 9]);
    let error = matrix.slice_rows(1..4).unwrap_err();
    assert!(matches!(error, Error::OutOfRange { start: 4, end: 16, len: 12 }), "{error}");
    assert!(matrix.slice_rows_mut(usize::MAX..).is_err());
    let narrow = stream.alloc_matrix_zeroed::<u32>(3, 0)?;
    assert!(narrow.slice_rows(..)?.is_empty() && narrow.slice_rows(..4).is_err());
    Ok(())
}

#[test]
fn graphs_take_neither_shared_memory_nor_another_devices() -> Result {
    let (device, other) = (Device::cpu()?, Device::cpu()?);
    let (stream, abroad) = (device.stream()?, other.stream()?);
    let kernel = add::load(&device)?;
    let mut shared = stream.alloc_unified::<u32>(10)?;
    let mut mapped = stream.alloc_mapped::<u32>(10)?;
    let (x, mut y) = (stream.upload(&[1_u32; 10])?, stream.upload(&[2_u32; 10])?);
    let mut foreign = abroad.upload(&[3_u32; 10])?;
    device.enable_peer_access(&other)?;
    let config = LaunchConfig::threads(10);
    let refusals = [
        stream.capture(|stream| stream.fill(&mut shared, 1)),
        stream.capture(|stream| stream.fill(&mut mapped.slice_mut(2..)?, 1)),
        stream.capture(|stream| stream.copy(&shared, &mut y)),
        stream.capture(|stream| stream.copy(&shared.slice(..)?, &mut y)),
        stream.capture(|stream| kernel.launch(stream, config, (&x, &mut shared))),
        stream.capture(|stream| kernel.launch(stream, config, (&mapped.slice(..)?, &mut y))),
        stream.capture(|stream| stream.copy(&foreign, &mut y)),
        stream.capture(|stream| kernel.launch(stream, config, (&x, &mut foreign))),
    ];
    for (i, refusal) in refusals.into_iter().enumerate() {
        let error = refusal.unwrap_err();
        let is_expected = if i < 6 {
            matches!(error, Error::NotForGraphs { .. })
        } else {
            matches!(error, Error::ForeignBuffer { .. })
        };
        assert!(is_expected, "{i}: {error}");
    }
    let mut builder = GraphBuilder::new(&stream);
    assert!(matches!(builder.copy(&x, &mut foreign), Err(Error::ForeignBuffer { .. })));
    assert!(matches!(builder.launch(&kernel, config, (&shared, &mut y)), Err(Error::NotForGraphs { .. })));
    assert_eq!((stream.download(&y)?, abroad.download(&foreign)?), (vec![2; 10], vec![3; 10]));
    assert_eq!((shared.read()?, mapped.read()?), (&[0; 10][..], &[0; 10][..]));
    Ok(())
}

#[test]
fn what_graphs_have_is_copied_and_reached_by_another_device() -> Result {
    let (device, other) = (Device::cpu()?, Device::cpu()?);
    let (stream, abroad) = (device.stream()?, other.stream()?);
    let (kernel, of_other) = (add::load(&device)?, add::load(&other)?);
    let config = LaunchConfig::threads(1000);
    let ones = stream.upload(&[1_u32; 1000])?;
    let mut sum = stream.alloc_zeroed::<u32>(1000)?;
    let graph = stream.capture(|stream| kernel.launch(stream, config, (&ones, &mut sum)))?;
    let mut seen = abroad.alloc_zeroed::<u32>(1000)?;
    let again = abroad.capture(|stream| stream.fill(&mut seen, 7))?;
    other.enable_peer_access(&device)?;
    std::thread::scope(|scope| {
        scope.spawn(|| (0..200).try_for_each(|_| graph.launch(&stream)).unwrap());
        scope.spawn(|| (0..200).try_for_each(|_| again.launch(&abroad)).unwrap());
        for _ in 0..200 {
            // Of both, graphs have the memory: each copy is of one moment.
            assert!(!is_torn(&abroad, &sum, &mut seen)?);
        }
        Ok::<(), Error>(())
    })?;
    assert_eq!(stream.download(&sum)?, [200; 1000]);
    abroad.fill(&mut seen, 0)?;
    of_other.launch(&abroad, config, (&sum, &mut seen))?;
    assert_eq!(abroad.download(&seen)?, [200; 1000]);
    Ok(())
}

/// Copies to `seen`, which a replay may fill with sevens meanwhile.
fn is_torn(abroad: &Stream, sum: &Buffer<u32>, seen: &mut Buffer<u32>) -> Result<bool> {
    abroad.copy(sum, seen)?;
    let seen = abroad.download(seen)?;
    Ok(seen.iter().any(|&value| value != seen[0]))
}
