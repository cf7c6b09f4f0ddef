//! Mistakes, and what NCCL answers.

use std::ptr;

use crate::functions::UniqueId;
use crate::ranks::{Rank, ranks};

const INT32: i32 = 2;
const FLOAT8: i32 = 10;
const SUM: i32 = 0;
const INVALID_ARGUMENT: i32 = 4;
const INVALID_USAGE: i32 = 5;

#[track_caller]
fn refused(rank: &Rank, status: i32, code: i32, said: &str) {
    assert_eq!(status, code, "{}", rank.nccl.said());
    assert!(rank.nccl.said().contains(said), "{}", rank.nccl.said());
}

#[test]
fn arguments_that_mean_nothing_are_refused() {
    ranks("mistakes::arguments_that_mean_nothing_are_refused", 1, &[], |rank| {
        let (nccl, gpu) = (&rank.nccl, &rank.gpu);
        let (communicator, stream) = (rank.communicator(), gpu.stream());
        let memory = gpu.upload(&[1_i32; 8]);
        gpu.choose(1);
        let (other, other_stream) = (gpu.upload(&[1_i32; 8]), gpu.stream());
        gpu.choose(0);
        let all_reduce = |input, output, count, data_type, operator, communicator, stream| {
            // SAFETY: wrong addresses, types, operators and handles are recognised.
            let status =
                unsafe { (nccl.all_reduce)(input, output, count, data_type, operator, communicator, stream) };
            (status, nccl.said())
        };
        for (got, said) in [
            (all_reduce(memory, memory, 8, INT32, SUM, ptr::null_mut(), stream), "communicator is NULL"),
            (all_reduce(memory, memory, 8, INT32, SUM, stream, stream), "communicator doesn't exist"),
            (all_reduce(0, memory, 8, INT32, SUM, communicator, stream), "sendbuff 0x0 isn't memory"),
            (all_reduce(memory, 0, 8, INT32, SUM, communicator, stream), "recvbuff 0x0 isn't memory"),
            (
                all_reduce(memory, memory, 9, INT32, SUM, communicator, stream),
                "has 32 bytes, and the call is of 36",
            ),
            (all_reduce(memory, memory, usize::MAX / 2, INT32, SUM, communicator, stream), "too many"),
            (all_reduce(memory, other, 8, INT32, SUM, communicator, stream), "is on device 1"),
            (
                all_reduce(memory, memory, 8, INT32, SUM, communicator, other_stream),
                "stream is of another device",
            ),
            (all_reduce(memory, memory, 8, 12, SUM, communicator, stream), "no data type 12"),
            (all_reduce(memory, memory, 8, INT32, 5, communicator, stream), "no operator 5"),
            (all_reduce(memory, memory, 8, FLOAT8, SUM, communicator, stream), "doesn't reduce FP8"),
        ] {
            assert!(got.0 == INVALID_ARGUMENT && got.1.contains(said), "{got:?}, not {said}");
        }
        for root in [-1, 1] {
            // SAFETY: ranks that don't exist are recognised.
            let status = unsafe { (nccl.broadcast)(memory, memory, 8, INT32, root, communicator, stream) };
            refused(&rank, status, INVALID_ARGUMENT, "invalid root");
            // SAFETY: ranks that don't exist are recognised.
            let status = unsafe { (nccl.send)(memory, 8, INT32, root, communicator, stream) };
            refused(&rank, status, INVALID_ARGUMENT, "invalid peer");
        }
        // Nothing of it is of the communicator's.
        assert_eq!(nccl.later_error(communicator), 0);
        let (status, _) = all_reduce(memory, memory, 8, INT32, SUM, communicator, stream);
        assert_eq!(status, 0);
        rank.end(communicator);
    });
}

