//! Functions of the program on a CPU device's memory, and what can go wrong with them.

#![allow(clippy::unwrap_used)]

use gridwright::Error;
use gridwright::prelude::*;

type Result<T = ()> = std::result::Result<T, Error>;

#[test]
fn slices_are_the_buffers_elements_in_the_streams_order() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut x = stream.alloc_zeroed(4)?;
    let mut y = stream.upload(&[9_u32; 6])?;
    stream.fill(&mut x, 3_u32)?;
    stream.on_cpu((&x, y.slice_mut(1..5)?), |workers, (x, y)| {
        let sums: Vec<_> = x.iter().zip(&*y).map(|(x, y)| x + y).collect();
        let seen = std::sync::Mutex::new(Vec::new());
        workers.run(sums.len(), |task| seen.lock().unwrap().push(task));
        assert_eq!(seen.into_inner().unwrap().len(), 4);
        y.copy_from_slice(&sums);
    })?;
    assert_eq!(stream.download(&y)?, [9, 12, 12, 12, 12, 9]);
    stream.on_cpu((), |_, ()| ())?;
    stream.on_cpu(&mut stream.alloc_zeroed::<u8>(0)?, |_, none| assert!(none.is_empty()))?;
    stream.synchronize()
}

#[test]
fn a_graph_calls_it_in_each_replay_and_keeps_the_memory() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut count = stream.upload(&[0_u32])?;
    let graph = {
        let mut own = stream.upload(&[5_u32])?;
        stream.capture(|stream| {
            stream.on_cpu((&mut own, &mut count), |_, (own, count)| {
                own[0] += 1;
                count[0] += own[0];
            })
        })?
    };
    assert_eq!(stream.download(&count)?, [0]);
    graph.launch(&stream)?;
    graph.launch(&stream)?;
    assert_eq!(stream.download(&count)?, [6 + 7]);
    Ok(())
}

#[test]
fn a_panic_is_an_error_of_the_next_call_that_waits() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut x = stream.upload(&[1_u32])?;
    stream.on_cpu(&mut x, |workers, x| {
        x[0] = 2;
        workers.run(8, |task| assert!(task != 3, "task three"));
    })?;
    let error = stream.download(&x).unwrap_err();
    assert!(matches!(&error, Error::HostPanic { message, .. } if message == "task three"), "{error}");
    assert_eq!(stream.download(&x)?, [2]);
    Ok(())
}

#[test]
fn a_value_comes_back_behind_the_streams_work_or_the_panic_instead() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut x = stream.upload(&[1_u32, 2])?;
    let factor = 3;
    stream.fill(&mut x.slice_mut(1..)?, 5)?;
    let sum = stream.value_on_cpu(&x, |_, x| factor * x.iter().sum::<u32>())?;
    assert_eq!(sum, 18);
    let error = stream.value_on_cpu(&mut x, |_, x| assert!(x[1] != 5, "five")).unwrap_err();
    assert!(matches!(&error, Error::HostPanic { message, others: 0 } if message == "five"), "{error}");
    stream.synchronize()?;
    // Panics from before come first, and then the function isn't called.
    stream.on_cpu((), |_, ()| panic!("before"))?;
    let error = stream.value_on_cpu((), |_, ()| unreachable!()).unwrap_err();
    assert!(matches!(&error, Error::HostPanic { message, .. } if message == "before"), "{error}");
    assert_eq!(stream.value_on_cpu((), |_, ()| 7)?, 7);
    Ok(())
}

#[test]
fn a_value_is_not_for_graphs_and_its_function_cannot_use_the_device() -> Result {
    let stream = Device::cpu()?.stream()?;
    let captured = stream.capture(|stream| stream.value_on_cpu((), |_, ()| ()));
    assert!(matches!(captured.unwrap_err(), Error::CaptureBroken { call: "value_on_cpu" }));
    let refused = stream.value_on_cpu((), |_, ()| stream.synchronize())?;
    assert!(matches!(refused, Err(Error::InHostFunction { .. })));
    Ok(())
}

#[test]
fn a_value_waits_for_replays_of_graphs_that_have_its_memory() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut x = stream.upload(&[0_u64; 1000])?;
    let graph = stream.capture(|stream| stream.on_cpu(&mut x, |_, x| x.iter_mut().for_each(|x| *x += 1)))?;
    let replays = std::thread::spawn({
        let stream = stream.clone();
        move || (0..200).try_for_each(|_| graph.launch(&stream))
    });
    for _ in 0..200 {
        assert!(stream.value_on_cpu(&x, |_, x| x.iter().all(|one| *one == x[0]))?);
    }
    replays.join().unwrap()?;
    assert_eq!(stream.value_on_cpu(&x, |_, x| x[999])?, 200);
    Ok(())
}

