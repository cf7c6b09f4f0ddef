//! What an assembler refuses of a kernel by its size.
//!
//! The numbers are those of ptxas 12.0 to 13.5, whose messages give them, and of the CUDA C++ Programming Guide's table of technical
//! specifications.

use super::Entry;

/// The first version of PTX that has the larger space for parameters, and what each version has in bytes.
const LARGE_PARAMETERS: (u32, u32) = (8, 1);
const MOST_PARAMETER_BYTES: [usize; 2] = [4352, 32_764];
/// Bytes of workgroup memory that PTX may declare: a launch can be given more.
const MOST_SHARED_BYTES: u32 = 48 << 10;
/// A thread's local memory on every processor, in bytes.
const MOST_LOCAL_BYTES: u32 = 512 << 10;

/// What a kernel has too much of, in words.
pub(super) fn exceeded(entry: &Entry, version: (u32, u32)) -> Option<String> {
    let most_parameter_bytes = MOST_PARAMETER_BYTES[usize::from(version >= LARGE_PARAMETERS)];
    let sizes = [
        ("parameter space", entry.parameter_bytes(), most_parameter_bytes),
        ("workgroup memory", entry.shared_bytes as usize, MOST_SHARED_BYTES as usize),
        ("local memory", entry.local_bytes as usize, MOST_LOCAL_BYTES as usize),
    ];
    let (what, bytes, most) = sizes.into_iter().find(|(_, bytes, most)| bytes > most)?;
    Some(format!("`{}` uses {bytes} bytes of {what}, and has {most} at most", entry.name))
}
