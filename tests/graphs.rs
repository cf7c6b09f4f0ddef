//! Graphs on the CPU: captured, built by hand, updated, and all that can go wrong with them.

#![allow(clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use gridwright::graph::GraphBuilder;
use gridwright::prelude::*;
use gridwright::{Buffer, Error};

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel(requires = x.len() == y.len())]
fn axpy(t: Thread, a: u32, x: &[u32], mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = y.wrapping_mul(3).wrapping_add(a.wrapping_mul(x[t.index()]));
    }
}

#[gpu_kernel]
fn panics_on(t: Thread, bad: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x != bad, "this is the bad one");
        *x += 1;
    }
}

#[gpu_kernel]
unsafe fn set(t: Thread, x: *mut u32, n: usize, value: u32) {
    if t.index() < n {
        // SAFETY: there are `n` elements, as its launches say.
        unsafe { *x.add(t.index()) = value };
    }
}

fn ready() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

const N: usize = 1000;

#[test]
fn nothing_runs_in_a_capture_and_all_of_it_in_each_replay() -> Result {
    let (device, stream) = ready()?;
    let kernel = axpy::load(&device)?;
    let (mut x, mut y) = (stream.upload(&[5; N])?, stream.upload(&[1; N])?);
    let mut z = stream.alloc_zeroed(N)?;
    let graph = stream.capture(|stream| {
        kernel.launch(stream, LaunchConfig::threads(N), (2, &x, &mut y))?;
        stream.copy(&y, &mut z)?;
        stream.fill(&mut x, 7)?;
        stream.copy_from_slice(&mut y.slice_mut(..2)?, &[8, 9])
    })?;
    assert_eq!(stream.download(&x)?, [5; N]);
    assert_eq!(stream.download(&y)?, [1; N]);
    assert_eq!(stream.download(&z)?, [0; N]);
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [7; N]);
    assert_eq!(stream.download(&y)?[..3], [8, 9, 13]);
    assert_eq!(stream.download(&z)?, [13; N]);
    // Between replays memory is used as ever.
    stream.copy_from_slice(&mut x, &[1; N])?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&z)?[..3], [3 * 8 + 2, 3 * 9 + 2, 3 * 13 + 2]);
    Ok(())
}

#[test]
fn calls_that_wait_break_a_capture() -> Result {
    let (device, stream) = ready()?;
    let mut x = stream.upload(&[1; N])?;
    let event = stream.record()?;
    let graph = stream.capture(|_| Ok(()))?;
    type Call<'c> = &'c dyn Fn(&Stream) -> Result;
    let calls: [(&str, Call<'_>); 10] = [
        ("synchronize", &|stream| stream.synchronize()),
        ("download", &|stream| stream.download(&x).map(drop)),
        ("copy_to_slice", &|stream| stream.copy_to_slice(&x, &mut [0; N])),
        ("record", &|stream| stream.record().map(drop)),
        ("wait", &|stream| stream.wait(&event)),
        ("copy_to_pinned", &|stream| stream.copy_to_pinned(&x, stream.pinned(N)?).map(drop)),
        ("copy_from_pinned", &|stream| {
            stream.copy_from_pinned(&mut stream.alloc_zeroed::<u32>(N)?, stream.pinned(N)?).map(drop)
        }),
        // Its list would be zeros until a replay, which are the same index.
        ("upload_distinct", &|stream| stream.upload_distinct(&[2, 0, 1]).map(drop)),
        ("capture", &|stream| stream.capture(|_| Ok(())).map(drop)),
        ("Graph::launch", &|stream| graph.launch(stream)),
    ];
    for (name, call) in calls {
        let broken =
            |error: &Error| matches!(error, Error::CaptureBroken { call } if *call == name).then_some(());
        // The error that the call gives, and that of the capture, also where it is ignored.
        let error = stream.capture(|stream| {
            broken(&call(stream).unwrap_err()).unwrap();
            Ok(())
        });
        broken(&error.unwrap_err()).unwrap();
        broken(&stream.capture(call).unwrap_err()).unwrap();
        // And the stream runs again.
        stream.synchronize()?;
    }
    // A copy from before the capture is waited for on the stream that is captured.
    let pending = stream.copy_to_pinned(&x, stream.pinned(N)?)?;
    let error = stream.capture(move |_| pending.wait().map(drop)).unwrap_err();
    assert!(matches!(error, Error::CaptureBroken { call: "Pending::wait" }), "{error}");
    // An error that isn't of the capture is given on, and breaks nothing if it isn't.
    let mut other = device.stream()?.alloc_zeroed(1)?;
    let error = stream.capture(|stream| stream.copy(&x, &mut other)).unwrap_err();
    assert!(matches!(error, Error::LengthMismatch { .. }), "{error}");
    let graph = stream.capture(|stream| {
        assert!(stream.copy(&stream.alloc_zeroed(2)?, &mut other).is_err());
        stream.fill(&mut x, 3)
    })?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [3; N]);
    Ok(())
}

