//! Graphs: what a replay does, what comes after what, what they own, and what goes wrong. Where it needs no second stream, on the
//! CPU and the emulator in the program too.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use gridwright::graph::{Graph, GraphBuilder};
use gridwright::prelude::*;
use gridwright::{Buffer, Error};

use super::kernels::{advance, advanced, fails, mix, poke};
use super::random::Random;
use super::setting::{Result, child, device, is_child};

/// The device of these tests, and those that every machine has.
fn devices() -> Result<Vec<Device>> {
    Ok([Device::cpu()?, Device::emulator()?].into_iter().chain(device()).collect())
}

const N: usize = 300;

#[test]
fn all_operations_are_replayed() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let kernel = advance::load(&device)?;
        let config = LaunchConfig::threads(N);
        let (mut x, mut y) = (stream.upload(&[7; N])?, stream.alloc_zeroed(N)?);
        let (mut wide, mut odd) = (stream.alloc_zeroed(N)?, stream.alloc_zeroed(N)?);
        let mut large = stream.alloc_zeroed(3)?;
        let table: [u64; 700] = std::array::from_fn(|i| i as u64);
        let graph = stream.capture(|stream| {
            kernel.launch(stream, config, (1, &mut x))?;
            stream.copy(&x, &mut y)?;
            stream.fill(&mut y.slice_mut(..10)?, 0x0102_0304_u32)?;
            stream.fill(&mut y.slice_mut(10..10)?, 9)?;
            stream.fill(&mut wide, 0x0123_4567_89ab_cdef_u64)?;
            stream.fill(&mut odd, [1_u8, 2, 3])?;
            stream.fill(&mut large, table)?;
            stream.copy_from_slice(&mut y.slice_mut(20..22)?, &[5, 6])?;
            stream.copy_from_slice(&mut y.slice_mut(20..20)?, &[])
        })?;
        assert_eq!(stream.download(&x)?, [7; N], "{}", device.name());
        for replay in 1..=3 {
            graph.launch(&stream)?;
            let value = advanced(replay, 7);
            let mut expected = [value; N];
            expected[..10].fill(0x0102_0304);
            expected[20..22].copy_from_slice(&[5, 6]);
            assert_eq!(stream.download(&y)?, expected, "{}", device.name());
            assert_eq!(stream.download(&x)?, [value; N]);
            assert_eq!(stream.download(&wide)?, [0x0123_4567_89ab_cdef; N]);
            assert_eq!(stream.download(&odd)?, [[1, 2, 3]; N]);
            assert!(stream.download(&large)? == [table; 3]);
            // Undone by the next replay.
            stream.fill(&mut wide, 0)?;
            stream.fill(&mut odd, [0; 3])?;
            stream.fill(&mut large, [0; 700])?;
        }
    }
    Ok(())
}

#[test]
fn memory_of_a_graph_is_new_in_each_replay() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let kernel = advance::load(&device)?;
        let mut result = stream.alloc_zeroed(N)?;
        let mut builder = GraphBuilder::new(&stream);
        let mut scratch = builder.alloc_zeroed(N)?;
        builder.launch(&kernel, LaunchConfig::threads(N), (2, &mut scratch))?;
        builder.copy(&scratch, &mut result)?;
        drop(scratch);
        let graph = builder.build()?;
        for _ in 0..3 {
            graph.launch(&stream)?;
            assert_eq!(stream.download(&result)?, [advanced(2, 0); N], "{}", device.name());
        }
    }
    Ok(())
}

#[test]
fn what_a_capture_makes_is_zero_before_a_replay_writes_it() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        // Memory that the next buffer may get.
        drop(stream.upload(&[9; N])?);
        let mut made = None;
        let graph = stream.capture(|stream| {
            made = Some(stream.upload(&[7; N])?);
            Ok(())
        })?;
        let Some(made) = made else { unreachable!() };
        assert_eq!(stream.download(&made)?, [0; N], "{}", device.name());
        graph.launch(&stream)?;
        assert_eq!(stream.download(&made)?, [7; N], "{}", device.name());
    }
    Ok(())
}

