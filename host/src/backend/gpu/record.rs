//! What threads left to be told: the first panic, how many others there were, and printed lines.
//!
//! A thread finds the [`Record`] through a variable of its image, which is set when the image has been loaded. It counts in
//! the device's memory, and writes what is to be read into memory of the host: where nothing was left, looking costs two
//! loads. Texts are addresses in the image.

use std::collections::HashMap;
use std::mem::offset_of;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};

use gridwright_core::{Argument, Line, PanicPlace, PanicRecord, PanicText, Record, write_line};

use super::message;
use crate::Error;
use crate::backend::Printed;

/// The bytes before the lines in the memory of the host.
const HEAD: usize = size_of::<PanicRecord>().next_multiple_of(64);

/// The most texts of images that are kept.
const MOST_TEXTS: usize = 1024;

/// How the host reaches the device that threads run on.
pub(in crate::backend::gpu) trait Link {
    /// Copies from the device's memory, and waits for that.
    fn read(&self, from: u64, to: &mut [u8]) -> Result<(), Error>;

    /// Copies constants of an image.
    fn read_image(&self, from: u64, to: &mut [u8]) -> Result<(), Error> {
        self.read(from, to)
    }

    /// Copies to the device's memory, and waits for that.
    fn write(&self, to: u64, from: &[u8]) -> Result<(), Error>;

    /// Waits for what runs. Nothing is launched until [`resume`](Self::resume), which is called also after an error.
    fn pause(&mut self) -> Result<(), Error>;

    fn resume(&mut self);
}

/// The memory that threads and the host share.
#[derive(Debug)]
pub(in crate::backend::gpu) struct Shared {
    /// The address of the [`Record`], in the device's memory.
    record: u64,
    /// The host's memory: a [`PanicRecord`], and behind it the lines.
    host: *mut u8,
    /// The words of the lines, and how many of them were read.
    room: usize,
    read: usize,
    /// The counts that were told.
    panics: u32,
    dropped: u64,
    texts: HashMap<[u64; 2], Arc<str>>,
    /// What images know of messages; an image may be loaded again.
    known: Vec<&'static [PanicText]>,
}

// SAFETY: the host's memory may be used by any thread, by the promise of `new`, and methods that change it take it
// exclusively.
unsafe impl Send for Shared {}

impl Shared {
    /// The bytes of a [`Record`] in the device's memory.
    pub(in crate::backend::gpu) const RECORD: usize = size_of::<Record>();

    /// The bytes of the host's memory that go with so many bytes of lines.
    pub(in crate::backend::gpu) const fn host_bytes(room: usize) -> usize {
        HEAD + room / size_of::<u64>() * size_of::<u64>()
    }

    /// The bytes of a new [`Record`], with the address that the device knows the host's memory by.
    pub(in crate::backend::gpu) fn new_record(host: u64, room: usize) -> [u8; Self::RECORD] {
        let mut record = [0; Self::RECORD];
        let fields = [
            (offset_of!(Record, room), (room / size_of::<u64>()) as u64),
            (offset_of!(Record, highest_bit), PanicPlace::MOST.next_power_of_two() / 2),
            (offset_of!(Record, panic), host),
            (offset_of!(Record, lines), host + HEAD as u64),
        ];
        for (offset, value) in fields {
            record[offset..offset + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        }
        record
    }

    /// The host's side of a [`Record`] at an address of the device, for so many bytes of lines.
    ///
    /// # Safety
    /// - `host` is aligned to 64, has [`host_bytes`](Self::host_bytes), was zeroed before the first launch, and stays until this
    ///   value is dropped; any thread may use it.
    /// - Besides this value only threads of the device write there, as `gridwright-device` does.
    pub(in crate::backend::gpu) unsafe fn new(record: u64, host: *mut u8, room: usize) -> Self {
        let room = room / size_of::<u64>();
        Self { record, host, room, read: 0, panics: 0, dropped: 0, texts: HashMap::new(), known: Vec::new() }
    }

    /// The address of the [`Record`].
    pub(in crate::backend::gpu) fn record(&self) -> u64 {
        self.record
    }

    /// The memory that [`new`](Self::new) was given.
    pub(in crate::backend::gpu) fn host(&self) -> *mut u8 {
        self.host
    }

    /// Has the texts of an image's panics for their messages. Each kernel has a copy of its own of them.
    pub(in crate::backend::gpu) fn know(&mut self, panics: &'static [PanicText]) {
        if !panics.is_empty() && !self.known.contains(&panics) {
            self.known.push(panics);
        }
    }

    /// The values of the message of a panic at a place, as far as they are known.
    fn values(&self, file: &str, line: u32, column: u32) -> &'static [&'static str] {
        let is_there = |text: &&PanicText| (text.line, text.column, text.file) == (line, column, file);
        self.known.iter().flat_map(|texts| texts.iter()).find(is_there).map_or(&[], |text| text.values)
    }