#[test]
fn a_capture_ends_where_its_calls_panic() -> Result {
    let (_, stream) = ready()?;
    let mut x = stream.upload(&[1; N])?;
    let ended = catch_unwind(AssertUnwindSafe(|| {
        stream.capture(|stream| {
            stream.fill(&mut x, 2)?;
            panic!("in a capture")
        })
    }));
    assert!(ended.is_err());
    assert_eq!(stream.download(&x)?, [1; N]);
    Ok(())
}

#[test]
fn what_a_broken_capture_drops_may_use_its_stream() -> Result {
    /// Uses the stream when it is dropped.
    struct Last(Stream, Arc<AtomicBool>);

    impl Drop for Last {
        fn drop(&mut self) {
            self.1.store(self.0.synchronize().is_ok(), Ordering::Relaxed);
        }
    }

    let (_, stream) = ready()?;
    let was_used = Arc::new(AtomicBool::new(false));
    let last = Last(stream.clone(), Arc::clone(&was_used));
    let ended = catch_unwind(AssertUnwindSafe(|| {
        stream.capture(|stream| {
            stream.host(move || assert!(!last.1.load(Ordering::Relaxed)))?;
            panic!("in a capture")
        })
    }));
    assert!(ended.is_err());
    assert!(was_used.load(Ordering::Relaxed));
    Ok(())
}

#[test]
fn other_threads_cant_use_a_stream_that_is_captured() -> Result {
    let (device, stream) = ready()?;
    let mut x = stream.upload(&[1; N])?;
    let graph = stream.capture(|stream| {
        std::thread::scope(|scope| {
            let thread = scope.spawn(|| -> Result {
                let mut theirs = device.stream()?.upload(&[1; N])?;
                for result in
                    [stream.fill(&mut theirs, 2), stream.synchronize(), stream.capture(|_| Ok(())).map(drop)]
                {
                    let error = result.unwrap_err();
                    assert!(matches!(error, Error::StreamCaptured { .. }), "{error}");
                }
                Ok(())
            });
            thread.join().unwrap()
        })?;
        stream.fill(&mut x, 5)
    })?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [5; N]);
    Ok(())
}

#[test]
fn launches_are_updated_with_the_checks_of_a_launch() -> Result {
    let (device, stream) = ready()?;
    let kernel = axpy::load(&device)?;
    let config = LaunchConfig::threads(N);
    let (x, other, longer) = (stream.upload(&[1; N])?, stream.upload(&[2; N])?, stream.upload(&[1; N + 1])?);
    let (mut y, mut z) = (stream.alloc_zeroed(N)?, stream.alloc_zeroed(N)?);
    let mut builder = GraphBuilder::new(&stream);
    let node = builder.launch(&kernel, config, (1, &x, &mut y))?;
    let copied = builder.copy(&y, &mut z)?;
    let mut graph = builder.build()?;
    assert_eq!(graph.nodes(&kernel).len(), 1);

    let error = graph.update(node, config, (9, &longer, &mut y)).unwrap_err();
    assert!(matches!(error, Error::Requirement { condition: "x.len() == y.len()", .. }), "{error}");
    let error = graph.update(node, LaunchConfig::grid(1, 1 << 20), (9, &x, &mut y)).unwrap_err();
    assert!(matches!(error, Error::InvalidConfig { .. }), "{error}");
    let foreign = Device::cpu()?.stream()?.upload(&[9; N])?;
    let error = graph.update(node, config, (9, &foreign, &mut y)).unwrap_err();
    assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
    graph.launch(&stream)?;
    assert_eq!(stream.download(&z)?, [1; N], "nothing has changed");

    graph.update(node, config, (5, &other, &mut y))?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&z)?, [13; N]);
    // Now what was copied before isn't written any more.
    let mut elsewhere = stream.alloc_zeroed(N)?;
    graph.update(graph.nodes(&kernel)[0], LaunchConfig::threads(10), (1, &x, &mut elsewhere))?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&z)?, [13; N]);
    assert_eq!(stream.download(&elsewhere)?[..11], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);

    let mut builder = GraphBuilder::new(&stream);
    let of_another = builder.launch(&kernel, config, (1, &x, &mut y))?;
    for error in [
        builder.after(of_another, copied).unwrap_err(),
        builder.after(of_another, of_another).unwrap_err(),
        graph.update(of_another, config, (1, &x, &mut y)).unwrap_err(),
    ] {
        assert!(matches!(error, Error::InvalidNode { .. }), "{error}");
    }
    Ok(())
}

