//! Profiles on the CPU: what they count, that their times are those of events, and all that can go wrong with them.

#![allow(clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use gridwright::Error;
use gridwright::prelude::*;
use gridwright::profile::{Activity, Profile};
use serde_json::Value;

type Result<T = ()> = std::result::Result<T, Error>;

#[gpu_kernel]
fn advance(t: Thread, times: u32, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        for _ in 0..times {
            *x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        }
    }
}

#[gpu_kernel]
unsafe fn set(t: Thread, x: *mut u32, n: usize, value: u32) {
    if t.index() < n {
        // SAFETY: there are `n` elements, as its launches say.
        unsafe { *x.add(t.index()) = value };
    }
}

#[gpu_kernel]
fn panics(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        assert!(*x != 0, "zero");
    }
}

const N: usize = 1000;

fn ready() -> Result<(Device, Stream)> {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    Ok((device, stream))
}

fn calls(profile: &Profile) -> Vec<(&str, Activity, u64)> {
    let mut calls: Vec<_> =
        profile.rows().iter().map(|row| (row.name.as_str(), row.activity, row.calls)).collect();
    calls.sort_by_key(|&(name, activity, _)| (name, activity.to_string()));
    calls
}

/// Each kind of work once or more, and how much of it.
#[test]
fn every_call_is_counted_with_its_bytes() -> Result {
    let (device, stream) = ready()?;
    let (kernel, unsafe_kernel) = (advance::load(&device)?, set::load(&device)?);
    let config = LaunchConfig::threads(N);
    let ((), profile) = device.profile(|p| {
        p.declare(&kernel, 8000);
        let mut x = stream.upload(&[1_u32; N])?;
        let mut y = stream.alloc_zeroed::<u32>(N)?;
        for _ in 0..3 {
            kernel.launch(&stream, config, (1, &mut x))?;
        }
        p.declare(&kernel, 1);
        kernel.launch(&stream, config, (1, &mut x))?;
        // SAFETY: there are as many elements.
        unsafe { unsafe_kernel.launch(&stream, config, (&mut y, N, 7))? };
        stream.copy(&x, &mut y)?;
        stream.fill(&mut y.slice_mut(..10)?, 5)?;
        let graph = stream.capture(|stream| {
            kernel.launch(stream, config, (1, &mut x))?;
            stream.fill(&mut y, 2)
        })?;
        graph.launch(&stream)?;
        graph.launch(&stream)?;
        let mut pinned = stream.copy_to_pinned(&y, stream.pinned(N)?)?.wait()?;
        pinned[0] = 9;
        stream.copy_from_pinned(&mut y, pinned)?.wait()?;
        stream.host(|| ())?;
        p.range("at the end", || {
            assert_eq!(stream.download(&y)?[..2], [9, 2]);
            stream.synchronize()
        })
    })?;
    let expected = [
        ("Pending::wait", Activity::Wait, 2),
        ("advance", Activity::Kernel, 4),
        ("at the end", Activity::Range, 1),
        ("copy on device", Activity::CopyOnDevice, 1),
        ("copy to device", Activity::CopyToDevice, 2),
        ("copy to host", Activity::CopyToHost, 2),
        ("copy_from_slice", Activity::Wait, 1),
        ("download", Activity::Wait, 1),
        ("fill", Activity::Fill, 2),
        ("graph 0 (2 operations)", Activity::Graph, 2),
        ("host function", Activity::HostFunction, 1),
        ("set", Activity::Kernel, 1),
        ("synchronize", Activity::Wait, 1),
    ];
    assert_eq!(calls(&profile), expected);
    let bytes = |name| profile.row(name).unwrap().bytes;
    let kernels = [bytes("advance"), bytes("set"), bytes("graph 0 (2 operations)")];
    assert_eq!(kernels, [Some(3 * 8000 + 1), None, None]);
    let copies = ["copy to device", "copy to host", "copy on device", "fill"].map(bytes);
    assert_eq!(copies, [Some(8000), Some(8000), Some(4000), Some(4000 + 40)]);
    Ok(())
}

/// What is without a profile isn't in the next one.
#[test]
fn only_what_is_in_the_closure_is_counted() -> Result {
    let (device, stream) = ready()?;
    let mut x = stream.upload(&[1_u32; N])?;
    let ((), first) = device.profile(|_| stream.fill(&mut x, 1))?;
    stream.fill(&mut x, 2)?;
    let ((), second) = device.profile(|_| Ok(()))?;
    let other = Device::cpu()?.stream()?;
    let (_, third) = device.profile(|_| other.upload(&[1]))?;
    assert_eq!(calls(&first), [("fill", Activity::Fill, 1)]);
    assert!(second.rows().is_empty() && third.rows().is_empty());
    Ok(())
}