#[test]
fn a_graph_and_its_buffers_are_dropped_in_any_order() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let config = LaunchConfig::threads(N);
    let mut result = stream.alloc_zeroed(N)?;
    for round in 0..20 {
        let mut x = stream.upload(&[round; N])?;
        let graph = stream.capture(|stream| {
            kernel.launch(stream, config, (1, &mut x))?;
            stream.copy(&x, &mut result)
        })?;
        if round % 2 == 0 {
            drop(x);
            graph.launch(&stream)?;
            graph.launch(&stream)?;
            drop(graph);
        } else {
            graph.launch(&stream)?;
            graph.launch(&stream)?;
            // With replays on their way.
            drop(graph);
            drop(x);
        }
        // What is new may be where the old was.
        let other = stream.upload(&[0_u32; N])?;
        assert_eq!(stream.download(&result)?, [advanced(2, round); N]);
        drop(other);
    }
    Ok(())
}

#[test]
fn streams_and_replays_wait_for_each_other() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let streams = [device.stream()?, device.stream()?, device.stream()?];
    let kernel = mix::load(&device)?;
    let config = LaunchConfig::threads(N);
    let [mut x, mut y, mut z] = [1_u32, 2, 3].map(|value| streams[0].upload(&[value; N]));
    let (x, y, z) = (x.as_mut().expect("made"), y.as_mut().expect("made"), z.as_mut().expect("made"));
    let first = streams[0].capture(|stream| kernel.launch(stream, config, (1, &*x, &*y, &mut *z)))?;
    let second = streams[1].capture(|stream| kernel.launch(stream, config, (2, &*y, &*z, &mut *x)))?;
    let one = |k: u32, x: u32, y: u32, z: u32| super::kernels::mixed(k, x, y, z);
    let (mut a, mut b, mut c) = (1, 2, 3);
    for turn in 0..30 {
        let [s, t, u] = [turn % 3, (turn + 1) % 3, (turn + 2) % 3].map(|i| &streams[i]);
        first.launch(s)?;
        c = one(1, a, b, c);
        second.launch(t)?;
        a = one(2, b, c, a);
        kernel.launch(u, config, (3, &*x, &*z, &mut *y))?;
        b = one(3, a, c, b);
    }
    assert_eq!(streams[2].download(&*x)?, [a; N]);
    assert_eq!(streams[1].download(&*y)?, [b; N]);
    assert_eq!(streams[0].download(&*z)?, [c; N]);
    Ok(())
}

#[test]
fn updates_are_for_replays_to_come() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let (kernel, mixes) = (advance::load(&device)?, mix::load(&device)?);
        let config = LaunchConfig::threads(N);
        let (mut x, mut y, mut z) =
            (stream.upload(&[1; N])?, stream.upload(&[2; N])?, stream.upload(&[3; N])?);
        let mut builder = GraphBuilder::new(&stream);
        let first = builder.launch(&kernel, config, (1, &mut x))?;
        let last = builder.launch(&mixes, config, (0, &y, &y, &mut z))?;
        let mut graph = builder.build()?;
        let (mut a, mut b, mut c) = (1, 2, 3);
        for times in 2..8 {
            graph.launch(&stream)?;
            (a, c) = (advanced(times - 1, a), super::kernels::mixed(0, b, b, c));
            graph.update(first, config, (times, &mut x))?;
        }
        // Now the second reads what the first writes: another order.
        graph.update(last, config, (5, &x, &y, &mut z))?;
        graph.launch(&stream)?;
        a = advanced(7, a);
        c = super::kernels::mixed(5, a, b, c);
        // And none of what it read any more, in halves.
        graph.update(first, LaunchConfig::threads(N / 2).block(32), (1, &mut y))?;
        graph.launch(&stream)?;
        let halved = advanced(1, b);
        b = 2;
        let halves = [super::kernels::mixed(5, a, halved, c), super::kernels::mixed(5, a, b, c)];
        let z = stream.download(&z)?;
        assert_eq!([z[0], z[N - 1]], halves, "{}", device.name());
        assert!(z[..N / 2].iter().all(|&z| z == halves[0]) && z[N / 2..].iter().all(|&z| z == halves[1]));
        assert_eq!(stream.download(&x)?, [a; N]);
    }
    Ok(())
}

