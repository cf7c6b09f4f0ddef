//! What threads left to be told: the first panic, how many others there were, and printed lines.
//!
//! A thread finds the [`Record`] through a variable of its image, which is set when the image has been loaded. It counts in
//! the device's memory, and writes what is to be read into memory of the host: where nothing was left, looking costs two
//! loads. Texts are addresses in the image.

use std::collections::{BTreeSet, HashMap};
use std::ffi::{CString, c_void};
use std::mem::offset_of;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::atomic::{AtomicU32, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cudarc::driver::sys::{CUdeviceptr, CUmodule, CUstream};
use gridwright_core::{Argument, Line, PanicPlace, PanicRecord, RECORD, Record, write_line};

use super::errors::Status;
use super::{Cuda, message};
use crate::Error;

/// For all contexts of the process, and in the device's address space.
const PORTABLE_AND_MAPPED: u32 = 1 | 2;

/// The bytes before the lines in the memory of the host.
const HEAD: usize = size_of::<PanicRecord>().next_multiple_of(64);

/// The most texts of images that are kept.
const MOST_TEXTS: usize = 1024;

/// What a device's threads leave, once an image was loaded in which they can.
#[derive(Debug, Default)]
pub(super) struct Records(Mutex<Option<Shared>>);

/// The memory that threads and the host share.
#[derive(Debug)]
struct Shared {
    /// In the device's memory: a [`Record`].
    record: CUdeviceptr,
    /// In the host's: a [`PanicRecord`], and behind it the lines.
    host: *mut u8,
    /// The words of the lines, and how many of them were read.
    room: usize,
    read: usize,
    /// What was told of the counts.
    panics: u32,
    dropped: u64,
    /// For copies, which wait for no kernel.
    stream: CUstream,
    texts: HashMap<[u64; 2], Arc<str>>,
}

// SAFETY: memory of the driver may be used by any thread, and this is behind a lock.
unsafe impl Send for Shared {}

/// The kernels that may have left something, each once.
#[derive(Debug, Default)]
pub(super) struct Launched(Vec<&'static str>);

/// More are not told apart.
const MOST_LAUNCHED: usize = 8;

impl Launched {
    pub(super) fn add(&mut self, kernel: &'static str) {
        if self.0.last() != Some(&kernel) && self.0.len() < MOST_LAUNCHED && !self.0.contains(&kernel) {
            self.0.push(kernel);
        }
    }

    /// All that was launched is done and told.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The kernel, or those that it may be.
    fn name(&self) -> &'static str {
        match self.0.as_slice() {
            [] => "unknown",
            [kernel] => kernel,
            several => {
                let rest = if several.len() == MOST_LAUNCHED { " or another" } else { "" };
                interned(format!("{}{rest}", several.join(" or ")))
            }
        }
    }
}

/// A text for ever; each is kept once. There are as many as sets of kernels that ran side by side and panicked.
fn interned(text: String) -> &'static str {
    static TEXTS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = texts.get(text.as_str()) {
        return known;
    }
    let text = text.leak();
    texts.insert(text);
    text
}

impl Cuda {
    /// Tells the threads of an image where to leave things. Those of an image without the variable leave nothing.
    ///
    /// The context is current.
    pub(super) fn record_for(&self, module: CUmodule) -> Result<(), Error> {
        let (Some(find), Ok(name)) = (self.api().global, CString::new(RECORD)) else { return Ok(()) };
        let (mut address, mut bytes) = (0, 0);
        // SAFETY: the module is loaded; two numbers to write.
        let found = unsafe { find(&raw mut address, &raw mut bytes, module, name.as_ptr()) };
        if found != Status::SUCCESS || bytes != size_of::<u64>() {
            return Ok(());
        }
        let mut records = self.records();
        let shared = match &mut *records {
            Some(shared) => shared,
            none => none.insert(self.share()?),
        };
        let (stream, record) = (shared.stream, shared.record);
        self.copy_in(stream, address, &record.to_le_bytes())
    }

    /// Hands on what threads printed, and returns the first panic since the last call. It is called when something was
    /// waited for, without the lock of the state.
    pub(super) fn take_records(&self) -> Result<(), Error> {
        let mut records = self.records();
        let Some(shared) = &mut *records else { return Ok(()) };
        let lines = self.take_lines(shared);
        let panic = self.take_panic(shared);
        {
            // What is done has left what it had to leave, and nothing is launched meanwhile.
            let state = &mut *self.lock();
            if state.is_idle() && shared.flag(offset_of!(PanicRecord, is_written)).load(Relaxed) == 0 {
                state.launched.clear();
            }
        }
        drop(records);
        self.printed.hand_on();
        lines?;
        panic?.map_or(Ok(()), Err)
    }

    /// Frees the memory. The context is current, and no kernel runs.
    pub(super) fn free_records(&self) {
        if let Some(shared) = self.records().take() {
            // There is nobody to tell.
            // SAFETY: allocated in `share`.
            let _ = unsafe { (self.api().free)(shared.record) };
            // SAFETY: as above.
            let _ = unsafe { (self.api().free_host)(shared.host.cast()) };
        }
    }