#[test]
fn copies_through_the_host_are_copies_of_both_devices() -> Result {
    let ((one, of_one), (_, of_another)) = (ready()?, ready()?);
    let x = of_another.upload(&[3_u32; N])?;
    let mut y = of_one.alloc_zeroed(N)?;
    let ((), profile) = one.profile(|_| of_one.copy(&x, &mut y))?;
    assert_eq!(of_one.download(&y)?, [3; N]);
    assert_eq!(calls(&profile), [("copy", Activity::Wait, 1), ("copy to device", Activity::CopyToDevice, 1)]);
    Ok(())
}

/// The profile's total lies in the time of events around the same work, and is all of that but for what the machine does in
/// between. That only adds to the events' time, so that the best of some attempts tells.
#[test]
fn totals_are_those_of_events() -> Result {
    let (device, stream) = ready()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.upload(&[1_u32; 1 << 16])?;
    let mut best: f64 = 0.0;
    for _ in 0..10 {
        let ((start, end), profile) = device.profile(|_| {
            let start = stream.record()?;
            for _ in 0..5 {
                kernel.launch(&stream, LaunchConfig::threads(1 << 16), (2000, &mut x))?;
            }
            Ok((start, stream.record()?))
        })?;
        let (row, by_events) = (profile.row("advance").unwrap(), end.duration_since(&start)?);
        assert_eq!(row.calls, 5);
        assert!(row.total <= by_events && by_events <= profile.duration());
        assert!(row.min <= row.mean() && row.mean() <= row.max && row.max <= row.total);
        assert!((row.share - row.total.as_secs_f64() / profile.duration().as_secs_f64()).abs() < 1e-9);
        best = best.max(row.total.as_secs_f64() / by_events.as_secs_f64());
        if best > 0.99 {
            return Ok(());
        }
    }
    panic!("the profile has only {best} of the events' time")
}

#[test]
fn bytes_a_second_are_bytes_by_time() -> Result {
    let (device, stream) = ready()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.upload(&[1_u32; N])?;
    let ((), profile) = device.profile(|p| {
        p.declare(&kernel, 1_000_000);
        (0..4).try_for_each(|_| kernel.launch(&stream, LaunchConfig::threads(N), (100, &mut x)))
    })?;
    let row = profile.row("advance").unwrap();
    let expected = 4e6 / row.total.as_secs_f64();
    assert!((row.bytes_per_second().unwrap() / expected - 1.0).abs() < 1e-9);
    Ok(())
}

fn microseconds(event: &Value, key: &str) -> f64 {
    event[key].as_f64().unwrap()
}

/// Whether one event lies in another, but for the rounding of sums.
fn is_within(inner: &Value, outer: &Value) -> bool {
    let span = |event| (microseconds(event, "ts"), microseconds(event, "ts") + microseconds(event, "dur"));
    let ((start, end), (from, to)) = (span(inner), span(outer));
    from <= start && end <= to + 0.0015
}

