//! Several threads of the host.

use std::thread;

use gridwright::prelude::*;

use super::kernels::{advance, advanced, mix};
use super::setting::{Result, device};

#[test]
fn threads_share_a_device_a_stream_a_kernel_and_what_they_read() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let shared_stream = device.stream()?;
    let (advance, mix) = (advance::load(&device)?, mix::load(&device)?);
    let shared = shared_stream.upload(&(0..500).collect::<Vec<u32>>())?;
    thread::scope(|scope| {
        let threads: Vec<_> = (1..5)
            .map(|number| {
                let (device, stream, advance, mix, shared) =
                    (&device, &shared_stream, &advance, &mix, &shared);
                scope.spawn(move || -> Result {
                    let own = device.stream()?;
                    for round in 0..20 {
                        let stream = if round % 2 == 0 { stream } else { &own };
                        let mut mine = stream.alloc_zeroed::<u32>(500)?;
                        advance.launch(&own, LaunchConfig::threads(500), (number, &mut mine))?;
                        mix.launch(stream, LaunchConfig::threads(500), (0, shared, shared, &mut mine))?;
                        let start = advanced(number, 0).wrapping_mul(31);
                        let expected: Vec<u32> = (0..500).map(|i| start.wrapping_add(i * 8)).collect();
                        assert_eq!(own.download(&mine)?, expected);
                    }
                    Ok(())
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })
}

#[test]
fn buffers_streams_and_events_move_between_threads() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let kernel = advance::load(&device)?;
    let mut x = stream.alloc_zeroed::<u32>(100)?;
    kernel.launch(&stream, LaunchConfig::threads(100), (7, &mut x))?;
    let event = stream.record()?;
    let pending = stream.copy_to_pinned(&x, stream.pinned(100)?)?;
    thread::spawn(move || -> Result {
        device.stream()?.wait(&event)?;
        assert_eq!(pending.wait()?[..], [advanced(7, 0); 100]);
        assert_eq!(stream.download(&x)?, [advanced(7, 0); 100]);
        Ok(())
    })
    .join()
    .expect("the thread doesn't panic")
}
