//! Messages and groups.

use std::ptr;

use crate::functions::Handle;
use crate::ranks::{Rank, ranks};

const INT32: i32 = 2;
const SUM: i32 = 0;

/// A group of calls.
fn group(rank: &Rank, calls: impl FnOnce() -> Vec<i32>) {
    // SAFETY: the calls have no arguments.
    assert_eq!(unsafe { (rank.nccl.group_start)() }, 0);
    assert!(calls().iter().all(|&status| status == 0), "{}", rank.nccl.said());
    // SAFETY: the calls have no arguments.
    assert_eq!(unsafe { (rank.nccl.group_end)() }, 0, "{}", rank.nccl.said());
}

#[test]
fn a_ring_in_a_group_progresses() {
    ranks("groups::a_ring_in_a_group_progresses", 3, &[], |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        // More than a socket holds.
        let count = 1 << 18;
        let (input, output) = (rank.gpu.upload(&vec![rank.rank as i32; count]), rank.gpu.alloc(4 * count));
        let (next, previous) = ((rank.rank + 1) % 3, (rank.rank + 2) % 3);
        for _ in 0..3 {
            // SAFETY: memory of the device's with so many elements.
            group(&rank, || unsafe {
                vec![
                    (rank.nccl.send)(input, count, INT32, next as i32, communicator, stream),
                    (rank.nccl.receive)(output, count, INT32, previous as i32, communicator, stream),
                ]
            });
            assert_eq!(rank.gpu.read::<i32>(output, count, stream), vec![previous as i32; count]);
        }
        rank.end(communicator);
    });
}

#[test]
fn messages_of_two_ranks_keep_their_order() {
    ranks("groups::messages_of_two_ranks_keep_their_order", 2, &[], |rank| {
        let (communicator, stream) = (rank.communicator(), rank.gpu.stream());
        let memory: Vec<_> =
            (0..4).map(|number| rank.gpu.upload(&[number + 10 * rank.rank as i32])).collect();
        for &address in &memory {
            // SAFETY: memory of the device's with so many elements.
            let status = unsafe {
                if rank.rank == 0 {
                    (rank.nccl.send)(address, 1, INT32, 1, communicator, stream)
                } else {
                    (rank.nccl.receive)(address, 1, INT32, 0, communicator, stream)
                }
            };
            assert_eq!(status, 0, "{}", rank.nccl.said());
        }
        let read: Vec<_> =
            memory.iter().flat_map(|&address| rank.gpu.read::<i32>(address, 1, stream)).collect();
        assert_eq!(read, [0, 1, 2, 3]);
        rank.end(communicator);
    });
}

#[test]
fn a_group_has_calls_of_all_kinds_on_several_streams() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "2000")];
    ranks("groups::a_group_has_calls_of_all_kinds_on_several_streams", 2, &delays, |rank| {
        let communicator = rank.communicator();
        let streams = [rank.gpu.stream(), rank.gpu.stream(), ptr::null_mut()];
        let memory: Vec<_> = streams.iter().map(|_| rank.gpu.alloc(400)).collect();
        let [other, own] = [1 - rank.rank as i32, rank.rank as i32];
        for (&address, &stream) in memory.iter().zip(&streams) {
            rank.gpu.write(address, &[own + 1; 100], stream);
        }
        let got = rank.gpu.alloc(400);
        // SAFETY: memory of the device's with so many elements; groups in groups are one.
        group(&rank, || unsafe {
            vec![
                (rank.nccl.all_reduce)(memory[0], memory[0], 100, INT32, SUM, communicator, streams[0]),
                (rank.nccl.group_start)(),
                (rank.nccl.receive)(got, 100, INT32, other, communicator, streams[1]),
                (rank.nccl.send)(memory[1], 100, INT32, other, communicator, streams[1]),
                (rank.nccl.group_end)(),
                (rank.nccl.broadcast)(memory[2], memory[2], 100, INT32, 1, communicator, streams[2]),
            ]
        });
        assert_eq!(rank.gpu.read::<i32>(memory[0], 100, streams[0]), [3; 100]);
        assert_eq!(rank.gpu.read::<i32>(got, 100, streams[1]), [other + 1; 100]);
        assert_eq!(rank.gpu.read::<i32>(memory[2], 100, streams[2]), [2; 100]);
        rank.end(communicator);
    });
}

#[test]
fn a_process_can_have_several_ranks() {
    ranks("groups::a_process_can_have_several_ranks", 1, &[], |rank| {
        let id = rank.nccl.new_id();
        let mut communicators = [ptr::null_mut(); 3];
        group(&rank, || {
            let start = |(device, communicator): (i32, &mut Handle)| {
                rank.gpu.choose(device);
                // SAFETY: an address for a handle.
                unsafe { (rank.nccl.init_rank)(communicator, 3, id, device) }
            };
            (0..).zip(&mut communicators).map(start).collect()
        });
        let mut calls = Vec::new();
        for (device, &communicator) in (0..).zip(&communicators) {
            rank.gpu.choose(device);
            calls.push((device, communicator, rank.gpu.upload(&[device + 1; 10]), rank.gpu.stream()));
        }
        let reduce = |&(_, communicator, memory, stream)| {
            // SAFETY: memory of the device's with so many elements.
            unsafe { (rank.nccl.all_reduce)(memory, memory, 10, INT32, SUM, communicator, stream) }
        };
        group(&rank, || calls.iter().map(reduce).collect());
        for (device, communicator, memory, stream) in calls {
            rank.gpu.choose(device);
            assert_eq!(rank.gpu.read::<i32>(memory, 10, stream), [6; 10]);
            let mut of = -1;
            // SAFETY: an address for a number.
            assert_eq!(unsafe { (rank.nccl.device)(communicator, &mut of) }, 0);
            assert_eq!(of, device);
            rank.end(communicator);
        }
    });
}