#[test]
fn an_update_that_is_refused_changes_nothing() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let kernel = mix::load(&device)?;
        let config = LaunchConfig::threads(N);
        let (x, longer) = (stream.upload(&[1; N])?, stream.upload(&[1; N + 1])?);
        let mut z = stream.upload(&[0; N])?;
        let foreign = Device::cpu()?.stream()?.upload(&[1; N])?;
        let mut graph = stream.capture(|stream| kernel.launch(stream, config, (1, &x, &x, &mut z)))?;
        let node = graph.nodes(&kernel)[0];
        let error = graph.update(node, config, (1, &x, &longer, &mut z)).expect_err("of another length");
        assert!(matches!(error, Error::Requirement { .. }), "{error}");
        let error = graph.update(node, config, (1, &x, &foreign, &mut z)).expect_err("of another device");
        assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
        let error = graph.update(node, config.block(2048), (1, &x, &x, &mut z)).expect_err("too large");
        assert!(matches!(error, Error::InvalidConfig { .. }), "{error}");
        graph.launch(&stream)?;
        assert_eq!(stream.download(&z)?, [super::kernels::mixed(1, 1, 1, 0); N]);
    }
    Ok(())
}

#[test]
fn synchronising_calls_break_a_capture() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let mut x = stream.alloc_zeroed::<u32>(N)?;
        let error = stream.capture(|stream| {
            stream.fill(&mut x, 1)?;
            let _ = stream.download(&x);
            stream.fill(&mut x, 2)
        });
        let error = error.expect_err("it waits");
        assert!(matches!(error, Error::CaptureBroken { call: "download" }), "{error}");
        assert_eq!(stream.download(&x)?, [0; N]);
    }
    Ok(())
}

#[test]
fn a_stream_of_another_device_is_refused() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let graph = stream.capture(|_| Ok(()))?;
        let error = graph.launch(&Device::cpu()?.stream()?).expect_err("it is another");
        assert!(matches!(error, Error::ForeignStream { .. }), "{error}");
    }
    Ok(())
}

#[test]
fn a_panicking_kernel_of_a_graph_is_reported() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let (kernel, other) = (fails::load(&device)?, advance::load(&device)?);
    let config = LaunchConfig::threads(N);
    let (mut x, mut y) = (stream.upload(&[4; N])?, stream.upload(&[1; N])?);
    let graph = stream.capture(|stream| {
        other.launch(stream, config, (1, &mut y))?;
        kernel.launch(stream, config, (4, &mut x))
    })?;
    graph.launch(&stream)?;
    let error = stream.synchronize().expect_err("a thread panicked");
    let Error::KernelPanic { kernel, message, .. } = &error else { panic!("{error}") };
    assert!(kernel.contains("fails") && kernel.contains("advance"), "any of the graph: {kernel}");
    assert!(message.contains("as bad as it gets"), "{message}");
    stream.fill(&mut x, 0)?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&x)?, [1; N]);
    assert_eq!(stream.download(&y)?, [advanced(2, 1); N]);
    Ok(())
}

#[test]
fn host_functions_run_where_they_are_put() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let kernel = advance::load(&device)?;
        let mut x = stream.upload(&[1; N])?;
        let (sender, receiver) = channel();
        let said = move |what: &'static str| {
            let sender = sender.clone();
            move || sender.send(what).expect("somebody listens")
        };
        let mut builder = GraphBuilder::new(&stream);
        builder.host(said("first"));
        let launched = builder.launch(&kernel, LaunchConfig::threads(N), (100, &mut x))?;
        let free = builder.host_unordered(said("behind the launch"));
        builder.after(free, launched)?;
        builder.host(said("last"));
        let graph = builder.build()?;
        for _ in 0..10 {
            graph.launch(&stream)?;
            stream.host(said("outside"))?;
        }
        stream.synchronize()?;
        let said: Vec<_> = receiver.try_iter().collect();
        assert_eq!(said, ["first", "behind the launch", "last", "outside"].repeat(10), "{}", device.name());
    }
    Ok(())
}

#[test]
fn a_panicking_host_function_is_reported() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let mut x = stream.upload(&[1; N])?;
        let graph = stream.capture(|stream| {
            stream.host(|| panic!("as bad as it gets"))?;
            stream.fill(&mut x, 2)
        })?;
        graph.launch(&stream)?;
        let error = stream.synchronize().expect_err("a function panicked");
        assert!(matches!(&error, Error::HostPanic { message, others: 0 } if message == "as bad as it gets"));
        assert_eq!(stream.download(&x)?, [2; N], "{}", device.name());
        stream.host(|| panic!("once"))?;
        assert!(matches!(stream.download(&x), Err(Error::HostPanic { .. })));
        assert_eq!(stream.download(&x)?, [2; N], "it is told once");
    }
    Ok(())
}

