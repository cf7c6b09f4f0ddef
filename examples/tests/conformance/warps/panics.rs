//! What goes wrong in a warp ends the launch with an error that says so.

#[host_only]
use gridwright::Error;
use gridwright::prelude::*;

#[host_only]
use crate::setting::{Result, is_cpu, open, says, threads_may_end, warp_size};

/// The message, the group and the thread of the panic that a kernel ends with.
#[host_only]
fn panic_of(stream: &Stream) -> (String, [u32; 3], [u32; 3]) {
    match stream.synchronize() {
        Err(Error::KernelPanic { message, group, thread, .. }) => (message, group, thread),
        other => panic!("no panic of a kernel: {other:?}"),
    }
}

/// Whether a thread is who panics on the CPU, one for its whole warp or group. On a GPU each thread of them does, and one of them is
/// told.
#[host_only]
fn is_of(device: &Device, thread: [u32; 3], on_cpu: [u32; 3], block: u32) -> Result<bool> {
    let ([x, y, z], first) = (thread, on_cpu[0]);
    // Alone in the middle of a warp.
    let is_alone = first % 32 != 0;
    if is_cpu(device) || is_alone {
        return Ok(thread == on_cpu);
    }
    let lanes = warp_size(device)? as u32;
    Ok(x < block && [y, z] == [0; 2] && (first == 0 || x / lanes == first / lanes))
}

macro_rules! panics {
    ($($name:ident $kernel:ident: $message:literal, $thread:expr, $block:literal, ($($memory:tt)*), |$g:ident| { $($body:tt)* };)*) => {$(
        #[gpu_kernel(block = $block)]
        fn $kernel($g: &Group, $($memory)*) {
            $($body)*
        }

        #[test]
        fn $name() -> Result {
            let (device, stream) = open()?;
            if !threads_may_end(&device) {
                return Ok(());
            }
            $kernel::load(&device)?.launch(&stream, LaunchConfig::grid(1, $block), ())?;
            let (message, group, thread) = panic_of(&stream);
            assert!(says(&device, &message, $message), "{message}");
            assert_eq!(group, [0; 3]);
            assert!(is_of(&device, thread, $thread, $block)?, "{thread:?}");
            stream.synchronize() // reported once
        }
    )*};
}

panics! {
    a_warp_without_a_part no_part: "workgroup memory of 12 elements was handed to 4 warps, 4 to each", [0; 3], 100,
    (mut m: Workgroup<[u32; 12]>), |g| {
        let too_long = 12 / (g.warps() - 1);
        g.each_warp(m.warp_chunks_mut(too_long), |_, _| ());
    };

    parts_of_nothing no_elements: "workgroup memory of 12 elements was handed to 1 warps, 0 to each", [0; 3], 10,
    (mut m: Workgroup<[u32; 12]>), |g| {
        g.each_warp(m.warp_chunks_mut(0), |_, _| ());
    };

    parts_beyond_what_can_be_counted too_many:
    "workgroup memory of 12 elements was handed to 3 warps, 18446744073709551615 to each", [0; 3], 96,
    (mut m: Workgroup<[u32; 12]>), |g| {
        g.each_warp(m.warp_chunks_mut(usize::MAX), |_, _| ());
    };

    a_part_of_fewer_slots_than_the_warp_has_threads short_part:
    "a view of 4 slots was handed to 32 threads; `.take(n)` lets only the first n take part", [32, 0, 0], 64,
    (mut m: Workgroup<[u32; 36]>), |g| {
        g.each_warp(m.warp_chunks_mut(32), |w, part| w.each(part.elements_mut(), |_, slot| *slot = 0));
    };

    a_write_beyond_the_part set_beyond: "index 1 of 1 elements in workgroup memory", [64, 0, 0], 96,
    (mut m: Workgroup<[u32; 12]>), |g| {
        let last = g.warps() - 1;
        g.each_warp(m.warp_chunks_mut(1), |w, mut part| w.set(&mut part, usize::from(w.index() == last), 0));
    };

    a_read_beyond_the_part read_beyond: "index 2 of 2 elements in workgroup memory", [0; 3], 96,
    (mut m: Workgroup<[u32; 12]>), |g| {
        g.each_warp(m.warp_chunks_mut(2), |w, part| assert_eq!(w.read(&part, 2), 0));
    };

    a_lane_that_is_not_there no_lane: "lane 4 of a warp of 4", [32, 0, 0], 36, (), |g| {
        let lanes_of_the_last = g.len() % g.warp_size();
        g.each_warp((), |w, ()| {
            let mine = w.private(0);
            w.broadcast(&mine, lanes_of_the_last);
        });
    };

    a_thread_of_a_warp in_thread: "here", [40, 0, 0], 64, (), |g| {
        g.each_warp((), |w, ()| w.each((), |t, ()| assert!(t.local().x != 40, "here")));
    };

    a_warp_itself in_warp: "here", [32, 0, 0], 64, (), |g| {
        let last = g.warps() - 1;
        g.each_warp((), |w, ()| assert!(w.index() != last, "here"));
    };
}
