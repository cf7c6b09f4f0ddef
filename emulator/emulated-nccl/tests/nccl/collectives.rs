//! Each collective call, on three ranks.

use crate::functions::Handle;
use crate::ranks::{Rank, ranks};

const INT32: i32 = 2;
const UINT64: i32 = 5;
const FLOAT32: i32 = 7;
const FLOAT64: i32 = 8;

const SUM: i32 = 0;
const PRODUCT: i32 = 1;
const MAXIMUM: i32 = 2;
const MINIMUM: i32 = 3;
const AVERAGE: i32 = 4;

/// Elements of a rank.
fn values(rank: usize, count: usize) -> Vec<i32> {
    (0..count).map(|index| (rank as i32 + 2) * (index as i32 - 5)).collect()
}

/// All ranks' elements, reduced.
fn reduced(size: usize, count: usize, operator: fn(i32, i32) -> i32) -> Vec<i32> {
    let rows: Vec<_> = (0..size).map(|rank| values(rank, count)).collect();
    (0..count).map(|index| rows.iter().map(|row| row[index]).reduce(operator).unwrap_or(0)).collect()
}

/// A communicator with a stream.
fn begun(rank: &Rank) -> (Handle, Handle) {
    (rank.communicator(), rank.gpu.stream())
}

#[test]
fn all_reduce_gives_each_rank_the_result_in_place_too() {
    ranks("collectives::all_reduce_gives_each_rank_the_result_in_place_too", 3, &[], |rank| {
        let (communicator, stream) = begun(&rank);
        let own = values(rank.rank, 1000);
        let references: [fn(i32, i32) -> i32; 4] = [i32::wrapping_add, i32::wrapping_mul, i32::max, i32::min];
        for (operator, reference) in [SUM, PRODUCT, MAXIMUM, MINIMUM].into_iter().zip(references) {
            let (input, output) = (rank.gpu.upload(&own), rank.gpu.alloc(4000));
            for output in [output, input] {
                // SAFETY: memory of the device's with so many elements.
                let status = unsafe {
                    (rank.nccl.all_reduce)(input, output, 1000, INT32, operator, communicator, stream)
                };
                assert_eq!(status, 0, "{}", rank.nccl.said());
                assert_eq!(rank.gpu.read::<i32>(output, 1000, stream), reduced(3, 1000, reference));
            }
        }
        rank.end(communicator);
    });
}

#[test]
fn averages_and_wide_types_are_reduced() {
    ranks("collectives::averages_and_wide_types_are_reduced", 3, &[], |rank| {
        let (communicator, stream) = begun(&rank);
        let number = rank.rank as u64 + 1;
        let wide = rank.gpu.upload(&[number << 40, number]);
        let floats = rank.gpu.upload(&[number as f32 * 0.5, -(number as f32)]);
        let doubles = rank.gpu.upload(&[number as f64 * 0.25]);
        // SAFETY: memory of the device's with so many elements.
        let statuses = unsafe {
            [
                (rank.nccl.all_reduce)(wide, wide, 2, UINT64, SUM, communicator, stream),
                (rank.nccl.all_reduce)(floats, floats, 2, FLOAT32, AVERAGE, communicator, stream),
                (rank.nccl.all_reduce)(doubles, doubles, 1, FLOAT64, PRODUCT, communicator, stream),
            ]
        };
        assert_eq!(statuses, [0; 3], "{}", rank.nccl.said());
        assert_eq!(rank.gpu.read::<u64>(wide, 2, stream), [6 << 40, 6]);
        assert_eq!(rank.gpu.read::<f32>(floats, 2, stream), [1.0, -2.0]);
        assert_eq!(rank.gpu.read::<f64>(doubles, 1, stream), [6.0 / 64.0]);
        rank.end(communicator);
    });
}