/// What a function owns is dropped on the driver's thread, from where it can't be freed.
#[test]
fn host_functions_cant_use_the_device_and_may_drop_what_is_of_it() -> Result {
    for device in devices()? {
        let stream = device.stream()?;
        let (sender, receiver) = channel();
        let mut x = stream.upload(&[1_u32; N])?;
        let graph = stream.capture(|stream| stream.fill(&mut x, 3))?;
        graph.launch(&stream)?;
        let owned = Mutex::new(Some((x, graph, device.stream()?, stream.pinned::<u8>(9)?, stream.record()?)));
        let (same, theirs) = (device.clone(), stream.clone());
        stream.host(move || {
            let owned = owned.lock().expect("nobody panicked").take().expect("it is there");
            let errors = [
                theirs.synchronize().expect_err("it waits for itself"),
                theirs.download(&owned.0).expect_err("as above"),
                theirs.record().expect_err("as above"),
                owned.1.launch(&theirs).expect_err("as above"),
                same.stream().expect_err("as above"),
            ];
            let all = errors.iter().all(|error| matches!(error, Error::InHostFunction { .. }));
            sender.send(all).expect("somebody listens");
        })?;
        assert_eq!(receiver.recv(), Ok(true), "{}", device.name());
        stream.synchronize()?;
    }
    Ok(())
}

/// A buffer that a host function owns, and the function itself, end with the graph.
#[test]
fn what_host_functions_own_lives_as_long_as_their_graph() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let owned = Arc::new(());
    let graph = {
        let owned = Arc::clone(&owned);
        stream.capture(|stream| stream.host(move || assert_eq!(Arc::strong_count(&owned), 2)))?
    };
    graph.launch(&stream)?;
    graph.launch(&stream)?;
    drop(graph);
    stream.synchronize()?;
    // The next that waits finds it done, if the one before didn't.
    stream.synchronize()?;
    assert_eq!(Arc::strong_count(&owned), 1);
    Ok(())
}

