//! Profiles: times by the driver's events.

use std::thread;
use std::time::Duration;

use gridwright::Error;
use gridwright::prelude::*;
use gridwright::profile::{Activity, Profile};
use serde_json::Value;

use super::kernels::{advance, advanced, mix, poke};
use super::setting::{Result, child, device, is_child, with_driver};

const N: usize = 256;
const CONFIG: LaunchConfig = LaunchConfig::threads(N);

fn calls(profile: &Profile, name: &str) -> u64 {
    profile.row(name).map_or(0, |row| row.calls)
}

fn total(profile: &Profile, name: &str) -> Duration {
    profile.row(name).map_or(Duration::ZERO, |row| row.total)
}

/// The spans of one name in the trace, as beginnings and ends in microseconds.
fn spans(profile: &Profile, name: &str) -> Vec<(f64, f64)> {
    let trace: Value = serde_json::from_str(&profile.to_chrome_trace()).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events").iter();
    let number = |event: &Value, key: &str| event[key].as_f64().expect("a number");
    let of_name = events.filter(|event| event["name"] == name && event["ph"] == "X");
    of_name.map(|event| (number(event, "ts"), number(event, "ts") + number(event, "dur"))).collect()
}

/// The profile's total lies in the time of events around the same work, and is all of that but for what runs in between.
/// That only adds to the events' time, so that the best of some attempts tells.
#[test]
fn totals_are_those_of_events() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let mut best: f64 = 0.0;
    // A GPU does the first attempts' work in less than a launch takes.
    for iterations in (0..10).map(|attempt| 2000 << attempt) {
        let ((start, end), profile) = device.profile(|_| {
            let start = stream.record()?;
            for _ in 0..3 {
                kernel.launch(&stream, CONFIG, (iterations, &mut x))?;
            }
            Ok((start, stream.record()?))
        })?;
        let by_events = end.duration_since(&start)?;
        let total = total(&profile, "advance");
        assert_eq!(calls(&profile, "advance"), 3);
        // The driver rounds each of them, to half a microsecond.
        assert!(total <= by_events + Duration::from_micros(2), "{total:?}, {by_events:?}");
        best = best.max(total.as_secs_f64() / by_events.as_secs_f64());
        // A launch that isn't counted would be a third. The rest is between launches, on a busy machine more of it.
        if best > 0.9 {
            return Ok(());
        }
    }
    panic!("the profile has only {best} of the events' time")
}

/// What work waits for on another stream is that one's time.
#[test]
fn waiting_for_another_stream_is_not_a_kernels_own_time() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let (long, short) = (advance::load(&device)?, mix::load(&device)?);
    let x = stream.upload(&[1; N])?;
    let (mut y, mut z) = (stream.alloc_zeroed::<u32>(N)?, other.alloc_zeroed::<u32>(N)?);
    // A driver may load a kernel when it is first launched.
    long.launch(&stream, CONFIG, (1, &mut y))?;
    short.launch(&other, CONFIG, (0, &x, &y, &mut z))?;
    stream.synchronize()?;
    other.synchronize()?;
    let ((), profile) = device.profile(|_| {
        long.launch(&stream, CONFIG, (20_000, &mut y))?;
        short.launch(&other, CONFIG, (0, &x, &y, &mut z))
    })?;
    let (long, short) = (spans(&profile, "advance"), spans(&profile, "mix"));
    assert_eq!((long.len(), short.len()), (1, 1));
    // Without waiting it would begin when the long one does.
    let middle = f64::midpoint(long[0].0, long[0].1);
    assert!(short[0].0 > middle, "{long:?} {short:?}");
    // With the wait its time would be the long one's and its own.
    assert!(total(&profile, "mix") < total(&profile, "advance"), "\n{profile}");
    Ok(())
}

/// More than there are marks for at a time.
#[test]
fn many_launches_are_all_counted() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(1)?;
    let launches = 10_000;
    let ((), profile) = device.profile(|p| {
        p.declare(&kernel, 8);
        (0..launches).try_for_each(|_| kernel.launch(&stream, LaunchConfig::threads(1), (1, &mut x)))
    })?;
    let row = profile.row("advance").expect("launches");
    assert_eq!((row.calls, row.bytes), (launches, Some(8 * launches)));
    assert_eq!((profile.left_out(), spans(&profile, "advance").len()), (0, launches as usize));
    assert_eq!(stream.download(&x)?, [advanced(launches as u32, 0)]);
    Ok(())
}