#[test]
fn a_communicator_needs_an_id_a_rank_and_an_address() {
    ranks("mistakes::a_communicator_needs_an_id_a_rank_and_an_address", 1, &[], |rank| {
        let mut communicator = ptr::dangling_mut();
        let id = rank.nccl.new_id();
        for (size, own) in [(0, 0), (-1, 0), (2, 2), (2, -1)] {
            // SAFETY: an address for a handle.
            let status = unsafe { (rank.nccl.init_rank)(&mut communicator, size, id, own) };
            refused(&rank, status, INVALID_ARGUMENT, "invalid rank requested");
            assert!(communicator.is_null());
        }
        // SAFETY: an address for a handle.
        let status = unsafe { (rank.nccl.init_rank)(&mut communicator, 1, UniqueId([7; 128]), 0) };
        refused(&rank, status, INVALID_ARGUMENT, "ncclGetUniqueId");
        // SAFETY: no address is recognised.
        let status = unsafe { (rank.nccl.init_rank)(ptr::null_mut(), 1, id, 0) };
        refused(&rank, status, INVALID_ARGUMENT, "NULL");
        // SAFETY: no address is recognised.
        let status = unsafe { (rank.nccl.unique_id)(ptr::null_mut()) };
        refused(&rank, status, INVALID_ARGUMENT, "NULL");
    });
}

#[test]
fn a_mistake_in_a_group_is_its_ends_too() {
    ranks("mistakes::a_mistake_in_a_group_is_its_ends_too", 1, &[], |rank| {
        let (nccl, stream, memory) = (&rank.nccl, rank.gpu.stream(), rank.gpu.upload(&[1_i32; 8]));
        let (communicator, output) = (rank.communicator(), rank.gpu.upload(&[2_i32; 8]));
        // SAFETY: the call has no arguments.
        refused(&rank, unsafe { (nccl.group_end)() }, INVALID_USAGE, "not in a group call");
        // SAFETY: memory of the device's with so many elements; a rank that doesn't exist is recognised.
        let statuses = unsafe {
            [
                (nccl.group_start)(),
                (nccl.all_reduce)(memory, output, 8, INT32, SUM, communicator, stream),
                (nccl.send)(memory, 8, INT32, 3, communicator, stream),
                (nccl.group_end)(),
            ]
        };
        assert_eq!(statuses, [0, 0, INVALID_ARGUMENT, INVALID_ARGUMENT]);
        // Nothing of the group is begun, and the next one isn't of it.
        assert_eq!(rank.gpu.read::<i32>(output, 8, stream), [2; 8]);
        // SAFETY: the calls have no arguments.
        assert_eq!(unsafe { ((nccl.group_start)(), (nccl.group_end)()) }, (0, 0));
        rank.end(communicator);
    });
}

#[test]
fn two_ranks_on_one_device_are_refused() {
    ranks("mistakes::two_ranks_on_one_device_are_refused", 2, &[], |rank| {
        rank.gpu.choose(0);
        let (status, communicator) = rank.start();
        refused(&rank, status, INVALID_USAGE, "Duplicate GPU detected : rank 0 and rank 1");
        assert!(communicator.is_null());
    });
}

#[test]
fn ranks_that_call_different_things_get_an_error() {
    ranks("mistakes::ranks_that_call_different_things_get_an_error", 2, &[], |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        let memory = rank.gpu.upload(&[1_i32; 8]);
        // SAFETY: memory of the device's with so many elements.
        let status = unsafe {
            (rank.nccl.all_reduce)(memory, memory, 7 + rank.rank, INT32, SUM, communicator, stream)
        };
        assert_eq!(status, 0, "{}", rank.nccl.said());
        rank.gpu.synchronize(stream);
        assert_eq!(rank.nccl.later_error(communicator), INVALID_USAGE);
        let said = rank.nccl.said();
        assert!(
            said.contains("AllReduce of 7 elements") && said.contains("AllReduce of 8 elements"),
            "{said}"
        );
        // SAFETY: the handle is used no more.
        assert_eq!(unsafe { (rank.nccl.abort)(communicator) }, 0);
    });
}