#[test]
fn a_replay_on_a_lost_device_says_so() -> Result {
    if !is_child() {
        if device().is_some() {
            child("graphs::a_replay_on_a_lost_device_says_so", &[]);
        }
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let (wrong, kernel) = (poke::load(&device)?, advance::load(&device)?);
    let config = LaunchConfig::threads(N);
    let (mut x, mut y) = (stream.upload(&[0; N])?, stream.upload(&[0; N])?);
    let mut broken = stream.capture(|stream| {
        kernel.launch(stream, config, (1, &mut y))?;
        // SAFETY: none: the index is far outside.
        unsafe { wrong.launch(stream, LaunchConfig::threads(1), (&mut x, 1 << 40)) }
    })?;
    let fine = stream.capture(|stream| stream.fill(&mut y, 1))?;
    fine.launch(&stream)?;
    stream.synchronize()?;
    broken.launch(&stream)?;
    let error = stream.synchronize().expect_err("the device is lost");
    let Error::DeviceLost { kernels, .. } = &error else { panic!("{error}") };
    assert_eq!(kernels, &["advance", "poke"]);
    let errors = [
        fine.launch(&stream).expect_err("it is lost"),
        broken.update(broken.nodes(&kernel)[0], config, (2, &mut y)).expect_err("it is lost"),
        stream.capture(|_| Ok(())).expect_err("it is lost"),
    ];
    for error in errors {
        assert!(matches!(error, Error::DeviceLost { .. }), "{error}");
    }
    Ok(())
}

/// One operation that looks random, on buffers that many operations share.
#[derive(Clone, Copy, Debug)]
struct Step {
    what: usize,
    buffers: [usize; 3],
    value: u32,
}

impl Step {
    fn random(random: &mut Random, buffers: usize) -> Self {
        let first = random.below(buffers);
        let second = (first + 1 + random.below(buffers - 1)) % buffers;
        let third = (0..).map(|i| (second + i) % buffers).find(|i| *i != first && *i != second).unwrap_or(0);
        Self { what: random.below(7), buffers: [first, second, third], value: random.next() }
    }

    fn submit(
        self,
        stream: &Stream,
        kernels: &(gridwright::Kernel<mix>, gridwright::Kernel<advance>),
        buffers: &mut [Buffer<u32>],
    ) -> Result {
        let Self { what, buffers: chosen, value } = self;
        let [x, y, z] = buffers.get_disjoint_mut(chosen).expect("three buffers");
        let config = LaunchConfig::threads(N);
        match what {
            0..3 => kernels.0.launch(stream, config, (value, &*x, &*y, z)),
            3 => kernels.1.launch(stream, config, (value % 4, x)),
            4 => stream.copy(&y.slice(N / 2..)?, &mut x.slice_mut(..N / 2)?),
            5 => stream.fill(&mut z.slice_mut(10..200)?, value),
            _ => stream.copy_from_slice(&mut y.slice_mut(..2)?, &[value, !value]),
        }
    }
}

/// Some graphs of random operations on shared buffers, replayed on random streams between direct calls, give the same bytes as
/// all of it called directly on one stream. With delays in the driver, a wait or a dependency that is missing shows.
fn random_graphs(device: &Device, seed: u64) -> Result {
    let mut random = Random::new(seed);
    let streams = [device.stream()?, device.stream()?];
    let kernels = (mix::load(device)?, advance::load(device)?);
    let new = || (0..6).map(|i| streams[0].upload(&[i; N])).collect::<Result<Vec<_>>>();
    let (mut direct, mut replayed) = (new()?, new()?);
    let graphs: Vec<(Vec<Step>, Graph)> = (0..4)
        .map(|_| {
            let steps: Vec<_> = (0..random.below(30)).map(|_| Step::random(&mut random, 6)).collect();
            let graph = streams[random.below(2)].capture(|stream| {
                steps.iter().try_for_each(|step| step.submit(stream, &kernels, &mut replayed))
            });
            Ok((steps, graph?))
        })
        .collect::<Result<_>>()?;
    for _ in 0..20 {
        let stream = &streams[random.below(2)];
        if random.below(4) == 0 {
            let step = Step::random(&mut random, 6);
            step.submit(&streams[0], &kernels, &mut direct)?;
            step.submit(stream, &kernels, &mut replayed)?;
        } else {
            let (steps, graph) = &graphs[random.below(4)];
            steps.iter().try_for_each(|step| step.submit(&streams[0], &kernels, &mut direct))?;
            graph.launch(stream)?;
        }
    }
    for (direct, replayed) in direct.iter().zip(&replayed) {
        let on = random.below(2);
        assert_eq!(streams[0].download(direct)?, streams[on].download(replayed)?, "seed {seed}");
    }
    Ok(())
}

#[test]
fn replays_do_what_the_calls_do() -> Result {
    for device in devices()? {
        (0..6).try_for_each(|seed| random_graphs(&device, seed))?;
    }
    Ok(())
}

#[test]
fn replays_do_what_the_calls_do_with_delays() -> Result {
    if !is_child() {
        if device().is_some() {
            let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "300")];
            child("graphs::replays_do_what_the_calls_do_with_delays", &delays);
        }
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    (100..106).try_for_each(|seed| random_graphs(&device, seed))
}

/// Replays have no borrow of what they use: downloads on other threads see all of a replay or nothing.
#[test]
fn downloads_see_whole_replays() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.upload(&[0; N])?;
    let graph = stream.capture(|stream| {
        stream.fill(&mut x, 1)?;
        kernel.launch(stream, LaunchConfig::threads(N / 2), (1, &mut x))?;
        stream.fill(&mut x.slice_mut(N / 2..)?, advanced(1, 1))
    })?;
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| -> Result {
            let stream = device.stream()?;
            for _ in 0..50 {
                let elements = stream.download(&x)?;
                let whole = elements[0] == 0 || elements[0] == advanced(1, 1);
                assert!(whole && elements.iter().all(|&x| x == elements[0]), "{elements:?}");
            }
            Ok(())
        });
        for _ in 0..50 {
            graph.launch(&stream)?;
        }
        reader.join().expect("it saw whole replays")
    })
}
