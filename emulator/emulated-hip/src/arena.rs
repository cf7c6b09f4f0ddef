//! Memory that this process, and the emulators of all devices, have at the same addresses: a file without a name. Addresses aren't
//! given out twice, so that whoever uses memory that is gone finds none.
//!
//! It is mapped twice here. At its address the program may use what was opened for it, such as pinned memory; what is a device's own
//! is closed, so that a program that follows a device's pointer fails as it would with a GPU. The other mapping is the runtime's own.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

pub(crate) const PAGE: u64 = 4096;
/// Far from where the system puts programs, libraries, heaps and stacks.
pub(crate) const ADDRESS: u64 = 0x6000_0000_0000;
/// Of addresses: memory is taken when it is written.
pub(crate) const BYTES: u64 = 1 << 42;

pub(crate) struct Arena {
    file: File,
    /// The runtime's own mapping.
    own: *mut u8,
    /// The first address that wasn't given out.
    next: AtomicU64,
}

// SAFETY: the mapping is there for all threads as long as the process is, and who uses which part is the program's affair, as it is
// with a GPU's memory: nothing here makes a reference into it.
unsafe impl Send for Arena {}
// SAFETY: threads that share it make no reference into the mapping either; who uses which part is the program's affair.
unsafe impl Sync for Arena {}

