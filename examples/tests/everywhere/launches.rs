//! What the host does: memory, streams, graphs, errors.

use gridwright::prelude::*;

#[gpu_kernel]
fn picky(t: Thread, bad: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x != bad, "as bad as it gets");
        *x += 1;
    }
}

#[gpu_kernel]
fn says(t: Thread, x: &[u32]) {
    if let Some(x) = x.get(t.index()) {
        gpu_println!(t, "{} has {} and {}", t.index(), x, -0.5_f32);
    }
}

#[gpu_kernel]
fn group_sums(g: &Group, x: &[u32], mut sums: PerGroup<[u32]>) {
    let mine = g.map((), |t, ()| x.get(t.index()).copied().unwrap_or(0));
    sums.set(g, g.reduce(&mine, |a, b| a + b));
}

#[cfg(not(gridwright_device))]
mod tests {
    use std::sync::{Arc, Mutex};

    use gridwright::Error;

    use super::*;
    use crate::feature::{Result, feature, numbers};
    use crate::threads::add;

    const N: usize = 200;
    const CONFIG: LaunchConfig = LaunchConfig::threads(N);

    #[test]
    fn parts() -> Result {
        feature("parts of buffers", |device, stream| {
            let (x, mut y) = (stream.upload(&numbers(N))?, stream.alloc_zeroed::<u32>(N)?);
            let (mut low, high) = y.split_at_mut(N / 2)?;
            let kernel = add::load(device)?;
            let config = LaunchConfig::threads(N / 2);
            kernel.launch(stream, config, (1, x.slice(..N / 2)?, &mut low))?;
            kernel.launch(stream, config, (2, x.slice(N / 2..)?, high))?;
            stream.fill(&mut y.slice_mut(3..5)?, 7)?;
            let mut expected: Vec<_> =
                numbers(N).iter().enumerate().map(|(i, x)| x + if i < N / 2 { 1 } else { 2 }).collect();
            expected[3..5].fill(7);
            assert_eq!(stream.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn slices_of_the_host() -> Result {
        feature("`run`, on the host's own slices", |device, _| {
            let mut y = vec![1; N];
            add::load(device)?.run(device, CONFIG, (2, &numbers(N), InOut(&mut y)))?;
            assert!(y.iter().zip(numbers(N)).all(|(&y, x)| y == x + 3));
            Ok(())
        })
    }

    #[test]
    fn streams() -> Result {
        feature("several streams, events", |device, stream| {
            let (kernel, other) = (add::load(device)?, device.stream()?);
            let (x, mut y) = (stream.upload(&numbers(N))?, stream.alloc_zeroed::<u32>(N)?);
            let before = stream.record()?;
            // What uses one buffer is done in the order of the calls, on whatever stream.
            for turn in 0..3 {
                kernel.launch(if turn % 2 == 0 { stream } else { &other }, CONFIG, (turn, &x, &mut y))?;
            }
            let after = stream.record()?;
            other.wait(&after)?;
            let expected: Vec<_> = numbers(N).iter().map(|x| 3 * x + 3).collect();
            assert_eq!(other.download(&y)?, expected);
            assert!(after.duration_since(&before)? >= before.duration_since(&after)?);
            Ok(())
        })
    }

    #[test]
    fn pinned() -> Result {
        feature("pinned memory, copies that don't wait", |device, stream| {
            let mut host = stream.pinned::<u32>(N)?;
            host.copy_from_slice(&numbers(N));
            let mut x = stream.alloc_zeroed::<u32>(N)?;
            let mut y = stream.alloc_zeroed::<u32>(N)?;
            let sent = stream.copy_from_pinned(&mut x, host)?;
            add::load(device)?.launch(stream, CONFIG, (1, &x, &mut y))?;
            let back = stream.copy_to_pinned(&y, sent.wait()?)?.wait()?;
            assert!(back.iter().zip(numbers(N)).all(|(&y, x)| y == x + 1));
            Ok(())
        })
    }

    #[test]
    fn shared_memory() -> Result {
        feature("memory that host and device share: unified, mapped", |device, stream| {
            let kernel = add::load(device)?;
            for mut x in [stream.alloc_unified::<u32>(N)?, stream.alloc_mapped::<u32>(N)?] {
                x.write()?.copy_from_slice(&numbers(N));
                let mut y = stream.alloc_unified::<u32>(N)?;
                kernel.launch(stream, CONFIG, (1, &x, &mut y))?;
                assert!(y.read()?.iter().zip(numbers(N)).all(|(&y, x)| y == x + 1));
            }
            Ok(())
        })
    }

    #[test]
    fn several_devices() -> Result {
        feature("several devices: copies, kernels that reach another's memory", |device, stream| {
            let all = Device::all()?;
            let same = all.iter().filter(|other| other.kind() == device.kind()).nth(1);
            // A device that is alone is opened twice, which gives two.
            let other = same.cloned().map_or_else(Device::from_env, Ok)?;
            let abroad = other.stream()?;
            let (x, mut y) = (stream.upload(&numbers(N))?, abroad.alloc_zeroed::<u32>(N)?);
            stream.copy(&x, &mut y)?;
            assert_eq!(abroad.download(&y)?, numbers(N));
            let kernel = add::load(device)?;
            let refused = kernel.launch(stream, CONFIG, (0, &x, &mut y));
            assert!(matches!(refused, Err(Error::ForeignBuffer { .. })), "{refused:?}");
            assert_eq!(device.can_access_peer(&other)?, device.enable_peer_access(&other).is_ok());
            device.enable_peer_access(&other)?;
            kernel.launch(stream, CONFIG, (1, &x, &mut y))?;
            let expected: Vec<_> = numbers(N).iter().map(|x| 2 * x + 1).collect();
            assert_eq!(abroad.download(&y)?, expected);
            Ok(())
        })
    }

    #[test]
    fn graphs() -> Result {
        feature("graphs", |device, stream| {
            let kernel = add::load(device)?;
            let (x, mut y) = (stream.upload(&numbers(N))?, stream.alloc_zeroed::<u32>(N)?);
            let mut z = stream.alloc_zeroed::<u32>(N)?;
            let mut graph = stream.capture(|stream| {
                stream.fill(&mut y, 5)?;
                kernel.launch(stream, CONFIG, (1, &x, &mut y))?;
                stream.copy(&y, &mut z)
            })?;
            assert_eq!(stream.download(&z)?, [0; N]);
            for by in [1, 100] {
                let node = graph.nodes(&kernel)[0];
                graph.update(node, CONFIG, (by, &x, &mut y))?;
                graph.launch(stream)?;
                assert!(stream.download(&z)?.iter().zip(numbers(N)).all(|(&z, x)| z == x + 5 + by));
            }
            Ok(())
        })
    }

    #[test]
    fn panics() -> Result {
        feature("panics as errors", |device, stream| {
            let (kernel, mut x) = (picky::load(device)?, stream.upload(&[0_u32; N])?);
            stream.fill(&mut x.slice_mut(70..71)?, 13)?;
            kernel.launch(stream, CONFIG, (13, &mut x))?;
            let error = stream.synchronize().expect_err("a panic");
            let Error::KernelPanic { kernel: name, message, .. } = &error else { panic!("{error}") };
            assert_eq!((*name, message.as_str()), ("picky", "as bad as it gets"));
            assert!(error.to_string().contains("launches.rs:"), "{error}");
            stream.synchronize()?;
            // The device goes on.
            let mut y = stream.upload(&[0_u32; N])?;
            kernel.launch(stream, CONFIG, (13, &mut y))?;
            assert_eq!(stream.download(&y)?, [1; N]);
            Ok(())
        })
    }

    #[test]
    fn printing() -> Result {
        feature("printing: `gpu_println!`", |device, stream| {
            let lines = Arc::new(Mutex::new(Vec::new()));
            let reader = Arc::clone(&lines);
            device.on_print(move |line| reader.lock().expect("no panic").push(line.to_owned()));
            says::load(device)?.launch(stream, CONFIG, (&stream.upload(&[11, 22, 33])?,))?;
            stream.synchronize()?;
            let mut lines = lines.lock().expect("no panic").clone();
            lines.sort();
            assert_eq!(lines, ["0 has 11 and -0.5", "1 has 22 and -0.5", "2 has 33 and -0.5"]);
            Ok(())
        })
    }

    #[test]
    fn profiles() -> Result {
        feature("profiles", |device, stream| {
            let kernel = add::load(device)?;
            let (x, mut y) = (stream.upload(&numbers(N))?, stream.alloc_zeroed::<u32>(N)?);
            let ((), profile) = device.profile(|_| {
                (0..3).try_for_each(|by| kernel.launch(stream, CONFIG, (by, &x, &mut y)))?;
                stream.download(&y).map(drop)
            })?;
            let calls = |name| profile.row(name).map(|row| row.calls);
            assert_eq!((calls("add"), calls("copy to host")), (Some(3), Some(1)), "{profile}");
            Ok(())
        })
    }

    #[test]
    fn cooperative_launches() -> Result {
        feature("occupancy, cooperative launches", |device, stream| {
            let kernel = group_sums::load(device)?;
            let occupancy = kernel.occupancy(64)?;
            assert!(occupancy.groups() >= 1 && kernel.attributes()?.most_threads >= 64, "{occupancy:?}");
            let mut sums = stream.alloc_zeroed::<u32>(2)?;
            let config = LaunchConfig::grid(2, 64).cooperative();
            kernel.launch(stream, config, (&stream.upload(&[1_u32; 128])?, &mut sums))?;
            assert_eq!(stream.download(&sums)?, [64; 2]);
            Ok(())
        })
    }

    #[test]
    fn clusters() -> Result {
        feature("clusters", |device, stream| {
            let mut sums = stream.alloc_zeroed::<u32>(4)?;
            let config = LaunchConfig::grid(4, 64).cluster(2);
            let arguments = (&stream.upload(&[1_u32; 256])?, &mut sums);
            group_sums::load(device)?.launch(stream, config, arguments)?;
            assert_eq!(stream.download(&sums)?, [64; 4]);
            Ok(())
        })
    }
}