#[test]
fn reduce_and_broadcast_know_their_root() {
    ranks("collectives::reduce_and_broadcast_know_their_root", 3, &[], |rank| {
        let (communicator, stream) = begun(&rank);
        for root in 0..3 {
            let own = values(rank.rank, 77);
            let (input, output) = (rank.gpu.upload(&own), rank.gpu.upload(&[-1; 77]));
            // SAFETY: memory of the device's with so many elements; the others need no output.
            let status = unsafe {
                let output = if rank.rank == root { output } else { 0 };
                (rank.nccl.reduce)(input, output, 77, INT32, SUM, root as i32, communicator, stream)
            };
            assert_eq!(status, 0, "{}", rank.nccl.said());
            let expected = if rank.rank == root { reduced(3, 77, i32::wrapping_add) } else { vec![-1; 77] };
            assert_eq!(rank.gpu.read::<i32>(output, 77, stream), expected);
            // SAFETY: memory of the device's with so many elements; the others need no input.
            let status = unsafe {
                let input = if rank.rank == root { input } else { 0 };
                (rank.nccl.broadcast)(input, output, 77, INT32, root as i32, communicator, stream)
            };
            assert_eq!(status, 0, "{}", rank.nccl.said());
            assert_eq!(rank.gpu.read::<i32>(output, 77, stream), values(root, 77));
        }
        rank.end(communicator);
    });
}

#[test]
fn all_gather_and_reduce_scatter_have_parts_by_rank() {
    ranks("collectives::all_gather_and_reduce_scatter_have_parts_by_rank", 3, &[], |rank| {
        let (communicator, stream) = begun(&rank);
        let (input, output) = (rank.gpu.upload(&values(rank.rank, 50)), rank.gpu.alloc(600));
        let (all, part) = (rank.gpu.upload(&values(rank.rank, 150)), rank.gpu.alloc(200));
        // SAFETY: memory of the device's with so many elements.
        let statuses = unsafe {
            [
                (rank.nccl.all_gather)(input, output, 50, INT32, communicator, stream),
                (rank.nccl.reduce_scatter)(all, part, 50, INT32, SUM, communicator, stream),
            ]
        };
        assert_eq!(statuses, [0; 2], "{}", rank.nccl.said());
        let gathered: Vec<_> = (0..3).flat_map(|rank| values(rank, 50)).collect();
        assert_eq!(rank.gpu.read::<i32>(output, 150, stream), gathered);
        let whole = reduced(3, 150, i32::wrapping_add);
        let own = &whole[rank.rank * 50..][..50];
        assert_eq!(rank.gpu.read::<i32>(part, 50, stream), own);
        rank.end(communicator);
    });
}

#[test]
fn a_call_is_in_the_order_of_its_stream() {
    let delays = [("GRIDWRIGHT_EMULATOR_DELAY_US", "3000")];
    ranks("collectives::a_call_is_in_the_order_of_its_stream", 2, &delays, |rank| {
        let (communicator, stream) = begun(&rank);
        let memory = rank.gpu.upload(&[0_i32; 256]);
        for round in 0..20_i32 {
            // Nothing waits: the call has to come after the copy before it, and before the one behind it.
            rank.gpu.write(memory, &[round + rank.rank as i32; 256], stream);
            // SAFETY: memory of the device's with so many elements.
            let status =
                unsafe { (rank.nccl.all_reduce)(memory, memory, 256, INT32, SUM, communicator, stream) };
            assert_eq!(status, 0, "{}", rank.nccl.said());
            assert_eq!(rank.gpu.read::<i32>(memory, 256, stream), [2 * round + 1; 256]);
        }
        rank.end(communicator);
    });
}

#[test]
fn one_rank_copies() {
    ranks("collectives::one_rank_copies", 1, &[], |rank| {
        let (communicator, stream) = begun(&rank);
        let (input, output) = (rank.gpu.upload(&values(0, 9)), rank.gpu.alloc(36));
        // SAFETY: memory of the device's with so many elements.
        let status =
            unsafe { (rank.nccl.all_reduce)(input, output, 9, INT32, AVERAGE, communicator, stream) };
        assert_eq!(status, 0, "{}", rank.nccl.said());
        assert_eq!(rank.gpu.read::<i32>(output, 9, stream), values(0, 9));
        rank.end(communicator);
    });
}
