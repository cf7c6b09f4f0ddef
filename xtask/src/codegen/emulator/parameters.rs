//! Where the kernels of a code object find their arguments.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};

use super::case::{Argument, Case};

/// A parameter, as the notes of a code object have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Parameter {
    offset: usize,
    size: usize,
    /// What it is: a value, a buffer, or, hidden, of the launch.
    kind: String,
}

/// The parameters of each kernel, in the notes as `llvm-readobj` prints them.
pub(super) fn parameters(notes: &str) -> BTreeMap<String, Vec<Parameter>> {
    let mut found = BTreeMap::new();
    let mut of_kernel = Vec::new();
    let (mut offset, mut size) = (None, None);
    for line in notes.lines() {
        let Some((key, value)) = line.trim_start_matches([' ', '-']).split_once(':') else { continue };
        let value = value.trim();
        match key {
            ".offset" => offset = value.parse().ok(),
            ".size" => size = value.parse().ok(),
            ".value_kind" => {
                if let (Some(offset), Some(size)) = (offset.take(), size.take()) {
                    of_kernel.push(Parameter { offset, size, kind: value.to_owned() });
                }
            }
            // Behind the kernel's parameters.
            ".symbol" => {
                let name = value.strip_suffix(".kd").unwrap_or(value);
                found.insert(name.to_owned(), std::mem::take(&mut of_kernel));
            }
            _ => {}
        }
    }
    found
}

/// The bytes of arguments, and where in them the address of which buffer belongs.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Packed {
    pub(super) bytes: Vec<u8>,
    pub(super) pointers: Vec<(usize, usize)>,
}

/// Puts a launch's arguments where a kernel has its parameters.
pub(super) fn pack(parameters: &[Parameter], arguments: &[Argument], case: &Case) -> anyhow::Result<Packed> {
    let mut packed = Packed::default();
    let mut arguments = arguments.iter();
    for Parameter { offset, size, kind } in parameters {
        let place = *offset..offset + size;
        packed.bytes.resize(packed.bytes.len().max(place.end), 0);
        if let Some(hidden) = kind.strip_prefix("hidden_") {
            let value = of_launch(hidden, case).to_le_bytes();
            packed.bytes[place].iter_mut().zip(value).for_each(|(byte, value)| *byte = value);
            continue;
        }
        match arguments.next().context("fewer arguments than parameters")? {
            Argument::Buffer(number) => {
                ensure!(*size == 8, "a pointer for a parameter of {size} bytes");
                packed.pointers.push((*offset, *number));
            }
            Argument::Bytes(bytes) => {
                ensure!(bytes.len() == *size, "{} bytes for a parameter of {size}", bytes.len());
                packed.bytes[place].copy_from_slice(bytes);
            }
        }
    }
    ensure!(arguments.next().is_none(), "more arguments than parameters");
    Ok(packed)
}

/// A parameter that tells of the launch. All that aren't named here are zero: there is no incomplete group, and no origin.
fn of_launch(kind: &str, case: &Case) -> u64 {
    let along = |sizes: [u32; 3], axis: &str| {
        let sizes = ["x", "y", "z"].iter().zip(sizes);
        sizes.filter(|(name, _)| **name == axis).map(|(_, size)| u64::from(size)).sum()
    };
    match kind.rsplit_once('_') {
        Some(("block_count", axis)) => along(case.groups, axis),
        Some(("group_size", axis)) => along(case.threads, axis),
        Some(("grid", "dims")) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::case::{Argument, Case};
    use super::{pack, parameters};

    const NOTES: &str = "amdhsa.kernels:\n  - .args:\n      - .address_space:  global\n        .name:           x\n        \
        .offset:         0\n        .size:           8\n        .value_kind:     global_buffer\n      - \
        .offset:         8\n        .size:           4\n        .value_kind:     by_value\n      - \
        .offset:         16\n        .size:           4\n        .value_kind:     hidden_block_count_y\n      - \
        .offset:         20\n        .size:           2\n        .value_kind:     hidden_group_size_x\n    \
        .symbol:         first.kd\n  - .args:           []\n    .symbol:         second.kd\n";

    fn case() -> Case {
        Case { groups: [2, 3, 1], threads: [64, 1, 1], ..Case::default() }
    }

    #[test]
    fn arguments_come_where_the_notes_say() {
        let parameters = parameters(NOTES);
        assert!(parameters["second"].is_empty());
        let arguments = [Argument::Buffer(4), Argument::Bytes(vec![1, 2, 3, 4])];
        let packed = pack(&parameters["first"], &arguments, &case()).unwrap();
        assert_eq!(packed.pointers, [(0, 4)]);
        assert_eq!(packed.bytes, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 3, 0, 0, 0, 64, 0]);
    }

    #[test]
    fn arguments_that_do_not_fit_are_an_error() {
        let parameters = parameters(NOTES);
        let pack =
            |arguments: &[Argument]| pack(&parameters["first"], arguments, &case()).unwrap_err().to_string();
        assert!(pack(&[Argument::Buffer(0)]).contains("fewer"));
        assert!(pack(&[Argument::Buffer(0), Argument::Bytes(vec![0; 8])]).contains("8 bytes"));
        let word = Argument::Bytes(vec![0; 4]);
        assert!(pack(&[Argument::Buffer(0), word.clone(), word]).contains("more"));
    }
}