    fn records(&self) -> MutexGuard<'_, Option<Shared>> {
        self.records.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn share(&self) -> Result<Shared, Error> {
        let stream = {
            let state = &mut *self.lock();
            let created = state.create_stream(self.api());
            let stream = created.map_err(|status| self.reporter.error(state, "cuStreamCreate", status))?;
            state.stream(stream).raw
        };
        let room = self.printed.room() / size_of::<u64>();
        let bytes = HEAD + room * size_of::<u64>();
        let mut host: *mut c_void = std::ptr::null_mut();
        // SAFETY: the context is current; an address to write.
        let status = unsafe { (self.api().allocate_host)(&raw mut host, bytes, PORTABLE_AND_MAPPED) };
        self.checked("cuMemHostAlloc", status)?;
        // SAFETY: as many bytes were just allocated.
        unsafe { host.cast::<u8>().write_bytes(0, bytes) };
        let mut record = 0;
        let written = self.new_record(host, room).and_then(|bytes| {
            // SAFETY: the context is current; an address to write.
            let status = unsafe { (self.api().allocate)(&raw mut record, bytes.len()) };
            self.checked("cuMemAlloc", status)?;
            self.copy_in(stream, record, &bytes)
        });
        if let Err(error) = written {
            // SAFETY: allocated above if it isn't zero, and nobody else knows of it.
            let _ = unsafe { if record == 0 { Status::SUCCESS } else { (self.api().free)(record) } };
            // SAFETY: as above.
            let _ = unsafe { (self.api().free_host)(host) };
            return Err(error);
        }
        let host = host.cast();
        Ok(Shared { record, host, room, read: 0, panics: 0, dropped: 0, stream, texts: HashMap::new() })
    }

    /// The bytes of a [`Record`] with the addresses that the device knows the host's memory by.
    fn new_record(&self, host: *mut c_void, room: usize) -> Result<[u8; size_of::<Record>()], Error> {
        let mut device = host.expose_provenance() as CUdeviceptr;
        if let Some(find) = self.api().device_pointer {
            // SAFETY: the driver's memory; an address to write.
            self.checked("cuMemHostGetDevicePointer", unsafe { find(&raw mut device, host, 0) })?;
        }
        let mut record = [0; size_of::<Record>()];
        let fields = [
            (offset_of!(Record, room), room as u64),
            (offset_of!(Record, highest_bit), PanicPlace::MOST.next_power_of_two() / 2),
            (offset_of!(Record, panic), device),
            (offset_of!(Record, lines), device + HEAD as u64),
        ];
        for (offset, value) in fields {
            record[offset..offset + size_of::<u64>()].copy_from_slice(&value.to_le_bytes());
        }
        Ok(record)
    }

    fn take_panic(&self, shared: &mut Shared) -> Result<Option<Error>, Error> {
        let is_written = shared.flag(offset_of!(PanicRecord, is_written));
        if is_written.load(Acquire) == 0 {
            return Ok(None);
        }
        // SAFETY: it is written, and no thread writes it again before it is taken back below.
        let panic = unsafe { (&raw const (*shared.host.cast::<PanicRecord>()).panic).read() };
        is_written.store(0, Relaxed);
        // Who panics from here on describes it anew, or is counted here, or both.
        let taken = shared.record + offset_of!(Record, is_taken) as u64;
        self.copy_in(shared.stream, taken, &[0; 4])?;
        let mut count = [0; 4];
        let panics = shared.record + offset_of!(Record, panics) as u64;
        let (call, status) = self.copy_out(shared.stream, &mut count, panics);
        self.checked(call, status)?;
        let count = u32::from_le_bytes(count);
        let others = count.wrapping_sub(shared.panics).saturating_sub(1);
        shared.panics = count;
        let PanicPlace { line, column, group, thread, file, message, message_len } = panic;
        let file = self.text(shared, file)?.to_string();
        let message = if message_len % 2 == 1 && message_len < PanicPlace::MOST {
            self.text(shared, [message, message_len / 2])?.to_string()
        } else {
            let stream = shared.stream;
            let template =
                message::of_template(message, |address, bytes| self.bytes(stream, [address, bytes]).ok());
            template.unwrap_or_else(|| "a message that couldn't be read".into())
        };
        let kernel = self.lock().launched.name();
        let others = others.into();
        Ok(Some(Error::KernelPanic { kernel, message, file, line, column, group, thread, others }))
    }