#[test]
fn graphs_keep_what_they_use() -> Result {
    let (device, stream) = ready()?;
    let kernel = axpy::load(&device)?;
    let mut y = stream.alloc_zeroed(N)?;
    let graph = {
        let x = stream.upload(&[4; N])?;
        stream.capture(|stream| {
            // Made anew in each replay.
            let mut scratch = stream.alloc_zeroed(N)?;
            let table = stream.upload(&[10; N])?;
            kernel.launch(stream, LaunchConfig::threads(N), (1, &x, &mut scratch))?;
            kernel.launch(stream, LaunchConfig::threads(N), (1, &table, &mut scratch))?;
            stream.copy(&scratch, &mut y)
        })?
    };
    for _ in 0..3 {
        graph.launch(&stream)?;
        assert_eq!(stream.download(&y)?, [3 * 4 + 10; N]);
    }
    drop(y);
    graph.launch(&stream)?;
    drop(graph);
    stream.synchronize()
}

#[test]
fn other_devices_are_refused() -> Result {
    let (device, stream) = ready()?;
    let elsewhere = Device::cpu()?.stream()?;
    let kernel = axpy::load(&device)?;
    let (x, mut y) = (stream.upload(&[4; N])?, elsewhere.alloc_zeroed(N)?);
    let config = LaunchConfig::threads(N);
    let mut builder = GraphBuilder::new(&stream);
    let mut errors = vec![
        builder.launch(&kernel, config, (1, &x, &mut y)).unwrap_err(),
        builder.fill(&mut y, 1).unwrap_err(),
        builder.copy(&x, &mut y).unwrap_err(),
        builder.copy_from_slice(&mut y, &[1; N]).unwrap_err(),
        stream.capture(|stream| stream.fill(&mut y, 1)).unwrap_err(),
    ];
    errors.retain(|error| !matches!(error, Error::ForeignBuffer { .. }));
    assert!(errors.is_empty(), "{errors:?}");
    let error = builder.build()?.launch(&elsewhere).unwrap_err();
    assert!(matches!(&error, Error::ForeignStream { place, .. } if place == "graph"), "{error}");
    let error = GraphBuilder::new(&elsewhere).launch(&kernel, config, (1, &x, &mut y)).unwrap_err();
    assert!(matches!(error, Error::ForeignStream { .. }), "{error}");
    Ok(())
}

#[test]
fn a_panicking_kernel_is_reported_and_the_rest_runs() -> Result {
    let (device, stream) = ready()?;
    let kernel = panics_on::load(&device)?;
    let (mut x, mut y) = (stream.upload(&[4; N])?, stream.alloc_zeroed(N)?);
    let graph = stream.capture(|stream| {
        kernel.launch(stream, LaunchConfig::threads(N), (5, &mut x))?;
        stream.fill(&mut y, 1)
    })?;
    graph.launch(&stream)?;
    stream.synchronize()?;
    graph.launch(&stream)?;
    let error = stream.synchronize().unwrap_err();
    assert!(matches!(&error, Error::KernelPanic { kernel: "panics_on", .. }), "{error}");
    assert_eq!(stream.download(&y)?, [1; N]);
    // The graph is as good as before.
    stream.fill(&mut x, 0)?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [1; N]);
    Ok(())
}

