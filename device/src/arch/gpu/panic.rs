//! Panics on a GPU: the first is described for the host, the others are counted, and each ends its thread.
//!
//! Nothing is formatted: a formatter recurses and calls through pointers. The host gets addresses of texts in the image.

use core::fmt::Arguments;
use core::mem::{MaybeUninit, transmute};
use core::panic::{Location, PanicInfo, PanicMessage};
use core::ptr;
use core::sync::atomic::Ordering::{Relaxed, Release};

use gridwright_core::PanicPlace;

use super::cluster::leave_cluster;
use super::record::record;
use crate::arch::hardware;

// Inlined, since a `PanicInfo` that is passed on by reference keeps alive what it refers to: the functions that would
// format the message.
#[panic_handler]
#[inline(always)]
fn panic(info: &PanicInfo<'_>) -> ! {
    let [text, values] = message(&info.message());
    // There always is one.
    describe(info.location().unwrap_or(Location::caller()), text, values)
}

/// The two pointers that a message is: to its text, with twice the length plus one; or to the template of its text, with
/// a pointer to the values.
///
/// This is how the compiler represents [`Arguments`], which has `as_str` for the first case. But that makes a number of
/// the pointer to the values, and then the compiler keeps them, and the functions that format them. Comparing the pointer
/// tells as much.
#[inline(always)]
fn message(message: &PanicMessage<'_>) -> [*const u8; 2] {
    const {
        assert!(size_of::<PanicMessage<'_>>() == size_of::<&Arguments<'_>>());
        // SAFETY: two words, and the transmutation is refused where the second has an address in it, not a number.
        let [_, len]: [MaybeUninit<usize>; 2] = unsafe { transmute(Arguments::from_str("abc")) };
        // SAFETY: the compiler runs it, and refuses a word that wasn't written.
        assert!(unsafe { len.assume_init() } == 2 * 3 + 1);
    }
    // SAFETY: a message is a reference to its arguments, which are two pointers: shown above.
    unsafe { **transmute::<&PanicMessage<'_>, &&[*const u8; 2]>(message) }
}

/// A pointer as a number, if it is at most [`PanicPlace::MOST`], whose highest bit is given; else that.
#[inline(always)]
fn number(pointer: *const u8, highest_bit: usize) -> usize {
    let mut number = ptr::without_provenance::<u8>(0);
    let mut bit = highest_bit;
    while bit > 0 {
        let more = number.wrapping_byte_add(bit);
        if pointer >= more {
            number = more;
        }
        bit /= 2;
    }
    number.addr()
}

/// Leaves a description for the host, if this is the first panic since it looked, and ends the thread.
#[cold]
#[inline(never)]
#[optimize(size)]
fn describe(location: &Location<'_>, text: *const u8, values: *const u8) -> ! {
    if let Some(record) = record() {
        record.panics.fetch_add(1, Relaxed);
        if record.is_taken.swap(1, Relaxed) == 0 {
            let of_host = record.panic;
            let file = location.file();
            let panic = PanicPlace {
                line: location.line(),
                column: location.column(),
                group: hardware::group_in_grid(),
                thread: hardware::thread_in_group(),
                file: [file.as_ptr().addr() as u64, file.len() as u64],
                message: text.addr() as u64,
                message_len: number(values, record.highest_bit as usize) as u64,
            };
            // SAFETY: the host made room for it, and reads it once it is written; only the thread that took it is here.
            unsafe {
                (&raw mut (*of_host).panic).write(panic);
                (*of_host).is_written.store(1, Release);
            }
        }
    }
    leave_cluster();
    hardware::end_thread()
}