impl Arena {
    /// # Errors
    /// If the system gives no memory, or the addresses are taken.
    pub(crate) fn new() -> io::Result<Self> {
        // SAFETY: a text with a zero behind it.
        let descriptor = unsafe { libc::memfd_create(c"gridwright emulator".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just opened, and nobody else's.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(BYTES)?;
        let at = std::ptr::without_provenance_mut(ADDRESS as usize);
        let fixed = libc::MAP_SHARED | libc::MAP_FIXED_NOREPLACE;
        let public = map(&file, at, libc::PROT_NONE, fixed)?;
        if public.addr() != ADDRESS as usize {
            // An old kernel, for which the address was a wish only.
            return Err(io::Error::from(io::ErrorKind::AddrInUse));
        }
        // The program gets pointers into it as numbers.
        public.expose_provenance();
        let own = map(&file, std::ptr::null_mut(), libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED)?;
        Ok(Self { file, own, next: AtomicU64::new(ADDRESS + PAGE) })
    }

    /// Where another process finds the file, while this one runs.
    pub(crate) fn path(&self) -> PathBuf {
        path(&self.file)
    }

    pub(crate) fn contains(address: u64) -> bool {
        (ADDRESS..ADDRESS + BYTES).contains(&address)
    }

    /// Whole pages that nobody had, with one behind them that nobody gets. None if there are no more.
    pub(crate) fn take(&self, bytes: u64) -> Option<u64> {
        let taken = bytes.checked_next_multiple_of(PAGE)?.checked_add(PAGE)?;
        let step = |next: u64| next.checked_add(taken).filter(|end| *end <= ADDRESS + BYTES);
        self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step).ok()
    }

    /// Lets the program use pages at their address.
    pub(crate) fn open(&self, start: u64, bytes: u64) -> io::Result<()> {
        self.protect(start, bytes, libc::PROT_READ | libc::PROT_WRITE)
    }

    /// Takes pages from the program and what is in them from everyone. Their addresses stay unused.
    pub(crate) fn give_back(&self, start: u64, bytes: u64) {
        // What can't be given back stays as it is, for nobody.
        let _ = self.protect(start, bytes, libc::PROT_NONE);
        let hole = libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE;
        let (offset, length) = (start.wrapping_sub(ADDRESS), bytes.next_multiple_of(PAGE));
        // SAFETY: a file of ours; both mappings stay, and read zeros there.
        unsafe { libc::fallocate(self.file.as_raw_fd(), hole, offset as i64, length as i64) };
    }

    fn protect(&self, start: u64, bytes: u64, protection: i32) -> io::Result<()> {
        if !Self::contains(start) || bytes > ADDRESS + BYTES - start {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let pages = std::ptr::with_exposed_provenance_mut(start as usize);
        // SAFETY: pages of the mapping that is the program's: checked above.
        match unsafe { libc::mprotect(pages, bytes as usize, protection) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// The runtime's own pointer to `bytes` at an address, or none beyond the arena.
    fn own(&self, address: u64, bytes: usize) -> Option<*mut u8> {
        let offset = address.checked_sub(ADDRESS)?;
        let end = offset.checked_add(bytes as u64)?;
        // The mapping is as long.
        (end <= BYTES).then(|| self.own.wrapping_add(offset as usize))
    }

    /// Copies to the arena. Nothing happens beyond it.
    ///
    /// # Safety
    /// `from` is valid for reads of `bytes`.
    pub(crate) unsafe fn write(&self, to: u64, from: *const u8, bytes: usize) {
        if let Some(to) = self.own(to, bytes) {
            // SAFETY: `from` is valid for reads of so many bytes, as this function asks, and `own` saw that `to` is inside. The two
            // may overlap if both are of the arena, under different addresses.
            unsafe { std::ptr::copy(from, to, bytes) };
        }
    }

    /// Copies from the arena.
    ///
    /// # Safety
    /// `to` is valid for writes of `bytes`.
    pub(crate) unsafe fn read(&self, from: u64, to: *mut u8, bytes: usize) {
        if let Some(from) = self.own(from, bytes) {
            // SAFETY: `to` is valid for writes of so many bytes, as this function asks, and `own` saw that `from` is inside. The
            // two may overlap if both are of the arena, under different addresses.
            unsafe { std::ptr::copy(from, to, bytes) };
        }
    }

    pub(crate) fn put(&self, to: u64, bytes: &[u8]) {
        // SAFETY: a slice.
        unsafe { self.write(to, bytes.as_ptr(), bytes.len()) };
    }

    /// Copies within the arena, also where the two overlap.
    pub(crate) fn copy(&self, to: u64, from: u64, bytes: usize) {
        if let Some(from) = self.own(from, bytes) {
            // SAFETY: `own` checked it.
            unsafe { self.write(to, from, bytes) };
        }
    }

    /// Writes a pattern so many times.
    pub(crate) fn fill(&self, to: u64, pattern: &[u8], count: u64) {
        let Some(bytes) = count.checked_mul(pattern.len() as u64) else { return };
        let Some(start) = self.own(to, bytes as usize) else { return };
        if let &[byte] = pattern {
            // SAFETY: `own` checked it.
            unsafe { start.write_bytes(byte, bytes as usize) };
            return;
        }
        for index in 0..count as usize {
            let unit = start.wrapping_add(index * pattern.len());
            // SAFETY: each unit is within `bytes`, which `own` checked; the pattern isn't in the arena.
            unsafe { unit.copy_from_nonoverlapping(pattern.as_ptr(), pattern.len()) };
        }
    }
}

fn map(file: &File, at: *mut libc::c_void, protection: i32, flags: i32) -> io::Result<*mut u8> {
    let flags = flags | libc::MAP_NORESERVE;
    // SAFETY: addresses that were free: the system chooses them, or refuses those that aren't.
    let mapped = unsafe { libc::mmap(at, BYTES as usize, protection, flags, file.as_raw_fd(), 0) };
    if mapped == libc::MAP_FAILED { Err(io::Error::last_os_error()) } else { Ok(mapped.cast()) }
}

/// Where another process finds a file without a name.
pub(crate) fn path(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
}

/// A file without a name that holds some bytes.
pub(crate) fn file_of(bytes: &[u8]) -> io::Result<File> {
    use std::io::Write;
    // SAFETY: a text with a zero behind it.
    let descriptor = unsafe { libc::memfd_create(c"gridwright image".as_ptr(), libc::MFD_CLOEXEC) };
    if descriptor < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: just opened, and nobody else's.
    let mut file = unsafe { File::from_raw_fd(descriptor) };
    file.write_all(bytes)?;
    Ok(file)
}