#[test]
fn host_functions_are_called_in_order_in_each_replay() -> Result {
    let (_, stream) = ready()?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let said = Arc::new(Mutex::new(Vec::new()));
    let say = |what: &'static str| {
        let (said, mut times) = (Arc::clone(&said), 0);
        move || {
            times += 1;
            said.lock().unwrap().push(format!("{what} {times}"));
        }
    };
    let graph = stream.capture(|stream| {
        stream.host(say("before"))?;
        stream.fill(&mut x, 1)?;
        stream.host(say("after"))
    })?;
    assert!(said.lock().unwrap().is_empty());
    graph.launch(&stream)?;
    stream.host(say("directly"))?;
    graph.launch(&stream)?;
    stream.synchronize()?;
    assert_eq!(*said.lock().unwrap(), ["before 1", "after 1", "directly 1", "before 2", "after 2"]);
    Ok(())
}

#[test]
fn a_panicking_host_function_is_reported_and_the_rest_runs() -> Result {
    let (_, stream) = ready()?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let graph = stream.capture(|stream| {
        stream.host(|| panic!("no more {}", "milk"))?;
        stream.host(|| std::panic::panic_any(7))?;
        stream.fill(&mut x, 1)
    })?;
    for _ in 0..2 {
        graph.launch(&stream)?;
        let error = stream.synchronize().unwrap_err();
        assert!(
            matches!(&error, Error::HostPanic { message, others: 1 } if message == "no more milk"),
            "{error}"
        );
        assert_eq!(stream.download(&x)?, [1; N]);
    }
    graph.launch(&stream)?;
    assert!(matches!(stream.download(&x).unwrap_err(), Error::HostPanic { .. }));
    stream.host(|| panic!("once"))?;
    let pending = stream.copy_to_pinned(&x, stream.pinned(N)?)?;
    assert!(matches!(pending.wait().unwrap_err(), Error::HostPanic { .. }));
    stream.synchronize()
}

#[test]
fn host_functions_cant_use_the_device() -> Result {
    let (device, stream) = ready()?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let graph = Arc::new(stream.capture(|stream| stream.fill(&mut x, 1))?);
    let errors = Arc::new(Mutex::new(Vec::new()));
    let owned =
        Mutex::new(Some((stream.upload(&[1; N])?, device.stream()?, stream.pinned::<u32>(4)?, graph)));
    stream.host({
        let (device, stream, errors) = (device.clone(), stream.clone(), Arc::clone(&errors));
        move || {
            let mut owned = owned.lock().unwrap().take();
            let (buffer, _, _, graph) = owned.as_mut().unwrap();
            errors.lock().unwrap().extend([
                stream.synchronize().unwrap_err(),
                stream.download(buffer).unwrap_err(),
                stream.fill(buffer, 2).unwrap_err(),
                stream.upload(&[1]).unwrap_err(),
                stream.record().unwrap_err(),
                stream.capture(|_| Ok(())).unwrap_err(),
                stream.host(|| {}).unwrap_err(),
                device.stream().unwrap_err(),
                graph.launch(&stream).unwrap_err(),
                GraphBuilder::new(&stream).build().unwrap_err(),
            ]);
            // What is dropped here is given back from elsewhere.
        }
    })?;
    stream.synchronize()?;
    let errors = errors.lock().unwrap();
    assert_eq!(errors.len(), 10);
    assert!(errors.iter().all(|error| matches!(error, Error::InHostFunction { .. })), "{errors:?}");
    Ok(())
}

#[test]
fn unsafe_kernels_are_recorded_and_updated() -> Result {
    let (device, stream) = ready()?;
    let kernel = set::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let config = LaunchConfig::threads(N);
    let mut builder = GraphBuilder::new(&stream);
    // SAFETY: there are as many elements, here and below.
    let node = unsafe { builder.launch_unsafe(&kernel, config, (&mut x, N, 5)) }?;
    let mut graph = builder.build()?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [5; N]);
    // SAFETY: there are more elements than it sets.
    unsafe { graph.update_unsafe(node, config, (&mut x, 2, 6)) }?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?[..3], [6, 6, 5]);
    assert_eq!(graph.nodes_unsafe(&kernel).len(), 1);
    Ok(())
}

