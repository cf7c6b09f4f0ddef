//! Functions of the program on elements of every device that there is: the CPU, the emulator where it is compiled in, and GPUs behind a
//! driver or an emulated one.

#![allow(clippy::unwrap_used)]

use std::sync::mpsc;
use std::time::Duration;

use gridwright::launch::{InOrder, Overwritten};
use gridwright::prelude::*;
use gridwright::{DeviceKind, Error};

type Result<T = ()> = std::result::Result<T, Error>;

fn devices() -> Result<Vec<Device>> {
    let mut devices = Device::all()?;
    #[cfg(feature = "emulator")]
    devices.push(Device::emulator()?);
    for (variable, kind) in
        [("GRIDWRIGHT_REQUIRE_CUDA", DeviceKind::Cuda), ("GRIDWRIGHT_REQUIRE_HIP", DeviceKind::Hip)]
    {
        let is_there = devices.iter().any(|device| device.kind() == kind);
        assert!(is_there || std::env::var_os(variable).is_none(), "{variable} is set, and there is none");
    }
    Ok(devices)
}

fn each(test: impl Fn(&Device) -> Result) -> Result {
    devices()?.iter().try_for_each(|device| {
        println!("on {}", device.name());
        test(device)
    })
}

/// Whether work goes on when the call that submits it has returned.
fn is_asynchronous(device: &Device) -> bool {
    matches!(device.kind(), DeviceKind::Cuda | DeviceKind::Hip)
}

#[test]
fn elements_come_and_go_in_the_streams_order() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut x = stream.alloc_zeroed(4)?;
        let mut y = stream.upload(&[9_u64; 6])?;
        stream.fill(&mut x, 3_u32)?;
        stream.on_host((&x, y.slice_mut(1..5)?), |(x, y)| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += u64::from(*x));
        })?;
        stream.fill(&mut x, 4)?;
        stream.fill(&mut y.slice_mut(..2)?, 1)?;
        stream.on_host((x.slice(2..)?, &mut y.slice_mut(4..)?, ()), |(x, y, ())| {
            y.iter_mut().zip(x).for_each(|(y, x)| *y += u64::from(*x));
        })?;
        let mut z = stream.alloc_zeroed(6)?;
        stream.copy(&y, &mut z)?;
        assert_eq!(stream.download(&z)?, [1, 1, 12, 12, 16, 13]);
        assert_eq!(stream.download(&x)?, [4; 4]);
        Ok(())
    })
}

#[gpu_kernel]
fn double(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x *= 2;
    }
}

#[test]
fn kernels_come_before_and_after() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let (kernel, mut x) = (double::load(&device)?, stream.upload(&[1_u32, 2])?);
    kernel.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    stream.on_host(&mut x, |x| x.iter_mut().for_each(|x| *x += 1))?;
    kernel.launch(&stream, LaunchConfig::threads(2), (&mut x,))?;
    assert_eq!(stream.download(&x)?, [6, 10]);
    Ok(())
}

#[test]
fn one_call_follows_another_whatever_their_sizes() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut sum = stream.alloc_zeroed::<u32>(1)?;
        let mut expected = 0;
        for len in [1, 7, 3000, 2, 100_000, 5000] {
            let x: Vec<u32> = (0..len).map(|i| i % 13).collect();
            expected += x.iter().sum::<u32>();
            let x = stream.upload(&x)?;
            stream.on_host((&x, &mut sum), |(x, sum)| sum[0] += x.iter().sum::<u32>())?;
        }
        assert_eq!(stream.download(&sum)?, [expected]);
        Ok(())
    })
}

#[test]
fn what_is_overwritten_is_what_the_function_wrote() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut x = stream.upload(&[1_u16; 5])?;
        stream.on_host(Overwritten(&mut x.slice_mut(1..4)?), |x| x.copy_from_slice(&[7, 8, 9]))?;
        assert_eq!(stream.download(&x)?, [1, 7, 8, 9, 1]);
        let mut matrix = stream.alloc_matrix_zeroed::<f32>(2, 2)?;
        stream.on_host(Overwritten(&mut matrix), |x| x.copy_from_slice(&[1.0, 2.0, 3.0, 4.0]))?;
        assert_eq!(stream.download(&matrix)?, [1.0, 2.0, 3.0, 4.0]);
        Ok(())
    })
}

#[test]
fn nobody_waits_where_the_device_doesnt() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut x = stream.upload(&[0_u32; 2])?;
        let (sender, receiver) = mpsc::channel();
        if !is_asynchronous(device) {
            sender.send(5).unwrap();
        }
        stream.on_host(&mut x, move |x| x.fill(receiver.recv_timeout(Duration::from_secs(10)).unwrap()))?;
        if is_asynchronous(device) {
            sender.send(5).unwrap();
        }
        assert_eq!(stream.download(&x)?, [5; 2]);
        Ok(())
    })
}

