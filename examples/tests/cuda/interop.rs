//! Buffers and streams that cudarc has too. Most tests run again in a process in which the emulated driver has each operation
//! take its time, so that what isn't waited for is seen; a GPU takes it anyway.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;
use std::thread;

use gridwright::interop::cudarc::driver::{
    CudaContext, CudaSlice, DevicePtr, DevicePtrMut, DeviceSlice, result,
};
use gridwright::prelude::*;
use gridwright::{Error, interop};

use super::kernels::{advance, advanced, mix, mixed};
use super::random::Random;
use super::setting::{child, device, is_child, nth};

type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

const LEN: usize = 500;

/// Whether a test is done: it ran in a process of its own, with delays. In that one it isn't.
fn ran_with_delays(test: &str) -> bool {
    if is_child() || device().is_none() {
        return !is_child();
    }
    child(&format!("interop::{test}"), &[("GRIDWRIGHT_EMULATOR_DELAY_US", "4000")]);
    true
}

#[test]
fn a_scope_waits_for_earlier_uses_and_later_uses_wait_for_it() -> Result {
    if ran_with_delays("a_scope_waits_for_earlier_uses_and_later_uses_wait_for_it") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (first, scoped, last) = (device.stream()?, device.stream()?, device.stream()?);
    let (advance, mix) = (advance::load(&device)?, mix::load(&device)?);
    let mut x = first.alloc_zeroed::<u32>(LEN)?;
    let mut y = first.alloc_zeroed::<u32>(LEN)?;
    let mut z = last.alloc_zeroed::<u32>(LEN)?;
    let mut expected = 0;
    for round in 1..=20 {
        advance.launch(&first, LaunchConfig::threads(LEN), (1, &mut x))?;
        interop::scope(&scoped, |scope| -> Result {
            // Both on a stream that has nothing else to do: it has to wait for `first`, and for `last`'s reading.
            let (x, mut y) = (scope.read(&x)?, scope.write(&mut y)?);
            Ok(scope.stream().memcpy_dtod(&x, &mut y)?)
        })?;
        // The next round writes what the scope reads.
        mix.launch(&last, LaunchConfig::threads(LEN), (0, &y, &y, &mut z))?;
        let value = advanced(round, 0);
        expected = mixed(0, value, value, expected);
    }
    assert_eq!(last.download(&z)?, [expected; LEN]);
    Ok(())
}