    /// Panics so far, those that were told included.
    pub(in crate::backend::gpu) fn panics(&self, link: &impl Link) -> Result<u32, Error> {
        let mut count = [0; 4];
        link.read(self.record + offset_of!(Record, panics) as u64, &mut count)?;
        Ok(u32::from_le_bytes(count))
    }

    /// Whether a panic waits to be told.
    pub(in crate::backend::gpu) fn has_panic(&self) -> bool {
        self.flag(offset_of!(PanicRecord, is_written)).load(Relaxed) != 0
    }

    /// The first panic since the last call, of one of the kernels that `kernel` names.
    pub(in crate::backend::gpu) fn take_panic(
        &mut self,
        link: &impl Link,
        kernel: impl FnOnce() -> &'static str,
    ) -> Result<Option<Error>, Error> {
        let is_written = self.flag(offset_of!(PanicRecord, is_written));
        if is_written.load(Acquire) == 0 {
            return Ok(None);
        }
        // SAFETY: it is written, and no thread writes it again before it is taken back below.
        let panic = unsafe { (&raw const (*self.host.cast::<PanicRecord>()).panic).read() };
        is_written.store(0, Relaxed);
        // Who panics from here on describes it anew, or is counted here, or both.
        link.write(self.record + offset_of!(Record, is_taken) as u64, &[0; 4])?;
        let count = self.panics(link)?;
        let others = count.wrapping_sub(self.panics).saturating_sub(1).into();
        self.panics = count;
        let PanicPlace { line, column, group, thread, file, message, message_len } = panic;
        let file = self.text(link, file)?.to_string();
        let message = if message_len % 2 == 1 && message_len < PanicPlace::MOST {
            self.text(link, [message, message_len / 2])?.to_string()
        } else {
            let values = self.values(&file, line, column);
            let template = message::of_template(message, values, |address, bytes| {
                self::bytes(link, [address, bytes]).ok()
            });
            template.unwrap_or_else(|| "a message that couldn't be read".into())
        };
        let kernel = kernel();
        Ok(Some(Error::KernelPanic { kernel, message, file, line, column, group, thread, others }))
    }

    /// Adds the lines that were written since the last call.
    pub(in crate::backend::gpu) fn take_lines(
        &mut self,
        link: &mut impl Link,
        printed: &Printed,
    ) -> Result<(), Error> {
        let mut lines = self.written_lines();
        let is_overfull = self.flag(offset_of!(PanicRecord, is_overfull)).load(Relaxed) != 0;
        let mut dropped = self.dropped;
        if is_overfull || self.read > self.room / 2 {
            // What runs ends first: nobody has room that is given again.
            let given = link.pause().and_then(|()| self.give_room_again(link, &mut lines));
            link.resume();
            dropped = given?;
        }
        if lines.is_empty() && dropped == self.dropped {
            return Ok(());
        }
        let mut texts = Vec::with_capacity(lines.len());
        for words in lines {
            texts.push((words.len() * size_of::<u64>(), self.line(link, &words)?));
        }
        printed.add(texts, dropped.wrapping_sub(self.dropped));
        self.dropped = dropped;
        Ok(())
    }