#[test]
fn streams_take_turns_at_a_buffer() -> Result {
    each(|device| {
        let streams = [device.stream()?, device.stream()?];
        let mut x = streams[0].upload(&[1_u64; 1000])?;
        for i in 0..20 {
            let stream = &streams[i % 2];
            stream.on_host(&mut x, |x| x.iter_mut().for_each(|x| *x = *x * 3 % 1009))?;
        }
        let expected = (0..20).fold(1, |x, _| x * 3 % 1009);
        assert_eq!(streams[1].download(&x)?, [expected; 1000]);
        Ok(())
    })
}

#[test]
fn calls_in_order_are_called_in_order_on_whatever_streams() -> Result {
    each(|device| {
        let streams = [device.stream()?, device.stream()?, device.stream()?];
        let mut order = streams[0].alloc_zeroed::<u8>(1)?;
        let (sender, receiver) = mpsc::channel();
        for i in 0..30 {
            let sender = sender.clone();
            let mut x = streams[i % 3].upload(&[i; 10])?;
            streams[i % 3].on_host((&mut x, InOrder(&mut order)), move |(x, ())| {
                // The first is the slowest.
                std::thread::sleep(Duration::from_millis(if i % 3 == 0 { 3 } else { 0 }));
                sender.send(x[9]).unwrap();
            })?;
        }
        drop(sender);
        streams.iter().try_for_each(|stream| stream.synchronize())?;
        assert!(receiver.iter().eq(0..30));
        Ok(())
    })
}

#[test]
fn a_graph_calls_it_in_each_replay_and_keeps_the_memory() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut count = stream.upload(&[0_u32])?;
        let mut copied = stream.alloc_zeroed::<u32>(1)?;
        let graph = {
            let mut own = stream.upload(&[5_u32, 0])?;
            stream.capture(|stream| {
                stream.fill(&mut own.slice_mut(1..)?, 100)?;
                stream.on_host((&mut own, &mut count), |(own, count)| {
                    own[0] += 1;
                    count[0] += own[0] + own[1];
                })?;
                stream.copy(&count, &mut copied)?;
                // Beside it, in staging memory of its own.
                stream.on_host(Overwritten(&mut own.slice_mut(1..)?), |own| own[0] = 1)
            })?
        };
        assert_eq!(stream.download(&count)?, [0]);
        graph.launch(&stream)?;
        graph.launch(&stream)?;
        // The stream's own staging memory is another one.
        stream.on_host(&mut count, |count| count[0] += 1)?;
        assert_eq!(stream.download(&count)?, [106 + 107 + 1]);
        assert_eq!(stream.download(&copied)?, [106 + 107]);
        drop(graph);
        stream.synchronize()
    })
}

#[test]
fn a_graph_knows_all_memory_of_a_long_list() -> Result {
    each(|device| {
        let stream = device.stream()?;
        // More than a launch can have.
        let mut parts: Vec<_> = (0..40).map(|_| stream.alloc_zeroed::<u32>(1000)).collect::<Result<_>>()?;
        let mut sum = stream.alloc_zeroed::<u32>(1)?;
        let graph = stream.capture(|stream| {
            for (part, number) in parts.iter_mut().zip(1..) {
                stream.fill(part, number)?;
            }
            let parts: Vec<_> = parts.iter().collect();
            stream.on_host((parts, &mut sum), |(parts, sum)| {
                sum[0] = parts.iter().map(|part| part.iter().sum::<u32>()).sum();
            })
        })?;
        graph.launch(&stream)?;
        assert_eq!(stream.download(&sum)?, [1000 * 40 * 41 / 2]);
        Ok(())
    })
}

#[test]
fn calls_in_order_are_called_in_order_in_graphs() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut order = stream.alloc_zeroed::<u8>(1)?;
        let (sender, receiver) = mpsc::channel();
        let record = |order: &mut Buffer<u8>, first: u32| {
            stream.capture(|stream| {
                (0..3).try_for_each(|i| {
                    let sender = sender.clone();
                    stream.on_host(InOrder(order), move |()| sender.send(first + i).unwrap())
                })
            })
        };
        let graphs = [record(&mut order, 0)?, record(&mut order, 3)?];
        let other = device.stream()?;
        graphs[0].launch(&stream)?;
        graphs[1].launch(&other)?;
        stream.synchronize()?;
        other.synchronize()?;
        assert!(receiver.try_iter().eq(0..6));
        Ok(())
    })
}

