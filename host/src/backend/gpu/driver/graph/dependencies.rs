//! Which operations of a graph come after which.

use std::collections::HashMap;
use std::sync::Arc;

use crate::submission::{Kind, MemoryId, Operation, Order};

/// The earlier operations that each operation comes directly after: those that use the same memory, where one
/// of the two writes, and those that it is told to. What follows from others is left out.
pub(super) fn of(operations: &[Arc<Operation>]) -> Vec<Vec<usize>> {
    let mut uses: HashMap<MemoryId, Uses> = HashMap::new();
    // The last operation that comes after all, and those since.
    let (mut last, mut since) = (None, Vec::new());
    let mut reduced = Reduced::default();
    for (number, operation) in operations.iter().enumerate() {
        let mut after = operation.after.clone();
        match operation.order {
            Order::Memory => {
                after.extend(last);
                for access in &operation.accesses {
                    uses.entry(access.memory).or_default().add(access.kind, number, &mut after);
                }
                since.push(number);
            }
            Order::All => {
                after.extend(last);
                after.append(&mut since);
                last = Some(number);
            }
            Order::Free => since.push(number),
        }
        // Of memory that it both reads and writes, it is its own reader.
        after.retain(|&before| before < number);
        reduced.push(after);
    }
    reduced.after
}

/// The last operation that wrote memory, and those that read it since.
#[derive(Default)]
struct Uses {
    writer: Option<usize>,
    readers: Vec<usize>,
}

impl Uses {
    fn add(&mut self, kind: Kind, number: usize, after: &mut Vec<usize>) {
        after.extend(self.writer);
        match kind {
            Kind::Read => self.readers.push(number),
            Kind::Write => {
                after.append(&mut self.readers);
                self.writer = Some(number);
            }
        }
    }
}

/// Edges without those that follow from others.
#[derive(Default)]
struct Reduced {
    after: Vec<Vec<usize>>,
    /// Bits for each operation: one for each operation that comes before it, directly or not.
    before: Vec<Vec<u64>>,
}

const BITS: usize = u64::BITS as usize;

fn has(bits: &[u64], number: usize) -> bool {
    bits.get(number / BITS).is_some_and(|word| word >> (number % BITS) & 1 == 1)
}

impl Reduced {
    fn push(&mut self, mut after: Vec<usize>) {
        after.sort_unstable();
        after.dedup();
        let mut before = vec![0; after.last().map_or(0, |last| last / BITS + 1)];
        let mut kept = Vec::new();
        // What comes before an operation has a lower number: whoever makes one superfluous is seen first.
        for &number in after.iter().rev() {
            if has(&before, number) {
                continue;
            }
            kept.push(number);
            for (all, word) in before.iter_mut().zip(self.before.get(number).into_iter().flatten()) {
                *all |= word;
            }
            if let Some(word) = before.get_mut(number / BITS) {
                *word |= 1 << (number % BITS);
            }
        }
        kept.reverse();
        self.after.push(kept);
        self.before.push(before);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::of;
    use crate::submission::{Access, Kind, MemoryId, Operation, Order, Task};

    fn operation(order: Order, reads: &[u64], writes: &[u64], after: &[usize]) -> Arc<Operation> {
        let access = |kind| move |&id: &u64| Access { memory: MemoryId(id), kind };
        let reads = reads.iter().map(access(Kind::Read));
        let accesses = reads.chain(writes.iter().map(access(Kind::Write))).collect();
        let operation =
            Operation { task: Task::Nothing, accesses, order, after: after.into(), _owners: Vec::new() };
        Arc::new(operation)
    }

    fn uses(reads: &[u64], writes: &[u64]) -> Arc<Operation> {
        operation(Order::Memory, reads, writes, &[])
    }

    #[test]
    fn readers_come_after_the_writer_and_a_writer_after_all() {
        let found =
            of(&[uses(&[], &[1]), uses(&[1], &[2]), uses(&[1], &[3]), uses(&[], &[1]), uses(&[], &[4])]);
        assert_eq!(found, [vec![], vec![0], vec![0], vec![1, 2], vec![]]);
    }

    #[test]
    fn an_operation_doesnt_come_after_itself() {
        assert_eq!(of(&[uses(&[1], &[1]), uses(&[1], &[1])]), [vec![], vec![0]]);
    }

    #[test]
    fn what_follows_from_others_is_left_out() {
        // The third reads what both wrote.
        assert_eq!(of(&[uses(&[], &[1]), uses(&[1], &[2]), uses(&[1, 2], &[3])])[2], [1]);
        // Over many words of bits, along a chain.
        let mut chain: Vec<_> = (0..200).map(|i| uses(&[i], &[i + 1])).collect();
        chain.push(operation(Order::Memory, &[200, 100, 3], &[], &[0, 64, 199]));
        assert_eq!(of(&chain)[200], [199]);
    }

    #[test]
    fn a_host_function_is_ordered_as_it_says() {
        let all = |after: &[usize]| operation(Order::All, &[], &[], after);
        let free = |after: &[usize]| operation(Order::Free, &[], &[], after);
        let found = of(&[
            uses(&[], &[1]),
            uses(&[], &[2]),
            free(&[0]),
            all(&[]),
            uses(&[], &[3]),
            free(&[]),
            all(&[]),
        ]);
        assert_eq!(found, [vec![], vec![], vec![0], vec![1, 2], vec![3], vec![], vec![4, 5]]);
    }

    /// Checks that each pair that conflicts is ordered, by edges or along them.
    #[test]
    fn no_conflict_is_missed() {
        let mut bits = 7_u32;
        let mut random = |n: u64| {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            u64::from(bits >> 16) % n
        };
        for _ in 0..50 {
            let operations: Vec<_> = (0..100)
                .map(|_| {
                    let (a, b, c) = (random(9), random(9), random(9));
                    if random(20) == 0 { operation(Order::All, &[], &[], &[]) } else { uses(&[a, b], &[c]) }
                })
                .collect();
            let after = of(&operations);
            let mut reaches: Vec<[bool; 100]> = Vec::new();
            for before in &after {
                let mut all = [false; 100];
                for &direct in before {
                    all[direct] = true;
                    all.iter_mut().zip(reaches[direct]).for_each(|(all, reached)| *all |= reached);
                }
                reaches.push(all);
            }
            for (number, later) in operations.iter().enumerate() {
                for (before, earlier) in operations.iter().enumerate().take(number) {
                    let conflicts = later.accesses.iter().any(|l| {
                        let same = earlier.accesses.iter().filter(|e| e.memory == l.memory);
                        same.into_iter().any(|e| e.kind == Kind::Write || l.kind == Kind::Write)
                    });
                    let is_all = [later.order, earlier.order].contains(&Order::All);
                    assert!(reaches[number][before] || !(conflicts || is_all), "{number}, {before}");
                }
            }
        }
    }
}