    /// Takes the last lines, and then all room back. No thread runs. Gives the number of dropped lines so far.
    fn give_room_again(&mut self, link: &impl Link, lines: &mut Vec<Vec<u64>>) -> Result<u64, Error> {
        lines.append(&mut self.written_lines());
        let mut count = [0; 8];
        link.read(self.record + offset_of!(Record, dropped) as u64, &mut count)?;
        self.flag(offset_of!(PanicRecord, is_overfull)).store(0, Relaxed);
        // SAFETY: the memory has as many bytes behind its head.
        unsafe { self.host.add(HEAD).write_bytes(0, self.room * size_of::<u64>()) };
        self.read = 0;
        link.write(self.record + offset_of!(Record, used) as u64, &[0; 8])?;
        Ok(u64::from_le_bytes(count))
    }

    /// A line's text.
    fn line(&mut self, link: &impl Link, words: &[u64]) -> Result<String, Error> {
        let &[_, address, len, kinds, ref rest @ ..] = words else { return Ok(String::new()) };
        let format = self.text(link, [address, len])?;
        let mut texts = Vec::new();
        let (values, _) = rest.as_chunks::<{ Line::ARGUMENT }>();
        let kinds: Vec<u64> = (0..values.len()).map(|i| kinds >> (4 * i) & 15).collect();
        for (&kind, &words) in kinds.iter().zip(values) {
            let is_text = matches!(Argument::from_words(kind, words, |_| ""), Some(Argument::Str(_)));
            texts.push(if is_text { self.text(link, words)? } else { "".into() });
        }
        let arguments: Vec<Argument<'_>> = kinds
            .iter()
            .zip(values)
            .zip(&texts)
            .map(|((&kind, &words), text)| {
                Argument::from_words(kind, words, |_| text)
                    .unwrap_or(Argument::Char(char::REPLACEMENT_CHARACTER))
            })
            .collect();
        let mut line = String::new();
        // Writing to a string doesn't fail.
        let _ = write_line(&mut line, &format, &arguments);
        Ok(line)
    }

    /// A text of an image.
    fn text(&mut self, link: &impl Link, place: [u64; 2]) -> Result<Arc<str>, Error> {
        if let Some(text) = self.texts.get(&place) {
            return Ok(Arc::clone(text));
        }
        let text: Arc<str> = String::from_utf8_lossy(&bytes(link, place)?).into();
        if self.texts.len() >= MOST_TEXTS {
            self.texts.clear();
        }
        self.texts.insert(place, Arc::clone(&text));
        Ok(text)
    }

    /// A word of the [`PanicRecord`] that threads write atomically.
    fn flag(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: the memory begins with a `PanicRecord`, whose words these are.
        unsafe { AtomicU32::from_ptr(self.host.add(offset).cast()) }
    }

    /// The words of the lines that were written since the last time, up to the first that isn't written yet.
    fn written_lines(&mut self) -> Vec<Vec<u64>> {
        let mut lines = Vec::new();
        while self.read < self.room {
            // SAFETY: the memory has so many words.
            let first = unsafe { self.host.add(HEAD).cast::<u64>().add(self.read) };
            // SAFETY: threads write this word atomically.
            let count = unsafe { AtomicU64::from_ptr(first) }.load(Acquire) as usize;
            if !(Line::HEAD..=Line::words(Line::MOST_ARGUMENTS)).contains(&count)
                || count > self.room - self.read
            {
                break;
            }
            // SAFETY: the line is written.
            lines.push(unsafe { std::slice::from_raw_parts(first, count) }.to_vec());
            self.read += count;
        }
        lines
    }
}

/// Bytes of an image, up to a limit that no sensible text reaches.
fn bytes(link: &impl Link, [address, len]: [u64; 2]) -> Result<Vec<u8>, Error> {
    let mut bytes = vec![0; usize::try_from(len.min(message::MOST_BYTES)).unwrap_or(0)];
    if !bytes.is_empty() {
        link.read_image(address, &mut bytes)?;
    }
    Ok(bytes)
}
