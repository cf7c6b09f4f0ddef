//! What the library and communicators say of themselves, and how they end.

use std::ffi::CStr;
use std::ptr;
use std::time::{Duration, Instant};

use crate::ranks::{EARLY, ranks};

const INT32: i32 = 2;
const SUM: i32 = 0;
const SYSTEM: i32 = 2;
const INVALID_ARGUMENT: i32 = 4;
const REMOTE: i32 = 6;

#[test]
fn the_library_and_a_communicator_say_what_they_are() {
    ranks("lifetime::the_library_and_a_communicator_say_what_they_are", 2, &[], |rank| {
        let (mut version, mut size, mut own, mut device) = (0, 0, -1, -1);
        let communicator = rank.communicator();
        // SAFETY: addresses for numbers.
        let statuses = unsafe {
            [
                (rank.nccl.version)(&mut version),
                (rank.nccl.count)(communicator, &mut size),
                (rank.nccl.user_rank)(communicator, &mut own),
                (rank.nccl.device)(communicator, &mut device),
            ]
        };
        assert_eq!(statuses, [0; 4]);
        assert!((21_400..30_000).contains(&version));
        assert_eq!((size, own as usize, device as usize), (2, rank.rank, rank.rank));
        assert_eq!(rank.nccl.later_error(communicator), 0);
        // SAFETY: texts of the library's that end with a zero.
        let text = |code| unsafe { CStr::from_ptr((rank.nccl.error_string)(code)) }.to_string_lossy();
        assert_eq!((text(0).as_ref(), text(99).as_ref()), ("no error", "unknown result code"));
        assert_eq!(text(INVALID_ARGUMENT), "invalid argument (run with NCCL_DEBUG=WARN for details)");
        rank.end(communicator);
        // SAFETY: a handle that is gone is recognised.
        assert_eq!(unsafe { (rank.nccl.destroy)(communicator) }, INVALID_ARGUMENT);
        // SAFETY: no communicator is none to end.
        let ended = unsafe { ((rank.nccl.destroy)(ptr::null_mut()), (rank.nccl.abort)(ptr::null_mut())) };
        assert_eq!(ended, (0, 0));
    });
}

#[test]
fn an_end_waits_for_what_was_begun() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "5000")];
    ranks("lifetime::an_end_waits_for_what_was_begun", 2, &delays, |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        let memory = rank.gpu.upload(&[1_i32; 8]);
        for _ in 0..5 {
            // SAFETY: memory of the device's with so many elements.
            let status =
                unsafe { (rank.nccl.all_reduce)(memory, memory, 8, INT32, SUM, communicator, stream) };
            assert_eq!(status, 0, "{}", rank.nccl.said());
        }
        rank.end(communicator);
        assert_eq!(rank.gpu.read::<i32>(memory, 8, stream), [32; 8]);
    });
}

#[test]
fn a_rank_that_does_not_come_is_an_error_in_time() {
    let patience = [("GRIDWRIGHT_EMULATOR_NCCL_PATIENCE_MS", "700")];
    ranks("lifetime::a_rank_that_does_not_come_is_an_error_in_time", 3, &patience, |rank| {
        if rank.rank == 1 {
            return;
        }
        let started = Instant::now();
        let (status, communicator) = rank.start();
        assert_eq!((status, communicator), (SYSTEM, ptr::null_mut()));
        assert!(rank.nccl.said().contains("didn't come: 1"), "{}", rank.nccl.said());
        assert!(started.elapsed() < Duration::from_secs(10));
    });
}

#[test]
fn a_rank_that_calls_nothing_is_an_error_in_time() {
    let patience = [("GRIDWRIGHT_EMULATOR_NCCL_PATIENCE_MS", "700")];
    ranks("lifetime::a_rank_that_calls_nothing_is_an_error_in_time", 2, &patience, |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        if rank.rank == 1 {
            std::thread::sleep(Duration::from_millis(2500));
            return;
        }
        let memory = rank.gpu.upload(&[1_i32; 8]);
        // SAFETY: memory of the device's with so many elements.
        let call = || unsafe { (rank.nccl.all_reduce)(memory, memory, 8, INT32, SUM, communicator, stream) };
        assert_eq!((call(), rank.nccl.later_error(communicator)), (0, 0));
        rank.gpu.synchronize(stream);
        assert_eq!(rank.nccl.later_error(communicator), SYSTEM);
        assert!(rank.nccl.said().contains("for rank 1"), "{}", rank.nccl.said());
        // What is left there is no result, and the communicator is of no more use.
        assert_eq!(rank.gpu.read::<i32>(memory, 8, stream), [-1; 8]);
        assert_eq!(call(), SYSTEM);
    });
}

#[test]
fn a_rank_that_dies_is_an_error_at_once() {
    ranks("lifetime::a_rank_that_dies_is_an_error_at_once", 3, &[], |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        if rank.rank == 2 {
            std::process::exit(EARLY);
        }
        let (memory, started) = (rank.gpu.upload(&[1_i32; 8]), Instant::now());
        // SAFETY: memory of the device's with so many elements.
        let status = unsafe { (rank.nccl.all_reduce)(memory, memory, 8, INT32, SUM, communicator, stream) };
        assert_eq!(status, 0, "{}", rank.nccl.said());
        rank.gpu.synchronize(stream);
        assert_eq!(rank.nccl.later_error(communicator), REMOTE);
        assert!(started.elapsed() < Duration::from_secs(10));
        // SAFETY: the handle is used no more.
        assert_eq!(unsafe { (rank.nccl.abort)(communicator) }, 0);
    });
}

#[test]
fn an_abort_ends_what_waits() {
    ranks("lifetime::an_abort_ends_what_waits", 2, &[], |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        let (memory, started) = (rank.gpu.upload(&[1_i32; 8]), Instant::now());
        if rank.rank == 0 {
            // SAFETY: memory of the device's with so many elements; the other rank calls nothing.
            let status =
                unsafe { (rank.nccl.all_reduce)(memory, memory, 8, INT32, SUM, communicator, stream) };
            assert_eq!(status, 0, "{}", rank.nccl.said());
            std::thread::sleep(Duration::from_millis(300));
        }
        // SAFETY: the handle is used no more.
        assert_eq!(unsafe { (rank.nccl.abort)(communicator) }, 0);
        rank.gpu.synchronize(stream);
        assert!(started.elapsed() < Duration::from_secs(10));
    });
}
