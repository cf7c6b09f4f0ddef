//! Runs a kernel of rows on the device, and compares its answers with the host's.

use std::fmt::Debug;
use std::hint::black_box;

use gridwright::prelude::*;
use gridwright::{Buffer, Error};

use crate::answer::Words;
use crate::inputs::Inputs;

/// The variable that says how many triples there are.
const COUNT: &str = "GRIDWRIGHT_TEST_NUMBERS_INPUTS";

/// Triples of a launch, where there are very many.
const CHUNK: usize = 1 << 14;

/// Wrong answers of a row that are shown.
const SHOWN: usize = 3;

/// Launches a kernel on inputs.
type Launch<Raw, const WORDS: usize> =
    fn(&Device, &Stream, LaunchConfig, &Buffer<[Raw; 3]>, &mut Buffer<[u64; WORDS]>) -> Result<(), Error>;

/// The device to test.
pub(crate) fn device() -> Result<Device, Error> {
    match std::env::var_os("GRIDWRIGHT_DEVICE") {
        None => Device::cpu(),
        Some(_) => Device::from_env(),
    }
}

/// Runs all rows of a kernel.
///
/// # Panics
/// Where the device's answers aren't the host's.
pub(crate) fn compare<T: Inputs + Debug, const WORDS: usize>(
    names: &[&str],
    host: fn(usize, [T; 3]) -> Words,
    launch: Launch<T::Raw, WORDS>,
) -> Result<(), Error> {
    let device = device()?;
    let stream = device.stream()?;
    let asked = std::env::var(COUNT);
    let count = asked.map_or(4096, |count| count.parse().expect("a number of inputs"));
    let all = T::triples(count);
    let mut wrong = vec![(0_usize, Vec::new()); names.len()];
    for inputs in all.chunks(CHUNK) {
        let raw: Vec<[T::Raw; 3]> = inputs.iter().map(|triple| triple.map(T::raw)).collect();
        let threads = names.len() * inputs.len();
        let (raw, mut answers) = (stream.upload(&raw)?, stream.alloc_zeroed::<[u64; WORDS]>(threads)?);
        launch(&device, &stream, LaunchConfig::threads(threads), &raw, &mut answers)?;
        let answers = stream.download(&answers)?;
        for (row, (answers, (number, shown))) in answers.chunks(inputs.len()).zip(&mut wrong).enumerate() {
            for (&triple, answer) in inputs.iter().zip(answers) {
                let right = black_box(host)(black_box(row), black_box(triple));
                if answer[..] != right[..WORDS] {
                    *number += 1;
                    if shown.len() < SHOWN {
                        let [a, b, c] = triple;
                        shown.push(format!(
                            "    of {a:?}, {b:?}, {c:?}: {answer:x?}, right is {:x?}",
                            &right[..WORDS]
                        ));
                    }
                }
            }
        }
    }
    let faults: Vec<String> = (names.iter().zip(&wrong))
        .filter(|(_, (number, _))| *number > 0)
        .map(|(name, (number, shown))| {
            format!("  {name}: {number} of {} wrong\n{}", all.len(), shown.join("\n"))
        })
        .collect();
    println!("{} rows of {} inputs", names.len(), all.len());
    assert!(
        faults.is_empty(),
        "of {} on {}:\n{}",
        std::any::type_name::<T>(),
        device.name(),
        faults.join("\n")
    );
    Ok(())
}