#[test]
fn in_a_scope_other_streams_are_in_order_too() -> Result {
    if ran_with_delays("in_a_scope_other_streams_are_in_order_too") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (before, scoped, after) = (device.stream()?, device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let theirs = interop::context(&device)?.new_stream()?;
    // Of a context that knows of one stream only.
    let alone = CudaContext::new(0)?;
    let elsewhere = [theirs, alone.default_stream(), alone.per_thread_stream()];
    let (mut x, mut y) = (before.alloc_zeroed::<u32>(LEN)?, before.alloc_zeroed::<u32>(LEN)?);
    for round in 0..12 {
        write_slowly(&before, &advance, &mut x)?;
        interop::scope(&scoped, |scope| -> Result {
            let (x, mut y) = (scope.read(&x)?, scope.write(&mut y)?);
            // A write elsewhere, one here, one elsewhere again.
            elsewhere[round % 3].memset_zeros(&mut y)?;
            scope.stream().memcpy_dtod(&x, &mut y)?;
            let half = elsewhere[(round + 1) % 3].clone_dtoh(&y)?;
            assert_eq!(half, [advanced(10, 0); LEN]);
            elsewhere[(round + 1) % 3].memset_zeros(&mut y)?;
            // As a library does: one address, several pieces of work.
            let last = &elsewhere[(round + 2) % 3];
            let (address, _use) = y.device_ptr_mut(last);
            for value in 0..10 {
                // SAFETY: as many bytes are lent, on this stream.
                unsafe { result::memset_d8_async(address, value, 4 * LEN, last.cu_stream()) }?;
            }
            Ok(())
        })?;
        advance.launch(&after, LaunchConfig::threads(LEN), (2, &mut y))?;
        assert_eq!(before.download(&y)?, [advanced(2, 0x0909_0909); LEN], "round {round}");
    }
    Ok(())
}

/// Zeros, ten steps on, each a piece of work.
fn write_slowly(stream: &Stream, kernel: &Kernel<advance>, x: &mut Buffer<u32>) -> Result {
    stream.fill(x, 0)?;
    for _ in 0..10 {
        kernel.launch(stream, LaunchConfig::threads(LEN), (1, &mut *x))?;
    }
    Ok(())
}

#[test]
fn after_a_panic_in_a_scope_its_work_counts() -> Result {
    if ran_with_delays("after_a_panic_in_a_scope_its_work_counts") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (scoped, after) = (device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let mut x = after.upload(&[7_u32; LEN])?;
    for _ in 0..10 {
        let caught = catch_unwind(AssertUnwindSafe(|| {
            interop::scope(&scoped, |scope| -> Result {
                let mut x = scope.write(&mut x)?;
                scope.stream().memset_zeros(&mut x)?;
                panic!("on purpose");
            })
        }));
        assert!(caught.is_err());
        advance.launch(&after, LaunchConfig::threads(LEN), (1, &mut x))?;
    }
    assert_eq!(after.download(&x)?, [advanced(1, 0); LEN]);
    Ok(())
}

#[test]
fn parts_that_others_use_meanwhile_are_waited_for() -> Result {
    if ran_with_delays("parts_that_others_use_meanwhile_are_waited_for") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (scoped, other, after) = (device.stream()?, device.stream()?, device.stream()?);
    let (advance, mix) = (advance::load(&device)?, mix::load(&device)?);
    for _ in 0..10 {
        let mut x = after.alloc_zeroed::<u32>(2 * LEN)?;
        let (mut low, mut high) = x.split_at_mut(LEN)?;
        interop::scope(&scoped, |scope| -> Result {
            let mut low = scope.write(&mut low)?;
            // Twenty pieces of work on the other half, while this one is lent.
            for _ in 0..20 {
                advance.launch(&other, LaunchConfig::threads(LEN), (1, &mut high))?;
            }
            Ok(scope.stream().memcpy_htod(&[9_u32; LEN], &mut low)?)
        })?;
        let mut y = after.alloc_zeroed::<u32>(2 * LEN)?;
        mix.launch(&after, LaunchConfig::threads(2 * LEN), (0, &x, &x, &mut y))?;
        let y = after.download(&y)?;
        let high = advanced(20, 0);
        assert_eq!(y[..LEN], [mixed(0, 9, 9, 0); LEN]);
        assert_eq!(y[LEN..], [mixed(0, high, high, 0); LEN]);
    }
    Ok(())
}

#[test]
fn a_buffer_goes_to_cudarc_and_back_behind_its_uses() -> Result {
    if ran_with_delays("a_buffer_goes_to_cudarc_and_back_behind_its_uses") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (before, taking, after) = (device.stream()?, device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let theirs = interop::context(&device)?.new_stream()?;
    let mut x = before.alloc_zeroed::<u32>(LEN)?;
    for round in 0..12 {
        write_slowly(&before, &advance, &mut x)?;
        let address = address(&x, &before)?;
        let mut slice: CudaSlice<u32> = interop::into_cudarc(x, &taking)?;
        assert_eq!((slice.len(), slice.device_ptr(&theirs).0), (LEN, address), "not a copy");
        // On another stream than the slice's, and back; the last use on either.
        let copy = theirs.clone_dtoh(&slice)?;
        assert_eq!(copy, [advanced(10, 0); LEN], "round {round}");
        theirs.memset_zeros(&mut slice)?;
        if round % 2 == 0 {
            slice.stream().clone().memcpy_htod(&[5; LEN], &mut slice)?;
            theirs.memset_zeros(&mut slice)?;
        }
        x = interop::from_cudarc(slice, &after)?;
        // On a third stream, behind what cudarc did.
        advance.launch(&before, LaunchConfig::threads(LEN), (4, &mut x))?;
        assert_eq!(taking.download(&x)?, [advanced(4, 0); LEN], "round {round}");
    }
    Ok(())
}

#[test]
fn a_slice_of_cudarcs_own_becomes_a_buffer() -> Result {
    if ran_with_delays("a_slice_of_cudarcs_own_becomes_a_buffer") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let advance = advance::load(&device)?;
    let context = interop::context(&device)?;
    for theirs in [context.new_stream()?, context.default_stream(), interop::cudarc_stream(&stream)?] {
        for _ in 0..10 {
            let slice = theirs.clone_htod(&[3_u32; LEN])?;
            let mut x = interop::from_cudarc(slice, &stream)?;
            advance.launch(&stream, LaunchConfig::threads(LEN), (2, &mut x))?;
            assert_eq!(stream.download(&x)?, [advanced(2, 3); LEN]);
        }
    }
    stream.synchronize()?;
    Ok(())
}

#[test]
fn what_is_dropped_with_work_on_it_is_freed_behind_that() -> Result {
    if ran_with_delays("what_is_dropped_with_work_on_it_is_freed_behind_that") {
        return Ok(());
    }
    for seed in 0..20 {
        let mut random = Random::new(seed);
        let Some(device) = device() else { return Ok(()) };
        let (stream, other) = (device.stream()?, device.stream()?);
        let kernel = advance::load(&device)?;
        let context = interop::context(&device)?;
        let (own, lent) = (context.new_stream()?, interop::cudarc_stream(&other)?);
        let mut x = stream.alloc_zeroed::<u32>(LEN)?;
        kernel.launch(&stream, LaunchConfig::threads(LEN), (5, &mut x))?;
        let mut slice = interop::into_cudarc(x, &other)?;
        own.memset_zeros(&mut slice)?;
        let mut y = interop::from_cudarc(own.clone_htod(&[1_u32; LEN])?, &other)?;
        kernel.launch(&stream, LaunchConfig::threads(LEN), (5, &mut y))?;
        let foreign = interop::stream_from_cudarc(&device, &own)?;
        kernel.launch(&foreign, LaunchConfig::threads(LEN), (5, &mut y))?;
        let mut parts: Vec<Box<dyn std::any::Any>> = vec![
            Box::new(device),
            Box::new(stream),
            Box::new(other),
            Box::new(kernel),
            Box::new(foreign),
            Box::new(slice),
            Box::new(y),
            Box::new(own),
            Box::new(lent),
            Box::new(context.clone()),
        ];
        while !parts.is_empty() {
            drop(parts.swap_remove(random.below(parts.len())));
        }
        // Nothing that was freed too early, or twice.
        context.synchronize()?;
        context.check_err()?;
    }
    Ok(())
}

#[test]
fn cudarcs_types_outlive_the_device() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let (stream, other) = (device.stream()?, device.stream()?);
    let (first, second) = (interop::cudarc_stream(&stream)?, interop::cudarc_stream(&other)?);
    assert!(first.context().is_managing_stream_synchronization(), "or cudarc doesn't order its streams");
    let mut slice = interop::into_cudarc(stream.upload(&[4_u32; LEN])?, &stream)?;
    drop((stream, other, device));
    assert!(first.context().is_managing_stream_synchronization(), "also afterwards");
    assert_eq!(second.clone_dtoh(&slice)?, [4; LEN]);
    second.memset_zeros(&mut slice)?;
    assert_eq!(first.clone_dtoh(&slice)?, [0; LEN]);
    drop(slice);
    first.synchronize()?;
    second.synchronize()?;
    Ok(first.context().check_err()?)
}

#[test]
fn a_lent_stream_is_opened_again_only_when_it_was_given_back() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let lent = interop::cudarc_stream(&stream)?;
    let raw = interop::raw_stream(&stream)?;
    assert_eq!(lent.cu_stream(), raw);
    assert_eq!(interop::cudarc_stream(&stream)?, lent);
    stream.synchronize()?;
    drop(stream);
    let next = device.stream()?;
    assert_ne!(interop::raw_stream(&next)?, raw, "somebody has it");
    drop(lent);
    let after = device.stream()?;
    assert_eq!(interop::raw_stream(&after)?, raw);
    Ok(())
}

#[test]
fn a_stream_of_somebody_elses_is_in_order_and_may_go_when_ours_is_closed() -> Result {
    if ran_with_delays("a_stream_of_somebody_elses_is_in_order_and_may_go_when_ours_is_closed") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let (before, after) = (device.stream()?, device.stream()?);
    let advance = advance::load(&device)?;
    let context = interop::context(&device)?;
    let mut unused = Vec::new();
    for round in 0..12 {
        let theirs = context.new_stream()?;
        let foreign = if round % 2 == 0 {
            interop::stream_from_cudarc(&device, &theirs)?
        } else {
            // SAFETY: of the device's context, and destroyed below, after it is closed.
            unsafe { interop::stream_from_raw(&device, theirs.cu_stream()) }?
        };
        assert_eq!(interop::raw_stream(&foreign)?, theirs.cu_stream());
        let mut x = before.alloc_zeroed::<u32>(LEN)?;
        advance.launch(&before, LaunchConfig::threads(LEN), (1, &mut x))?;
        advance.launch(&foreign, LaunchConfig::threads(LEN), (1, &mut x))?;
        // It has work, its uses are waited for, and there is no such stream any more.
        drop(foreign);
        drop(theirs);
        advance.launch(&after, LaunchConfig::threads(LEN), (1, &mut x))?;
        if round % 3 == 0 {
            assert_eq!(before.download(&x)?, [advanced(3, 0); LEN], "round {round}");
        }
        // A buffer that no other stream has met.
        let theirs = context.new_stream()?;
        // SAFETY: of the device's context, and destroyed below, after it is closed.
        let foreign = unsafe { interop::stream_from_raw(&device, theirs.cu_stream()) }?;
        let mut z = foreign.alloc_zeroed::<u32>(LEN)?;
        advance.launch(&foreign, LaunchConfig::threads(LEN), (1, &mut z))?;
        drop(foreign);
        drop(theirs);
        advance.launch(&after, LaunchConfig::threads(LEN), (1, &mut z))?;
        assert_eq!(before.download(&z)?, [advanced(2, 0); LEN], "round {round}");
        // Some go while the last use is on a stream that is gone, or was.
        let foreign = interop::stream_from_cudarc(&device, &context.new_stream()?)?;
        let mut y = foreign.alloc_zeroed::<u32>(LEN)?;
        advance.launch(&foreign, LaunchConfig::threads(LEN), (1, &mut y))?;
        drop(foreign);
        unused.push(y);
        if round % 4 == 3 {
            unused.clear();
        }
    }
    // SAFETY: the default stream stays.
    let default = unsafe { interop::stream_from_raw(&device, null_mut()) }?;
    let mut x = default.upload(&[1_u32; LEN])?;
    advance.launch(&default, LaunchConfig::threads(LEN), (1, &mut x))?;
    assert_eq!(after.download(&x)?, [advanced(1, 1); LEN]);
    after.synchronize()?;
    context.synchronize()?;
    Ok(context.check_err()?)
}

#[test]
fn a_stream_of_somebody_elses_is_never_opened_as_ours() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let theirs = interop::context(&device)?.new_stream()?;
    let foreign = interop::stream_from_cudarc(&device, &theirs)?;
    assert_eq!(interop::cudarc_stream(&foreign)?, theirs);
    foreign.synchronize()?;
    drop(foreign);
    for _ in 0..3 {
        assert_ne!(interop::raw_stream(&device.stream()?)?, theirs.cu_stream());
    }
    Ok(theirs.synchronize()?)
}