#[test]
fn the_trace_has_every_call_in_order_and_in_its_range() -> Result {
    let (device, stream) = ready()?;
    let kernel = advance::load(&device)?;
    let name = "a \"range\"\n\\ of 3 µs";
    let ((), profile) = device.profile(|p| {
        p.range(name, || {
            let mut x = stream.upload(&[1_u32; N])?;
            p.range("inner", || kernel.launch(&stream, LaunchConfig::threads(N), (1, &mut x)))?;
            stream.download(&x).map(drop)
        })?;
        kernel.launch(&stream, LaunchConfig::threads(N), (1, &mut stream.alloc_zeroed(N)?))
    })?;
    let mut written = Vec::new();
    profile.write_chrome_trace(&mut written).unwrap();
    assert_eq!(String::from_utf8(written).unwrap(), profile.to_chrome_trace());
    let trace: Value = serde_json::from_str(&profile.to_chrome_trace()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let (names, spans): (Vec<_>, Vec<_>) = events.iter().partition(|event| event["ph"] == "M");
    assert!(names.iter().any(|event| event["args"]["name"] == device.name()));
    assert!(spans.iter().all(|event| event["ph"] == "X"));
    let counted: u64 = profile.rows().iter().map(|row| row.calls).sum();
    assert_eq!(spans.len() as u64, counted);
    assert!(spans.windows(2).all(|two| microseconds(two[0], "ts") <= microseconds(two[1], "ts")));

    let of = |name: &str| -> Vec<&Value> { spans.iter().filter(|e| e["name"] == name).copied().collect() };
    let (outer, inner, launches) = (of(name)[0], of("inner")[0], of("advance"));
    assert!(is_within(inner, outer) && is_within(launches[0], inner));
    assert!(!is_within(launches[1], outer));
    assert!(is_within(of("copy to host")[0], of("download")[0]) && is_within(of("download")[0], outer));
    assert_eq!(of("copy to host")[0]["args"]["bytes"], 4000);
    let total: f64 = launches.iter().map(|event| microseconds(event, "dur")).sum();
    let row = profile.row("advance").unwrap();
    assert!((total - row.total.as_secs_f64() * 1e6).abs() < 0.01);
    Ok(())
}

#[test]
fn all_threads_and_streams_are_counted() -> Result {
    let (device, shared) = ready()?;
    let kernel = advance::load(&device)?;
    let ((), profile) = device.profile(|p| {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|number| {
                    let (device, shared, kernel) = (&device, &shared, &kernel);
                    scope.spawn(move || -> Result {
                        let own = device.stream()?;
                        p.range(if number % 2 == 0 { "even" } else { "odd" }, || {
                            let mut x = own.alloc_zeroed::<u32>(N)?;
                            for round in 0..25 {
                                let stream = if round % 2 == 0 { &own } else { shared };
                                kernel.launch(stream, LaunchConfig::threads(N), (10, &mut x))?;
                            }
                            own.download(&x).map(drop)
                        })
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap())
        })
    })?;
    let expected = [
        ("advance", Activity::Kernel, 100),
        ("copy to host", Activity::CopyToHost, 4),
        ("download", Activity::Wait, 4),
        ("even", Activity::Range, 2),
        ("fill", Activity::Fill, 4),
        ("odd", Activity::Range, 2),
    ];
    assert_eq!(calls(&profile), expected);
    // On the CPU a thread's calls are one after another, on a line of their own.
    let trace: Value = serde_json::from_str(&profile.to_chrome_trace()).unwrap();
    let launches = trace["traceEvents"].as_array().unwrap().iter().filter(|e| e["name"] == "advance");
    let mut by_line = std::collections::BTreeMap::<u64, Vec<&Value>>::new();
    launches.for_each(|event| by_line.entry(event["tid"].as_u64().unwrap()).or_default().push(event));
    assert_eq!(by_line.values().map(Vec::len).collect::<Vec<_>>(), [25; 4]);
    for events in by_line.values() {
        let ends = |event| microseconds(event, "ts") + microseconds(event, "dur");
        assert!(events.windows(2).all(|two| ends(two[0]) <= microseconds(two[1], "ts") + 0.0015));
    }
    Ok(())
}

#[test]
fn a_second_profile_of_a_device_is_refused() -> Result {
    let (device, stream) = ready()?;
    let refused = |error: Error| matches!(error, Error::ProfileActive { .. });
    let ((), profile) = device.profile(|_| {
        assert!(refused(device.profile(|_| Ok(())).unwrap_err()));
        let by_another = thread::scope(|scope| scope.spawn(|| device.profile(|_| Ok(()))).join().unwrap());
        assert!(refused(by_another.unwrap_err()));
        // Another device's is its own business.
        Device::cpu()?.profile(|_| Ok(()))?;
        stream.upload(&[1_u32]).map(drop)
    })?;
    assert_eq!(profile.row("copy to device").unwrap().calls, 1);
    device.profile(|_| Ok(())).map(drop)
}

#[test]
fn errors_and_panics_end_the_profile() -> Result {
    let (device, stream) = ready()?;
    let error = device.profile::<()>(|_| stream.upload_matrix(2, 2, &[1]).map(drop)).unwrap_err();
    assert!(matches!(error, Error::MatrixSize { .. }));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        device.profile::<()>(|p| p.range("it panics", || panic!("on purpose")))
    }));
    assert!(panicked.is_err());
    let ((), profile) = device.profile(|p| {
        // A range that panics is there all the same.
        assert!(catch_unwind(AssertUnwindSafe(|| p.range("caught", || panic!("on purpose")))).is_err());
        Ok(())
    })?;
    assert_eq!(calls(&profile), [("caught", Activity::Range, 1)]);
    Ok(())
}

#[test]
fn a_kernels_panic_is_reported_as_ever() -> Result {
    let (device, stream) = ready()?;
    let kernel = panics::load(&device)?;
    let mut x = stream.alloc_zeroed(N)?;
    let ((), profile) = device.profile(|_| kernel.launch(&stream, LaunchConfig::threads(N), (&mut x,)))?;
    assert_eq!(profile.row("panics").unwrap().calls, 1);
    assert!(matches!(stream.synchronize(), Err(Error::KernelPanic { .. })));
    stream.synchronize()
}

/// A launch that is refused hasn't run.
#[test]
fn what_fails_is_not_counted() -> Result {
    let (device, stream) = ready()?;
    let kernel = advance::load(&device)?;
    let mut foreign = Device::cpu()?.stream()?.alloc_zeroed::<u32>(N)?;
    let ((), profile) = device.profile(|_| {
        assert!(kernel.launch(&stream, LaunchConfig::threads(N), (1, &mut foreign)).is_err());
        assert!(stream.fill(&mut foreign, 1).is_err());
        Ok(())
    })?;
    assert!(profile.rows().is_empty());
    Ok(())
}

#[test]
fn a_profile_is_not_made_in_a_host_function() -> Result {
    let (device, stream) = ready()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    let of_function = device.clone();
    stream.host(move || sender.send(of_function.profile(|_| Ok(())).map(drop)).unwrap())?;
    assert!(matches!(receiver.recv().unwrap(), Err(Error::InHostFunction { .. })));
    Ok(())
}