/// Replays have no borrow of what they use: other uses of it, on other threads, see all of a replay or nothing.
#[test]
fn replays_and_other_uses_of_their_memory_dont_overlap() -> Result {
    let (device, stream) = ready()?;
    let kernel = axpy::load(&device)?;
    const LARGE: usize = 50_000;
    let mut x = stream.alloc_zeroed::<u32>(LARGE)?;
    let mut scratch = stream.alloc_zeroed::<u32>(LARGE)?;
    let mut graphs = Vec::new();
    for a in 1..3_u32 {
        graphs.push(stream.capture(|stream| {
            stream.fill(&mut scratch, a)?;
            stream.fill(&mut x, 0)?;
            kernel.launch(stream, LaunchConfig::threads(LARGE), (1, &scratch, &mut x))
        })?);
    }
    // The reader looks so often, whichever thread the system lets run first, and replays go on for as long.
    const LOOKS: usize = 50;
    let is_done = &AtomicBool::new(false);
    std::thread::scope(|scope| {
        let replays: Vec<_> = graphs
            .iter()
            .map(|graph| {
                let stream = device.stream();
                scope.spawn(move || -> Result {
                    let stream = stream?;
                    while !is_done.load(Ordering::Relaxed) {
                        graph.launch(&stream)?;
                    }
                    Ok(())
                })
            })
            .collect();
        let look = || -> Result {
            let stream = device.stream()?;
            let (mut copy, kernel) = (stream.alloc_zeroed::<u32>(LARGE)?, axpy::load(&device)?);
            for _ in 0..LOOKS {
                stream.fill(&mut copy, 0)?;
                kernel.launch(&stream, LaunchConfig::threads(LARGE), (1, &x, &mut copy))?;
                for elements in [stream.download(&x)?, stream.download(&copy)?] {
                    assert!(elements.iter().all(|element| *element == elements[0]), "a part of a replay");
                    assert!(elements[0] < 3);
                }
            }
            Ok(())
        };
        let seen = catch_unwind(AssertUnwindSafe(look));
        is_done.store(true, Ordering::Relaxed);
        let ended: Vec<Result> = replays.into_iter().map(|thread| thread.join().unwrap()).collect();
        seen.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        ended.into_iter().collect()
    })
}

/// Work that looks random is the same recorded and replayed as it is directly.
#[test]
fn a_replay_does_what_the_calls_do() -> Result {
    let (device, stream) = ready()?;
    let kernel = axpy::load(&device)?;
    let mut bits = 3_u32;
    let mut random = |n: usize| {
        bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (bits >> 8) as usize % n
    };
    for _ in 0..20 {
        let operations: Vec<[usize; 4]> =
            (0..50).map(|_| [random(5), random(6), random(6), random(1000)]).collect();
        let work = |stream: &Stream, buffers: &mut [Buffer<u32>]| -> Result {
            for &[what, from, to, value] in &operations {
                let value = value as u32;
                match (what, buffers.get_disjoint_mut([from, to])) {
                    (0 | 1, Ok([from, to])) => {
                        kernel.launch(stream, LaunchConfig::threads(N), (value, &*from, to))?;
                    }
                    (2, Ok([from, to])) => stream.copy(&from.slice(..N / 2)?, &mut to.slice_mut(N / 2..)?)?,
                    (3, _) => stream.fill(&mut buffers[to].slice_mut(3..500)?, value)?,
                    _ => stream.copy_from_slice(&mut buffers[to].slice_mut(..2)?, &[value; 2])?,
                }
            }
            Ok(())
        };
        let new = || (0..6).map(|i| stream.upload(&[i; N])).collect::<Result<Vec<_>>>();
        let (mut expected, mut replayed) = (new()?, new()?);
        let graph = stream.capture(|stream| work(stream, &mut replayed))?;
        for _ in 0..3 {
            work(&stream, &mut expected)?;
            graph.launch(&stream)?;
        }
        for (expected, replayed) in expected.iter().zip(&replayed) {
            assert_eq!(stream.download(expected)?, stream.download(replayed)?);
        }
    }
    Ok(())
}