#[test]
fn scopes_of_many_threads_keep_their_order() -> Result {
    if ran_with_delays("scopes_of_many_threads_keep_their_order") {
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let shared = device.stream()?.upload(&[6_u32; LEN])?;
    let failed: Vec<String> = thread::scope(|threads| {
        let run = |seed| {
            let (device, shared) = (&device, &shared);
            move || -> std::result::Result<(), String> {
                rounds(device, shared, seed).map_err(|error| format!("thread {seed}: {error}"))
            }
        };
        let threads: Vec<_> = (1..=4).map(|seed| threads.spawn(run(seed))).collect();
        threads.into_iter().filter_map(|thread| thread.join().expect("no panic").err()).collect()
    });
    assert!(failed.is_empty(), "{failed:?}");
    Ok(())
}

/// Random uses of a buffer by us and cudarc, on random streams, one of them the thread's own of cudarc.
fn rounds(device: &Device, shared: &Buffer<u32>, seed: u64) -> Result {
    let mut random = Random::new(seed);
    let kernel = advance::load(device)?;
    let theirs = interop::context(device)?.new_stream()?;
    let streams = [device.stream()?, device.stream()?, interop::stream_from_cudarc(device, &theirs)?];
    let mut x = streams[0].alloc_zeroed::<u32>(LEN)?;
    let mut value = 0;
    for _ in 0..60 {
        let stream = &streams[random.below(streams.len())];
        match random.below(4) {
            0 => {
                kernel.launch(stream, LaunchConfig::threads(LEN), (2, &mut x))?;
                value = advanced(2, value);
            }
            1 => {
                interop::scope(stream, |scope| -> Result {
                    let (shared, mut x) = (scope.read(shared)?, scope.write(&mut x)?);
                    Ok(scope.stream().memcpy_dtod(&shared, &mut x)?)
                })?;
                value = 6;
            }
            2 => {
                let mut slice = interop::into_cudarc(x, stream)?;
                theirs.memset_zeros(&mut slice)?;
                x = interop::from_cudarc(slice, &streams[random.below(streams.len())])?;
                value = 0;
            }
            _ => assert_eq!(stream.download(&x)?, [value; LEN]),
        }
    }
    assert_eq!(streams[0].download(&x)?, [value; LEN]);
    Ok(())
}

#[test]
fn matrices_volumes_and_parts_are_lent_too() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut matrix = stream.upload_matrix(2, 3, &[1_u32, 2, 3, 4, 5, 6])?;
    let volume = stream.upload_volume(1, 2, 3, &[6_u32, 5, 4, 3, 2, 1])?;
    let buffer = stream.upload(&[7_u32, 8, 9])?;
    let nothing = stream.alloc_zeroed::<u32>(0)?;
    interop::scope(&stream, |scope| -> Result {
        let (volume, part) = (scope.read(&volume)?, scope.read(&buffer)?);
        assert_eq!((volume.len(), part.len(), scope.read(&nothing)?.len()), (6, 3, 0));
        let mut matrix = scope.write(&mut matrix)?;
        scope.stream().memcpy_dtod(&volume, &mut matrix)?;
        scope.stream().memcpy_dtod(&part, &mut matrix)?;
        Ok(())
    })?;
    assert_eq!(stream.download(&matrix)?, [7, 8, 9, 3, 2, 1]);
    let part = buffer.slice(1..)?;
    let copy = interop::scope(&stream, |scope| -> Result<Vec<[u8; 4]>> {
        // SAFETY: bytes, four of them.
        let bytes = unsafe { scope.read(&part)?.cast::<[u8; 4]>() }.ok_or("they fit")?;
        Ok(scope.stream().clone_dtoh(&bytes)?)
    })?;
    assert_eq!(copy, [[8, 0, 0, 0], [9, 0, 0, 0]]);
    interop::scope(&stream, |scope| -> Result {
        // SAFETY: numbers, of one size.
        let uneven = unsafe { scope.read(&buffer)?.cast::<u64>() };
        assert!(uneven.is_none(), "three of 32 bits are no whole number of 64");
        // SAFETY: a number has no padding, and any bytes are one.
        let misaligned = unsafe { scope.read(&part)?.cast::<u64>() };
        assert!(misaligned.is_none(), "the second of 32 bits");
        Ok(())
    })
}