/// All kinds of work, by several threads on streams of their own and on one that they share.
fn by_threads(device: &Device) -> Result {
    let shared = device.stream()?;
    let kernel = advance::load(device)?;
    let ((), profile) = device.profile(|p| {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..4)
                .map(|_| {
                    let (shared, kernel) = (&shared, &kernel);
                    scope.spawn(move || -> Result {
                        let own = device.stream()?;
                        p.range("thread", || {
                            let (mut x, mut y) = (own.upload(&[0; N])?, own.alloc_zeroed(N)?);
                            let graph = own.capture(|stream| kernel.launch(stream, CONFIG, (1, &mut y)))?;
                            for round in 0..10 {
                                let stream = if round % 2 == 0 { &own } else { shared };
                                kernel.launch(stream, CONFIG, (1, &mut x))?;
                                graph.launch(stream)?;
                            }
                            shared.copy(&x, &mut y)?;
                            shared.fill(&mut x, 3)?;
                            own.host(|| ())?;
                            let pinned = own.copy_to_pinned(&y, own.pinned(N)?)?.wait()?;
                            assert_eq!(pinned[..], [advanced(10, 0); N]);
                            own.copy_from_pinned(&mut y, pinned)?.wait()?;
                            assert_eq!(own.download(&x)?, [3; N]);
                            own.synchronize()
                        })
                    })
                })
                .collect();
            threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
        })
    })?;
    let names = ["advance", "copy on device", "fill", "host function", "copy to host", "copy to device"];
    assert_eq!(names.map(|name| calls(&profile, name)), [40, 4, 8, 4, 8, 8], "\n{profile}");
    let graphs = profile.rows().iter().filter(|row| row.activity == Activity::Graph);
    assert_eq!(graphs.map(|row| (row.name.len(), row.calls)).collect::<Vec<_>>(), [(21, 10); 4]);
    let waits = ["synchronize", "download", "copy_from_slice", "Pending::wait", "thread"];
    assert_eq!(waits.map(|name| calls(&profile, name)), [4, 4, 4, 8, 4], "\n{profile}");
    assert_eq!(profile.row("copy to device").and_then(|row| row.bytes), Some(8 * 4 * N as u64));

    // A stream does one thing after another, in the trace too.
    let trace: Value = serde_json::from_str(&profile.to_chrome_trace()).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let number = |event: &Value, key: &str| event[key].as_f64().expect("a number");
    for stream in 0..64 {
        let is_of = |event: &&Value| event["pid"] == 1 && event["tid"] == stream && event["ph"] == "X";
        let of_stream: Vec<_> = events.iter().filter(is_of).collect();
        for two in of_stream.windows(2) {
            let end = number(two[0], "ts") + number(two[0], "dur");
            assert!(end <= number(two[1], "ts") + 0.0015, "{two:?}");
        }
    }
    Ok(())
}

#[test]
fn threads_and_streams_are_counted() -> Result {
    let Some(device) = device() else { return Ok(()) };
    by_threads(&device)
}

#[test]
fn threads_and_streams_are_counted_with_delays() -> Result {
    let Some(device) = device() else { return Ok(()) };
    if is_child() {
        return by_threads(&device);
    }
    let test = "profile::threads_and_streams_are_counted_with_delays";
    with_driver(&device, test, &[("GRIDWRIGHT_EMULATOR_DELAY_US", "300")]);
    Ok(())
}

#[test]
fn a_profile_that_panics_leaves_the_device_as_it_was() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(N)?;
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        device.profile::<()>(|_| {
            kernel.launch(&stream, CONFIG, (5, &mut x))?;
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    let (elements, profile) = device.profile(|_| stream.download(&x))?;
    assert_eq!((elements, calls(&profile, "advance")), (vec![advanced(5, 0); N], 0));
    Ok(())
}

#[test]
fn a_lost_device_ends_the_profile_with_its_error() -> Result {
    let Some(device) = device() else { return Ok(()) };
    if !is_child() {
        child("profile::a_lost_device_ends_the_profile_with_its_error", &[]);
        return Ok(());
    }
    let stream = device.stream()?;
    let kernel = poke::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(4)?;
    // The closure gives no error: the profile can't be told what it measured.
    let lost = device.profile(|_| {
        // SAFETY: none: that is what is tested, on a device that no other test has.
        unsafe { kernel.launch(&stream, LaunchConfig::threads(1), (&mut x, 1 << 45)) }?;
        Ok(stream.synchronize().is_err())
    });
    assert!(matches!(lost, Err(Error::DeviceLost { .. })), "{lost:?}");
    let again = device.profile(|_| Ok(()));
    assert!(matches!(again, Err(Error::DeviceLost { .. })), "{again:?}");
    Ok(())
}
