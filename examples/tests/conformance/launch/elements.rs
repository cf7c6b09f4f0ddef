//! Slices, longer and shorter than the launch, and whole buffers and parts of them.

#[host_only]
use gridwright::Dim;
use gridwright::prelude::*;

#[host_only]
use super::matrices::positions;
#[host_only]
use crate::setting::{Result, device, open, sizes};

#[gpu_kernel(requires = x.len() == y.len())]
fn saxpy(t: Thread, a: f32, x: &[f32], mut y: PerThread<[f32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = a.mul_add(x[t.index()], *y);
    }
}

#[test]
fn every_element_is_visited_once_whatever_the_size() -> Result {
    let (device, stream) = open()?;
    let kernel = saxpy::load(&device)?;
    for &n in sizes(&device, &[1, 2, 31, 255, 256, 257, 4095, 65_537, 1_000_003], &[1, 31, 257, 4095]) {
        let host: Vec<f32> = (0..n).map(|i| (i % 251) as f32).collect();
        let x = stream.upload(&host)?;
        let mut y = stream.upload(&vec![1.0; n])?;
        kernel.launch(&stream, LaunchConfig::threads(n), (2.0, &x, &mut y))?;
        let y = stream.download(&y)?;
        let wrong = (0..n).find(|&i| y[i] != 2.0 * host[i] + 1.0);
        assert_eq!(wrong, None, "of {n}");
    }
    Ok(())
}

#[gpu_kernel]
fn ones(t: Thread, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y += 1;
    }
}

#[test]
fn threads_beyond_the_memory_own_nothing() -> Result {
    let (device, stream) = open()?;
    let kernel = ones::load(&device)?;
    let mut y = stream.alloc_zeroed::<u32>(1000)?;
    kernel.launch(&stream, LaunchConfig::threads(5000), (&mut y,))?;
    assert_eq!(stream.download(&y)?, [1; 1000]);
    // And a launch that is smaller than the memory leaves the rest.
    kernel.launch(&stream, LaunchConfig::threads(10), (&mut y,))?;
    let y = stream.download(&y)?;
    assert!(y[..10].iter().all(|&y| y == 2) && y[10..].iter().all(|&y| y == 1));
    Ok(())
}

#[test]
fn an_empty_buffer_is_a_buffer() -> Result {
    let (device, stream) = open()?;
    let x = stream.upload::<f32>(&[])?;
    let mut y = stream.alloc_zeroed(0)?;
    saxpy::load(&device)?.launch(&stream, LaunchConfig::threads(10), (1.0, &x, &mut y))?;
    assert!(stream.download(&y)?.is_empty());
    stream.fill(&mut y, 1.0)?;
    stream.copy_from_slice(&mut y, &[])?;
    let mut of_nothing = stream.upload(&[[0_u8; 0]; 3])?;
    stream.fill(&mut of_nothing, [])?;
    assert_eq!(stream.download(&of_nothing)?, [[]; 3]);
    let mut empty = stream.alloc_matrix_zeroed::<u32>(0, 7)?;
    positions::load(&device)?.launch(&stream, LaunchConfig::for_matrix(3, 7), (&mut empty,))?;
    assert!(stream.download(&empty)?.is_empty());
    Ok(())
}

#[test]
fn parts_of_a_buffer_are_arguments() -> Result {
    let (device, stream) = open()?;
    let kernel = saxpy::load(&device)?;
    let mut buffer = stream.upload(&[1.0, 2.0, 3.0, 4.0])?;
    let x = stream.upload(&[0.0, 10.0, 20.0, 30.0])?;
    let (mut low, high) = buffer.split_at_mut(2)?;
    kernel.launch(&stream, LaunchConfig::threads(2), (1.0, x.slice(2..)?, &mut low))?;
    kernel.launch(&stream, LaunchConfig::threads(2), (1.0, &x.slice(..=1)?, high))?;
    assert_eq!(stream.download(&buffer)?, [21.0, 32.0, 3.0, 14.0]);
    Ok(())
}

#[gpu_kernel]
fn nothing(_t: Thread) {}

#[test]
fn a_kernel_without_parameters_runs() -> Result {
    let (device, stream) = open()?;
    nothing::load(&device)?.launch(&stream, LaunchConfig::grid((2, 3, 4), Dim::from((8, 2, 2))), ())?;
    stream.synchronize()
}

#[test]
fn many_host_threads_launch_on_one_device() -> Result {
    let device = device()?;
    let launches = sizes(&device, &[64], &[3])[0];
    let kernel = saxpy::load(&device)?;
    std::thread::scope(|scope| {
        let launches: Vec<_> = (0..launches)
            .map(|i| {
                let (device, kernel) = (&device, &kernel);
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let n = 1000 + i * 3001;
                    let times = sizes(device, &[20], &[2])[0];
                    let x = stream.upload(&vec![1.0; n])?;
                    let mut y = stream.upload(&vec![0.0; n])?;
                    for _ in 0..times {
                        kernel.launch(&stream, LaunchConfig::threads(n), (1.0, &x, &mut y))?;
                    }
                    assert!(stream.download(&y)?.iter().all(|&y| y == times as f32));
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}

#[gpu_kernel]
fn from_the_end(t: Thread, mut out: PerThread<[u64], Reversed>, mut pairs: PerThread<[[u32; 2]], Reversed>) {
    let len = out.len();
    if let Some(out) = out.get_mut(t) {
        *out += (t.index() * 10 + len) as u64;
    }
    if let Some([a, b]) = pairs.get_mut(t) {
        (*a, *b) = (t.index() as u32, *b + 1);
    }
}

#[test]
fn reversed_slices_are_owned_from_the_end() -> Result {
    let (device, stream) = open()?;
    let kernel = from_the_end::load(&device)?;
    for &len in sizes(&device, &[0, 1, 31, 256, 1000, 70_001], &[1, 256, 1000]) {
        for &threads in sizes(&device, &[1, 30, 31, 32, 1000, 1001, 100_000], &[30, 1001]) {
            let (mut out, mut pairs) = (stream.alloc_zeroed(len)?, stream.alloc_zeroed::<u32>(2 * len)?);
            kernel.launch(&stream, LaunchConfig::threads(threads), (&mut out, &mut pairs))?;
            let owner = |i: usize| Some(len - 1 - i).filter(|&owner| owner < threads);
            let expected = |i| owner(i).map_or(0, |owner| (owner * 10 + len) as u64);
            let wrong = stream.download(&out)?.iter().zip(0..).position(|(&out, i)| out != expected(i));
            assert_eq!(wrong, None, "{len} elements, {threads} threads");
            let expected = |i| owner(i).map_or([0, 0], |owner| [owner as u32, 1]);
            let pairs = stream.download(&pairs)?;
            assert_eq!(pairs.as_chunks().0.iter().zip(0..).position(|(&pair, i)| pair != expected(i)), None);
        }
    }
    Ok(())
}
