use core::ptr::NonNull;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::{Relaxed, Release};

use gridwright_core::{Argument, Line};

use super::record::record;

/// Leaves a line for the host, if it reads them and there is room. Texts go by their address.
#[inline(always)]
pub(crate) fn print(format: &'static str, arguments: &[Argument<'static>]) {
    let words = Line::words(arguments.len());
    let Some(line) = reserve(words as u64) else {
        return;
    };
    let mut kinds = 0;
    // SAFETY: the line has as many words, and nobody else has them.
    unsafe {
        line.add(1).write(format.as_ptr().addr() as u64);
        line.add(2).write(format.len() as u64);
        for (i, argument) in arguments.iter().enumerate() {
            let (kind, [low, high]) = argument.to_words();
            kinds |= kind << (4 * i);
            let at = line.add(Line::words(i));
            at.write(low);
            at.add(1).write(high);
        }
        line.add(3).write(kinds);
        AtomicU64::from_ptr(line.as_ptr()).store(words as u64, Release);
    }
}

/// Room for a line of so many words.
#[cold]
#[inline(never)]
fn reserve(words: u64) -> Option<NonNull<u64>> {
    let record = record()?;
    let start = record.used.fetch_add(words, Relaxed);
    if start + words > record.room {
        record.dropped.fetch_add(1, Relaxed);
        // SAFETY: the host keeps it as long as the record.
        unsafe { (*record.panic).is_overfull.store(1, Relaxed) };
        return None;
    }
    // SAFETY: there are `room` words.
    NonNull::new(unsafe { record.lines.add(start as usize) })
}