    fn take_lines(&self, shared: &mut Shared) -> Result<(), Error> {
        let mut lines = shared.take_lines();
        let is_overfull = shared.flag(offset_of!(PanicRecord, is_overfull)).load(Relaxed) != 0;
        let mut dropped = shared.dropped;
        if is_overfull || shared.read > shared.room / 2 {
            // Nothing is launched meanwhile, and what runs ends first: nobody has room that is given again.
            let state = self.lock();
            // SAFETY: the context is current.
            let status = unsafe { (self.api().synchronize_context)() };
            self.reporter.check(&state, "cuCtxSynchronize", status)?;
            lines.append(&mut shared.take_lines());
            let mut count = [0; 8];
            let (call, status) =
                self.copy_out(shared.stream, &mut count, shared.record + offset_of!(Record, dropped) as u64);
            self.reporter.check(&state, call, status)?;
            dropped = u64::from_le_bytes(count);
            shared.flag(offset_of!(PanicRecord, is_overfull)).store(0, Relaxed);
            shared.clear_lines();
            let used = shared.record + offset_of!(Record, used) as u64;
            let (call, status) = self.copy(shared.stream, used, &[0; 8]);
            self.reporter.check(&state, call, status)?;
        }
        if lines.is_empty() && dropped == shared.dropped {
            return Ok(());
        }
        let mut texts = Vec::with_capacity(lines.len());
        for words in lines {
            texts.push((words.len() * size_of::<u64>(), self.line(shared, &words)?));
        }
        self.printed.add(texts, dropped.wrapping_sub(shared.dropped));
        shared.dropped = dropped;
        Ok(())
    }

    /// A line's text.
    fn line(&self, shared: &mut Shared, words: &[u64]) -> Result<String, Error> {
        let &[_, address, len, kinds, ref rest @ ..] = words else { return Ok(String::new()) };
        let format = self.text(shared, [address, len])?;
        let mut texts = Vec::new();
        let (values, _) = rest.as_chunks::<{ Line::ARGUMENT }>();
        let kinds: Vec<u64> = (0..values.len()).map(|i| kinds >> (4 * i) & 15).collect();
        for (&kind, &words) in kinds.iter().zip(values) {
            let is_text = matches!(Argument::from_words(kind, words, |_| ""), Some(Argument::Str(_)));
            texts.push(if is_text { self.text(shared, words)? } else { "".into() });
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
    fn text(&self, shared: &mut Shared, place: [u64; 2]) -> Result<Arc<str>, Error> {
        if let Some(text) = shared.texts.get(&place) {
            return Ok(Arc::clone(text));
        }
        let text: Arc<str> = String::from_utf8_lossy(&self.bytes(shared.stream, place)?).into();
        if shared.texts.len() >= MOST_TEXTS {
            shared.texts.clear();
        }
        shared.texts.insert(place, Arc::clone(&text));
        Ok(text)
    }

    /// Bytes of an image, up to a limit that no sensible text reaches.
    fn bytes(&self, stream: CUstream, [address, len]: [u64; 2]) -> Result<Vec<u8>, Error> {
        let mut bytes = vec![0; usize::try_from(len.min(message::MOST_BYTES)).unwrap_or(0)];
        if !bytes.is_empty() {
            let (call, status) = self.copy_out(stream, &mut bytes, address);
            self.checked(call, status)?;
        }
        Ok(bytes)
    }

    fn copy_in(&self, stream: CUstream, to: CUdeviceptr, from: &[u8]) -> Result<(), Error> {
        let (call, status) = self.copy(stream, to, from);
        self.checked(call, status)
    }

    /// Copies to the device.
    fn copy(&self, stream: CUstream, to: CUdeviceptr, from: &[u8]) -> (&'static str, Status) {
        // SAFETY: the context is current; memory of the driver's, with room for the bytes, which are borrowed until the
        // copy is done.
        let status = unsafe { (self.api().copy_to_device)(to, from.as_ptr().cast(), from.len(), stream) };
        self.finished(stream, ("cuMemcpyHtoDAsync", status))
    }

    /// Copies to the host.
    fn copy_out(&self, stream: CUstream, to: &mut [u8], from: CUdeviceptr) -> (&'static str, Status) {
        // SAFETY: the context is current; an address that the device has none at is refused; the bytes are borrowed until
        // the copy is done.
        let status = unsafe { (self.api().copy_to_host)(to.as_mut_ptr().cast(), from, to.len(), stream) };
        self.finished(stream, ("cuMemcpyDtoHAsync", status))
    }

    fn finished(&self, stream: CUstream, copy: (&'static str, Status)) -> (&'static str, Status) {
        // Also after an error: nobody may use the bytes any more.
        // SAFETY: the stream stays until the device is closed.
        let status = unsafe { (self.api().synchronize_stream)(stream) };
        if copy.1 == Status::SUCCESS { ("cuStreamSynchronize", status) } else { copy }
    }
}

impl Shared {
    /// A word of the [`PanicRecord`] that threads write atomically.
    fn flag(&self, offset: usize) -> &AtomicU32 {
        // SAFETY: the memory begins with a `PanicRecord`, whose words these are.
        unsafe { AtomicU32::from_ptr(self.host.add(offset).cast()) }
    }

    /// The words of the lines that were written since the last time, up to the first that isn't written yet.
    fn take_lines(&mut self) -> Vec<Vec<u64>> {
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

    /// Takes all lines back. No thread runs.
    fn clear_lines(&mut self) {
        // SAFETY: the memory has as many bytes behind its head.
        unsafe { self.host.add(HEAD).write_bytes(0, self.room * size_of::<u64>()) };
        self.read = 0;
    }
}
