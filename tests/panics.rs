//! A panic in a kernel is an error that says where, and the device stays usable.

use gridwright::Error;
use gridwright::prelude::*;

type Result = std::result::Result<(), Error>;

#[gpu_kernel]
fn shifted(t: Thread, x: &[u32], by: usize, mut y: PerThread<[u32]>) {
    if let Some(y) = y.get_mut(t) {
        *y = x[t.index() + by]; // the line that panics
    }
}

const LINE: u32 = 11;

#[test]
fn message_place_and_thread_reach_the_host() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let kernel = shifted::load(&device)?;
    let x = stream.upload(&[7; 1000])?;
    let mut y = stream.alloc_zeroed::<u32>(1000)?;

    kernel.launch(&stream, LaunchConfig::threads(1000).block(128), (&x, 10, &mut y))?;
    let error = stream.synchronize().unwrap_err();
    let Error::KernelPanic { kernel: name, message, file, line, group, thread, .. } = &error else {
        panic!("{error:?}")
    };
    assert_eq!((*name, file.as_str(), *line), ("shifted", file!(), LINE));
    assert_eq!(message, "index out of bounds: the len is 1000 but the index is 1000");
    assert_eq!((*group, *thread), ([7, 0, 0], [94, 0, 0])); // thread 990 is 94 in group 7
    assert_eq!(
        error.to_string(),
        format!(
            "kernel `shifted` panicked at {}:{LINE}:14, in thread 94 of group 7: index out of bounds: the len is \
             1000 but the index is 1000",
            file!()
        )
    );

    // Reported once, and what threads before wrote is there: perhaps not of all, if several OS threads ran them.
    stream.synchronize()?;
    let left = stream.download(&y)?;
    assert!(left[..990].iter().all(|&y| y == 7 || y == 0) && left[896..990].iter().all(|&y| y == 7));
    kernel.launch(&stream, LaunchConfig::threads(1000), (&x, 0, &mut y))?;
    assert_eq!(stream.download(&y)?, [7; 1000]);
    Ok(())
}

#[test]
fn the_first_panic_is_reported_by_any_stream_and_by_download() -> Result {
    let device = Device::cpu()?;
    let (stream, other) = (device.stream()?, device.stream()?);
    let kernel = shifted::load(&device)?;
    let x = stream.upload(&[7; 10])?;
    let mut y = stream.alloc_zeroed::<u32>(10)?;
    kernel.launch(&stream, LaunchConfig::threads(1), (&x, 100, &mut y))?;
    kernel.launch(&stream, LaunchConfig::threads(1), (&x, 200, &mut y))?;
    let error = other.download(&y).unwrap_err();
    assert!(error.to_string().ends_with("the index is 100; there was another panic"), "{error}");
    other.download(&y)?;
    Ok(())
}

#[test]
fn two_dimensions_name_row_and_column() -> Result {
    #[gpu_kernel]
    fn stop(t: Thread, mut y: PerThread<Matrix<u32>>) {
        assert!(!(t.row() == 35 && t.col() == 77), "stop at {}", t.index());
        if let Some(y) = y.get_mut(t) {
            *y = 1;
        }
    }
    let device = Device::cpu()?;
    let stream = device.stream()?;
    let mut y = stream.alloc_matrix_zeroed(50, 100)?;
    stop::load(&device)?.launch(&stream, LaunchConfig::for_matrix(50, 100).block((16, 8)), (&mut y,))?;
    match stream.synchronize() {
        Err(Error::KernelPanic { message, group, thread, .. }) => {
            assert_eq!(message, "stop at 3577");
            assert_eq!((group, thread), ([4, 4, 0], [13, 3, 0]));
        }
        other => panic!("{other:?}"),
    }
    Ok(())
}

/// What is in a buffer, once nobody panics in between.
fn download_at_last(stream: &Stream, y: &Buffer<u32>) -> std::result::Result<Vec<u32>, Error> {
    loop {
        match stream.download(y) {
            // Another's.
            Err(Error::KernelPanic { .. }) => {}
            other => return other,
        }
    }
}

#[test]
fn panics_under_load_end_their_own_launch_only() -> Result {
    let device = Device::cpu()?;
    std::thread::scope(|scope| {
        let launches: Vec<_> = (0..8)
            .map(|i| {
                let device = &device;
                scope.spawn(move || -> Result {
                    let stream = device.stream()?;
                    let kernel = shifted::load(device)?;
                    let x = stream.upload(&vec![7; 100_000])?;
                    let mut y = stream.alloc_zeroed::<u32>(100_000)?;
                    for round in 1..=10 {
                        let before = 100 + round;
                        stream.fill(&mut y, before)?;
                        kernel.launch(&stream, LaunchConfig::threads(100_000), (&x, i % 2, &mut y))?;
                        // Whose panic it is that one hears of is up to timing.
                        match stream.synchronize() {
                            Ok(()) => {}
                            Err(Error::KernelPanic { thread: [159, 0, 0], group: [390, 0, 0], .. }) => {}
                            Err(other) => return Err(other),
                        }
                        let y = download_at_last(&stream, &y)?;
                        let is_right = |(at, y)| match y {
                            7 => i % 2 == 0 || at != 99_999,
                            // Where others of the launch panicked first.
                            left => i % 2 == 1 && left == before,
                        };
                        assert!(y.into_iter().enumerate().all(is_right), "launch {round} of thread {i}");
                    }
                    Ok(())
                })
            })
            .collect();
        launches.into_iter().try_for_each(|launch| launch.join().expect("a launch panicked"))
    })
}

#[test]
fn other_panics_go_where_they_went() {
    let _device = Device::cpu();
    let result = std::panic::catch_unwind(|| panic!("the host's own"));
    assert_eq!(result.unwrap_err().downcast_ref(), Some(&"the host's own"));
}