fn is_refused<T>(result: std::result::Result<T, Error>, call: &str) {
    match result {
        Err(Error::Interop { call: refused, .. }) => assert_eq!(refused, call),
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("{call} isn't refused"),
    }
}

#[test]
fn devices_that_are_not_cudas_are_refused() -> Result {
    let cpu = Device::cpu()?;
    let stream = cpu.stream()?;
    is_refused(interop::context(&cpu), "interop::context");
    is_refused(interop::cudarc_stream(&stream), "interop::cudarc_stream");
    is_refused(interop::raw_stream(&stream), "interop::raw_stream");
    is_refused(interop::scope(&stream, |_| Ok::<(), Error>(())), "interop::scope");
    is_refused(interop::into_cudarc(stream.upload(&[1_u32])?, &stream), "interop::into_cudarc");
    // SAFETY: it is refused.
    is_refused(unsafe { interop::stream_from_raw(&cpu, null_mut()) }, "interop::stream_from_raw");
    let Some(device) = device() else { return Ok(()) };
    let slice = interop::cudarc_stream(&device.stream()?)?.clone_htod(&[1_u32])?;
    is_refused(interop::from_cudarc(slice, &stream), "interop::from_cudarc");
    Ok(())
}

#[test]
fn what_is_of_another_device_or_context_is_refused() -> Result {
    if device().is_none() {
        return Ok(());
    }
    if !is_child() {
        let two = [("GRIDWRIGHT_EMULATOR_DEVICES", "2")];
        child("interop::what_is_of_another_device_or_context_is_refused", &two);
        return Ok(());
    }
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let context = interop::context(&device)?;
    assert_eq!(interop::context(&device)?, context);
    assert_eq!(CudaContext::new(0)?, context, "cudarc's own is the same");
    // Opened twice, they don't mix, as with our own calls; the context is the same one.
    let again = nth(0).ok_or("there is one")?;
    let mut x = again.stream()?.alloc_zeroed::<u32>(LEN)?;
    let lent = interop::scope(&stream, |scope| scope.write(&mut x).map(|_| ()));
    assert!(matches!(lent, Err(Error::ForeignBuffer { .. })));
    assert!(matches!(interop::into_cudarc(x, &stream), Err(Error::ForeignBuffer { .. })));
    // An empty buffer has no memory.
    is_refused(interop::into_cudarc(stream.alloc_zeroed::<u32>(0)?, &stream), "interop::into_cudarc");
    // A context of its own.
    let other = CudaContext::new_non_primary(0, 0)?.default_stream();
    is_refused(interop::stream_from_cudarc(&device, &other), "interop::stream_from_cudarc");
    is_refused(interop::from_cudarc(other.clone_htod(&[1_u32])?, &stream), "interop::from_cudarc");
    // Another device.
    if nth(1).is_some() {
        let other = CudaContext::new(1)?.default_stream();
        is_refused(interop::stream_from_cudarc(&device, &other), "interop::stream_from_cudarc");
        is_refused(interop::from_cudarc(other.clone_htod(&[1_u32])?, &stream), "interop::from_cudarc");
    }
    // A stream that is another one for each thread.
    let thread = context.per_thread_stream();
    is_refused(interop::stream_from_cudarc(&device, &thread), "interop::stream_from_cudarc");
    // SAFETY: it is refused.
    let raw = unsafe { interop::stream_from_raw(&device, thread.cu_stream()) };
    is_refused(raw, "interop::stream_from_raw");
    // A slice that begins in the middle of an allocation.
    let slice = context.default_stream().clone_htod(&[1_u32; 8])?;
    let begin = slice.leak();
    // SAFETY: eight of 32 bits lie there; it is leaked, and freed below.
    let middle = unsafe { context.default_stream().upgrade_device_ptr::<u32>(begin + 4, 7) };
    is_refused(interop::from_cudarc(middle, &stream), "interop::from_cudarc");
    // It was dropped, which frees nothing: no allocation begins there.
    let _ = context.check_err();
    // SAFETY: leaked above.
    drop(unsafe { context.default_stream().upgrade_device_ptr::<u32>(begin, 8) });
    context.synchronize()?;
    Ok(context.check_err()?)
}

