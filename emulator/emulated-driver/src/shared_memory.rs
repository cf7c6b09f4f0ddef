//! Memory that processes of one machine share: a file without a name, which others find by the process that has it open.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::MetadataExt;

/// What another process finds the memory by: 64 bytes in `cuda.h`, of which the last are zeros.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(C)]
pub struct SharedName {
    bytes: [u8; 64],
}

/// What a name begins with; the last letter says what the memory is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    Memory,
    Event,
}

impl Purpose {
    fn mark(self) -> &'static [u8; 8] {
        match self {
            Self::Memory => b"gridwrim",
            Self::Event => b"gridwrie",
        }
    }
}

/// What a name says.
struct Place {
    process: u32,
    descriptor: u32,
    /// The file's number in its system: a process or a descriptor may be another's by now.
    inode: u64,
    bytes: u64,
}

impl SharedName {
    fn new(purpose: Purpose, place: &Place) -> Self {
        let mut bytes = [0; 64];
        let words = [
            *purpose.mark(),
            (u64::from(place.process) << 32 | u64::from(place.descriptor)).to_le_bytes(),
            place.inode.to_le_bytes(),
            place.bytes.to_le_bytes(),
        ];
        for (target, word) in bytes.chunks_exact_mut(8).zip(words) {
            target.copy_from_slice(&word);
        }
        Self { bytes }
    }

    /// None for what isn't a name for this purpose.
    fn place(&self, purpose: Purpose) -> Option<Place> {
        let (words, _) = self.bytes.as_chunks::<8>();
        let [mark, who, inode, bytes, ..] = words else { return None };
        if mark != purpose.mark() {
            return None;
        }
        let who = u64::from_le_bytes(*who);
        let (process, descriptor) = ((who >> 32) as u32, who as u32);
        Some(Place {
            process,
            descriptor,
            inode: u64::from_le_bytes(*inode),
            bytes: u64::from_le_bytes(*bytes),
        })
    }

    /// Whether this process made it.
    pub fn is_own(&self, purpose: Purpose) -> bool {
        self.place(purpose).is_some_and(|place| place.process == std::process::id())
    }
}

/// The memory, in this process.
pub struct SharedMemory {
    pointer: *mut u8,
    bytes: usize,
    file: File,
}

// SAFETY: the mapping belongs to this value, and what is at the pointer is accessed by atomic operations only.
unsafe impl Send for SharedMemory {}
// SAFETY: threads that share it access the mapping by atomic operations only.
unsafe impl Sync for SharedMemory {}

impl SharedMemory {
    /// Zeros.
    pub fn new(bytes: usize) -> io::Result<Self> {
        // SAFETY: a text with a zero behind it.
        let descriptor = unsafe { libc::memfd_create(c"gridwright memory".as_ptr(), libc::MFD_CLOEXEC) };
        if descriptor < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: just opened, and nobody else's.
        let file = unsafe { File::from_raw_fd(descriptor) };
        file.set_len(bytes as u64)?;
        Self::map(file, bytes)
    }

    /// Memory of another process, which has to be there.
    pub fn open(name: &SharedName, purpose: Purpose) -> io::Result<Self> {
        let unknown = || io::Error::from(io::ErrorKind::NotFound);
        let place = name.place(purpose).ok_or_else(unknown)?;
        let path = format!("/proc/{}/fd/{}", place.process, place.descriptor);
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let found = file.metadata()?;
        if found.ino() != place.inode || found.len() != place.bytes || !found.is_file() {
            return Err(unknown());
        }
        let bytes = usize::try_from(place.bytes).map_err(|_| unknown())?;
        Self::map(file, bytes)
    }

    fn map(file: File, bytes: usize) -> io::Result<Self> {
        let access = libc::PROT_READ | libc::PROT_WRITE;
        let anywhere = std::ptr::null_mut();
        // SAFETY: the system chooses addresses that were free; the file is open.
        let mapped = unsafe { libc::mmap(anywhere, bytes, access, libc::MAP_SHARED, file.as_raw_fd(), 0) };
        if mapped == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { pointer: mapped.cast(), bytes, file })
    }

    pub fn name(&self, purpose: Purpose) -> io::Result<SharedName> {
        let place = Place {
            process: std::process::id(),
            descriptor: u32::try_from(self.file.as_raw_fd()).map_err(io::Error::other)?,
            inode: self.file.metadata()?.ino(),
            bytes: self.bytes as u64,
        };
        Ok(SharedName::new(purpose, &place))
    }

    /// Where it begins, at a page.
    pub fn pointer(&self) -> *mut u8 {
        self.pointer
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        // SAFETY: `map` made the mapping, and nothing keeps the pointer without this value.
        unsafe { libc::munmap(self.pointer.cast(), self.bytes) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{Purpose, SharedMemory, SharedName};

    #[test]
    fn what_is_opened_by_its_name_is_the_same_memory() {
        let memory = SharedMemory::new(100).expect("memory");
        let name = memory.name(Purpose::Memory).expect("a name");
        let other = SharedMemory::open(&name, Purpose::Memory).expect("the same");
        assert_eq!(other.bytes(), 100);
        // SAFETY: both mappings have eight bytes at a page.
        let [first, second] =
            unsafe { [memory.pointer(), other.pointer()].map(|pointer| AtomicU64::from_ptr(pointer.cast())) };
        first.store(7, Ordering::Relaxed);
        assert_eq!(second.load(Ordering::Relaxed), 7);
        assert!(SharedMemory::open(&name, Purpose::Event).is_err(), "of another purpose");
        drop(memory);
        drop(other);
        assert!(SharedMemory::open(&name, Purpose::Memory).is_err(), "gone");
        assert!(SharedMemory::open(&SharedName { bytes: [7; 64] }, Purpose::Memory).is_err());
    }
}
