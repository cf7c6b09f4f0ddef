//! Slices of any lengths beside each other: what the CPU's loops state of one isn't stated of another, and no test is lost.

use gridwright::prelude::*;

/// Through a table: its length says nothing of the launch.
#[gpu_kernel]
fn through_table(t: Thread, table: &[u32], x: &[u32], mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        *y = table[x[i] as usize];
    }
}

/// A slice is read at the thread's place and at a place that was read.
#[gpu_kernel]
fn both_ways(t: Thread, table: &[u32], mut y: PerThread<[u32]>) {
    let i = t.index();
    if let Some(y) = y.get_mut(t) {
        let next = table[i] as usize;
        *y = table.get(next).copied().unwrap_or(7);
    }
}

/// A large element in place.
#[gpu_kernel]
fn in_place(t: Thread, mut y: PerThread<[[u32; 9]]>) {
    let i = t.index() as u32;
    if let Some(y) = y.get_mut(t) {
        *y = y.map(|y| 2 * y + i);
    }
}

/// Lengths around those that vectors and chunks have.
const LENGTHS: [usize; 7] = [1, 7, 64, 255, 1000, 16_385, 70_001];

#[test]
fn a_table_of_any_length_is_read_where_the_indices_say() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let kernel = through_table::load(&device)?;
    for len in LENGTHS {
        for entries in [1, 3, 256, 100_000] {
            let table: Vec<u32> = (0..entries as u32).map(|i| 3 * i + 1).collect();
            let x: Vec<u32> = (0..len).map(|i| (i * 7919 % entries) as u32).collect();
            // One thread more than elements to write, and one element more to read.
            let (mut y, config) = (vec![0; len], LaunchConfig::threads(len + 1));
            let longer = [x.as_slice(), &[0]].concat();
            kernel.run(&device, config, (&table, &longer, Out(&mut y)))?;
            assert!(y.iter().zip(&x).all(|(y, x)| *y == 3 * x + 1), "{len} by {entries}");
        }
    }
    Ok(())
}

#[test]
fn an_index_beyond_a_table_or_a_slice_is_a_panic() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let kernel = through_table::load(&device)?;
    for len in LENGTHS {
        let config = LaunchConfig::threads(len);
        let mut x = vec![0; len];
        x[len - 1] = 5;
        let beyond_table = kernel.run(&device, config, (&[1, 2, 3, 4, 5], &x, Out(&mut vec![0; len])));
        assert!(beyond_table.unwrap_err().to_string().contains("index is 5"), "{len}");
        let empty = kernel.run(&device, config, (&[], &x, Out(&mut vec![0; len])));
        assert!(empty.is_err(), "{len}");
        let short = kernel.run(&device, config, (&[1; 6], &x[..len - 1], Out(&mut vec![0; len])));
        assert!(short.unwrap_err().to_string().contains(&format!("index is {}", len - 1)), "{len}");
    }
    Ok(())
}

#[test]
fn a_slice_that_is_read_both_ways_keeps_its_tests() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let kernel = both_ways::load(&device)?;
    for len in LENGTHS {
        let table: Vec<u32> = (0..len as u32).map(|i| i * 31 % (len as u32 + 3)).collect();
        let expected: Vec<u32> =
            table.iter().map(|&next| table.get(next as usize).copied().unwrap_or(7)).collect();
        let mut y = vec![0; len];
        kernel.run(&device, LaunchConfig::threads(len), (&table, Out(&mut y)))?;
        assert_eq!(y, expected);
        let beyond =
            kernel.run(&device, LaunchConfig::threads(len + 1), (&table, Out(&mut vec![0; len + 1])));
        assert!(beyond.is_err(), "{len}");
    }
    Ok(())
}

#[test]
fn large_elements_are_changed_in_place() -> Result<(), gridwright::Error> {
    let device = Device::cpu()?;
    let kernel = in_place::load(&device)?;
    for len in LENGTHS {
        let mut y: Vec<[u32; 9]> = (0..len as u32).map(|i| [i; 9]).collect();
        kernel.run(&device, LaunchConfig::threads(len + 3), (InOut(&mut y),))?;
        assert!(y.iter().zip(0..).all(|(y, i)| *y == [3 * i; 9]), "{len}");
    }
    Ok(())
}