/// Where a buffer lies.
fn address(buffer: &Buffer<u32>, stream: &Stream) -> Result<u64> {
    interop::scope(stream, |scope| {
        let lent = scope.read(buffer)?;
        Ok(lent.device_ptr(scope.stream()).0)
    })
}

#[test]
fn what_a_graph_has_is_neither_lent_nor_given_away() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u32; 64])?;
    let graph = stream.capture(|stream| stream.fill(&mut x, 7))?;
    let lent = interop::scope(&stream, |scope| scope.write(&mut x).map(|_| ()));
    assert!(matches!(lent, Err(Error::Interop { .. })), "{lent:?}");
    let given = interop::into_cudarc(x, &stream).map(|_| ());
    assert!(matches!(given, Err(Error::Interop { .. })), "{given:?}");
    graph.launch(&stream)?;
    Ok(stream.synchronize()?)
}

#[test]
fn memory_that_the_host_reaches_is_not_lent() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.alloc_mapped::<u32>(64)?;
    let lent = interop::scope(&stream, |scope| scope.write(&mut x).map(|_| ()));
    assert!(matches!(lent, Err(Error::Interop { .. })), "{lent:?}");
    Ok(())
}

#[test]
fn a_capture_is_broken_by_lending() -> Result {
    let Some(device) = device() else { return Ok(()) };
    let stream = device.stream()?;
    let mut x = stream.upload(&[1_u32; 64])?;
    let captured = stream.capture(|stream| interop::scope(stream, |scope| scope.write(&mut x).map(|_| ())));
    assert!(matches!(captured, Err(Error::CaptureBroken { call: "interop::scope" })), "{captured:?}");
    assert_eq!(stream.download(&x)?, [1; 64]);
    Ok(())
}
