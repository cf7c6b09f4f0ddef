//! What threads on a GPU leave for the host to read: the first panic, how many others there were, and printed lines.
//!
//! Device code knows all of it by one address, in the variable [`RECORD`] of its image, which the host sets when it has
//! loaded the image. Until then threads leave nothing.

use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

use crate::Heap;

/// The name of the variable of an image that has the address of its [`Record`]. It is zero until the host sets it.
pub const RECORD: &str = "__gridwright_record";

/// What threads count, and where they leave the rest, in the device's memory.
#[derive(Debug)]
#[repr(C)]
pub struct Record {
    /// Panics so far, those that nobody described included.
    pub panics: AtomicU32,
    /// Whether a thread has taken [`panic`](Self::panic) to describe its panic there. The host takes it back.
    pub is_taken: AtomicU32,
    /// Lines so far for which there was no room.
    pub dropped: AtomicU64,
    /// The words of [`lines`](Self::lines) that are given to lines, or more if there wasn't room for all. The host sets
    /// it back.
    pub used: AtomicU64,
    /// The words of [`lines`](Self::lines).
    pub room: u64,
    /// The highest bit of [`PanicPlace::MOST`]: from here, since a loop from a constant is unrolled.
    pub highest_bit: u64,
    /// The place where the first panic is described.
    pub panic: *mut PanicRecord,
    /// Printed lines, one after the other; zeros where there is none yet. See [`Line`](crate::Line).
    pub lines: *mut u64,
    /// The heap of kernels; null until an image is loaded whose kernels may allocate.
    pub heap: AtomicPtr<Heap>,
}

/// The first panic, in memory of the host that the device sees.
#[derive(Debug, Default)]
#[repr(C)]
pub struct PanicRecord {
    /// 1 once the panic is written.
    pub is_written: AtomicU32,
    /// 1 if a line was dropped.
    pub is_overfull: AtomicU32,
    /// The panic.
    pub panic: PanicPlace,
}

/// A panic, by whom and where.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct PanicPlace {
    /// The line in the source file.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The workgroup along x, y and z.
    pub group: [u32; 3],
    /// The thread in its workgroup along x, y and z.
    pub thread: [u32; 3],
    /// The address and the length of the file's name.
    pub file: [u64; 2],
    /// The address of the message, or of its template.
    pub message: u64,
    /// The message's length: of a message, twice its length and one, which is below [`MOST`](Self::MOST); of
    /// a template, that or an even number.
    pub message_len: u64,
}

impl PanicPlace {
    /// The number that says that a length was too large.
    pub const MOST: u64 = (1 << 16) - 1;
}