#[test]
fn it_cannot_use_the_device() -> Result {
    let stream = Device::cpu()?.stream()?;
    let (inner, mut x) = (stream.clone(), stream.upload(&[0_u32])?);
    stream.on_cpu(&mut x, move |_, x| {
        x[0] = u32::from(matches!(inner.alloc_zeroed::<u32>(1), Err(Error::InHostFunction { .. })));
    })?;
    assert_eq!(stream.download(&x)?, [1]);
    Ok(())
}

#[test]
fn memory_of_another_opening_of_the_cpu_is_refused() -> Result {
    let (stream, other) = (Device::cpu()?.stream()?, Device::cpu()?.stream()?);
    let x = stream.upload(&[1_u32])?;
    let error = other.on_cpu(&x, |_, _| ()).unwrap_err();
    assert!(matches!(error, Error::ForeignBuffer { .. }), "{error}");
    Ok(())
}

#[test]
fn parts_of_several_types_lie_apart_and_end_where_the_memory_does() -> Result {
    let stream = Device::cpu()?.stream()?;
    let mut memory = stream.alloc_zeroed::<u64>(24)?;
    let mut parts = memory.typed_parts();
    let (mut a, mut b, c) = (parts.take::<u8>(3)?, parts.take::<[u16; 3]>(10)?, parts.take::<u64>(0)?);
    let error = parts.take::<u32>(17).unwrap_err();
    assert!(matches!(error, Error::OutOfRange { len: 64, .. }), "{error}");
    assert_eq!(parts.take::<u32>(16)?.len(), 16);
    stream.fill(&mut a, 1)?;
    stream.fill(&mut b, [2, 3, 4])?;
    assert!(c.is_empty());
    assert_eq!(stream.download(&a)?, [1; 3]);
    assert_eq!(stream.download(&b)?, [[2, 3, 4]; 10]);
    assert!(parts.take::<u8>(usize::MAX).is_err());
    Ok(())
}

/// Turns elements of twelve bytes around, by groups of several elements each.
#[gpu_kernel(requires = x.len() == y.len())]
fn reverse(g: &Group, x: &[[u32; 3]], mut y: PerThread<[[u32; 3]]>) {
    // SAFETY: no two threads have one index.
    let y = unsafe { y.anywhere() };
    g.each(x.elements_from(g.origin().x), |t, x| {
        if let Some(x) = x {
            y.set(t, y.len() - 1 - t.index(), *x);
        }
    });
}

#[gpu_kernel]
fn beyond(t: Thread, mut y: PerThread<[u32]>) {
    // SAFETY: no two threads have one index.
    let y = unsafe { y.anywhere() };
    y.set(t, t.index() + 1, 7);
}

#[test]
fn elements_are_written_where_the_kernel_says_and_nowhere_beyond() -> Result {
    let device = Device::cpu()?;
    let stream = device.stream()?;
    for len in [1, 100, 100_000] {
        let x: Vec<[u32; 3]> = (0..len).map(|i| [i, i % 7, 1]).collect();
        let (input, mut y) = (stream.upload(&x)?, stream.alloc_zeroed::<[u32; 3]>(x.len())?);
        reverse::load(&device)?.launch(&stream, LaunchConfig::threads(x.len()), (&input, &mut y))?;
        assert!(stream.download(&y)?.iter().eq(x.iter().rev()));
    }
    let mut y = stream.alloc_zeroed(2)?;
    beyond::load(&device)?.launch(&stream, LaunchConfig::threads(2), (&mut y,))?;
    let error = stream.synchronize().unwrap_err();
    assert!(error.to_string().contains("index 2 of 2 elements"), "{error}");
    Ok(())
}

/// The library that has it has other code for the CPU.
#[gpu_kernel(block = 64, cpu = off)]
fn for_gpus(t: Thread, mut x: PerThread<[u32]>) {
    if let Some(x) = x.get_mut(t) {
        *x += 1;
    }
}

#[test]
fn a_kernel_without_code_for_the_cpu_is_refused() -> Result {
    let error = for_gpus::load(&Device::cpu()?).unwrap_err();
    assert!(matches!(&error, Error::ImageMissing { kernel, .. } if *kernel == "for_gpus"), "{error}");
    assert!(error.to_string().contains("`cpu = off`"), "{error}");
    Ok(())
}