#[test]
fn no_replay_comes_between_its_copies() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut x = stream.upload(&[0_u64; 100])?;
        let graph =
            stream.capture(|stream| stream.on_host(&mut x, |x| x.iter_mut().for_each(|x| *x += 1)))?;
        let other = device.stream()?;
        let replays = std::thread::spawn(move || {
            (0..400).try_for_each(|_| graph.launch(&other))?;
            other.synchronize()
        });
        for _ in 0..400 {
            stream.on_host(&mut x, |x| x.iter_mut().for_each(|x| *x += 1))?;
        }
        replays.join().unwrap()?;
        assert_eq!(stream.download(&x)?, [800; 100]);
        Ok(())
    })
}

#[test]
fn threads_share_a_stream_and_its_staging_memory() -> Result {
    each(|device| {
        let stream = device.stream()?;
        std::thread::scope(|scope| {
            let threads: Vec<_> = (1..=3_u32)
                .map(|number| {
                    let stream = stream.clone();
                    scope.spawn(move || {
                        let mut x = stream.upload(&vec![0; 1000 * number as usize])?;
                        for _ in 0..100 {
                            stream.on_host(&mut x, move |x| x.iter_mut().for_each(|x| *x += number))?;
                        }
                        assert!(stream.download(&x)?.iter().all(|&x| x == 100 * number));
                        Ok(())
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap())
        })
    })
}

#[test]
fn a_panic_is_an_error_of_the_next_call_that_waits_and_what_was_written_is_there() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let mut x = stream.upload(&[1_u32, 1])?;
        stream.on_host(&mut x, |x| {
            x[0] = 2;
            assert!(x[1] != 1, "one");
        })?;
        let error = stream.download(&x).unwrap_err();
        assert!(matches!(&error, Error::HostPanic { message, .. } if message == "one"), "{error}");
        assert_eq!(stream.download(&x)?, [2, 1]);
        Ok(())
    })
}

#[test]
fn no_elements_are_no_elements() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let (sender, receiver) = mpsc::channel();
        let mut x = stream.upload(&[1_u32, 2])?;
        let graph = {
            let call = |x: &mut Buffer<u32>| {
                let mut none = stream.alloc_unset::<u64>(0)?;
                let sender = sender.clone();
                let (_, mut empty) = x.split_at_mut(2)?;
                stream.on_host((&mut none, &mut empty), move |(none, empty)| {
                    sender.send(none.len() + empty.len()).unwrap();
                })
            };
            call(&mut x)?;
            stream.on_host((), |()| ())?;
            stream.on_host(InOrder(&mut stream.alloc_unset::<u64>(0)?), |()| ())?;
            stream.capture(|_| call(&mut x))?
        };
        graph.launch(&stream)?;
        stream.synchronize()?;
        assert_eq!(receiver.try_iter().collect::<Vec<_>>(), [0, 0]);
        Ok(())
    })
}

#[test]
fn memory_that_the_host_reaches_is_passed_as_it_is_but_not_to_graphs() -> Result {
    each(|device| {
        let stream = device.stream()?;
        for mut x in [stream.alloc_unified::<u32>(4)?, stream.alloc_mapped::<u32>(4)?] {
            let y = stream.upload(&[1_u32, 2])?;
            stream.fill(&mut x, 5)?;
            stream.on_host((x.slice_mut(1..3)?, &y), |(x, y)| x.copy_from_slice(y))?;
            stream.fill(&mut x.slice_mut(3..)?, 6)?;
            stream.on_host(Overwritten(&mut x.slice_mut(..1)?), |x| x[0] = 9)?;
            assert_eq!(x.read()?, [9, 1, 2, 6]);
            let refused = stream.capture(|stream| stream.on_host(x.slice(..)?, |_| ()));
            assert!(matches!(refused, Err(Error::NotForGraphs { .. })));
        }
        Ok(())
    })
}

#[test]
fn memory_of_another_device_is_refused() -> Result {
    each(|device| {
        let (stream, other) = (device.stream()?, Device::cpu()?.stream()?);
        let mut x = other.upload(&[1_u32])?;
        let error = stream.on_host(&x, |_| ()).unwrap_err();
        assert!(matches!(&error, Error::ForeignBuffer { place, .. } if place == "on_host"), "{error}");
        assert!(matches!(stream.on_host(InOrder(&mut x), |()| ()), Err(Error::ForeignBuffer { .. })));
        assert!(matches!(stream.on_host(Overwritten(&mut x), |_| ()), Err(Error::ForeignBuffer { .. })));
        Ok(())
    })
}

#[test]
fn it_cannot_use_the_device() -> Result {
    each(|device| {
        let stream = device.stream()?;
        let (inner, mut x) = (stream.clone(), stream.upload(&[0_u32])?);
        stream.on_host(&mut x, move |x| {
            let refused = inner.on_host((), |()| ());
            x[0] = u32::from(matches!(refused, Err(Error::InHostFunction { .. })));
        })?;
        assert_eq!(stream.download(&x)?, [1]);
        Ok(())
    })
}
