//! What a host thread of a launch holds, and what all of them share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use super::peers::Peers;
use crate::checks::{Checks, GlobalShadow, Record, Synchronisation};
use crate::machine::{Approximations, Constants, Shape, UnwrittenRead, has_vectors};
use crate::memory::{Backing, DeviceMemory, Table};
use crate::module::{Entry, Image};
use crate::report::{Collected, Counts, Finding, FindingKind, Party, Print};
use crate::texture::Objects;

/// What the host threads of a launch share.
pub(crate) struct Shared {
    pub(crate) memory: Arc<DeviceMemory>,
    pub(crate) objects: Arc<Objects>,
    pub(crate) image: Arc<Image>,
    pub(crate) entry: usize,
    /// The parameters' bytes, sixteen each for the alignment.
    pub(crate) parameters: Vec<u128>,
    pub(crate) parameter_bytes: u64,
    /// Address of the grid's workspace.
    pub(crate) workspace: u64,
    pub(crate) instruction_limit: u64,
    pub(crate) stack_limit: u32,
    pub(crate) stop: AtomicBool,
    pub(crate) collected: Mutex<Collected>,
    pub(crate) fault: Mutex<Option<Finding>>,
    pub(crate) print: Option<Print>,
    pub(crate) count_lines: bool,
    pub(crate) approximations: Approximations,
    pub(crate) shadow: Option<GlobalShadow>,
    pub(crate) synchronisation: Synchronisation,
    pub(crate) started: Instant,
    pub(crate) next_cluster: AtomicU64,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("entry", &self.entry).finish_non_exhaustive()
    }
}

impl Shared {
    pub(crate) fn entry(&self) -> &Entry {
        &self.image.entries[self.entry]
    }
}

/// The allocation that an operation touched last.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cached {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) backing: Option<Arc<Backing>>,
}

/// What a host thread holds.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) shared: Arc<Shared>,
    pub(crate) shape: Shape,
    pub(crate) checks: Checks,
    constants: Arc<Constants>,
    pub(crate) worker: u64,
    pub(crate) workers: u64,
    pub(crate) cache: Vec<Cached>,
    pub(crate) table: Arc<Table>,
    version: u64,
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    pub(crate) groups: u64,
    /// What each operation of the module cost; empty where nobody asks.
    pub(crate) counts: Vec<Counts>,
    /// Whether a lane just read what other groups may write: what waits for them reads it again and again.
    pub(crate) polls: bool,
    /// Whether the processor has what the quick version of a warp's loop is compiled for.
    pub(crate) has_vectors: bool,
    /// The cluster whose turn it is.
    pub(crate) peers: Peers,
    /// What the operation that runs has read that nothing wrote, if it hands that on.
    pub(crate) unwritten: Vec<UnwrittenRead>,
    /// Lanes and bytes of the store that runs, which are copies of bytes that nothing wrote.
    pub(crate) copied: Vec<(usize, u64)>,
}

impl Core {
    pub(crate) fn new(
        shared: Arc<Shared>,
        shape: Shape,
        checks: Checks,
        constants: Arc<Constants>,
        worker: u64,
        workers: u64,
    ) -> Self {
        let version = shared.memory.version();
        let table = shared.memory.table();
        let counts = if shared.count_lines { shared.image.operations() } else { 0 };
        let cache = vec![Cached::default(); shared.image.accesses as usize];
        Self {
            shared,
            shape,
            checks,
            constants,
            worker,
            workers,
            cache,
            table,
            version,
            warp_instructions: 0,
            thread_instructions: 0,
            groups: 0,
            counts: vec![Counts::default(); counts],
            polls: false,
            has_vectors: has_vectors(),
            peers: Peers::default(),
            unwritten: Vec::new(),
            copied: Vec::new(),
        }
    }

    pub(crate) fn constants(&self) -> &Constants {
        &self.constants
    }

    pub(crate) fn nanoseconds(&self) -> u64 {
        u64::try_from(self.shared.started.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    /// Sees what was allocated and freed since the last access.
    #[inline(always)]
    pub(crate) fn refresh(&mut self) {
        let version = self.shared.memory.version();
        if version != self.version {
            self.renew(version);
        }
    }

    #[cold]
    fn renew(&mut self, version: u64) {
        self.version = version;
        self.table = self.shared.memory.table();
        self.cache.fill(Cached::default());
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// A finding about a thread at an operation.
    pub(crate) fn finding(&self, kind: FindingKind, position: u32, group: [u32; 3], thread: u32) -> Finding {
        let (line, source) = self.shared.image.source_of(position);
        let kernel = self.shared.entry().name().to_owned();
        Finding { kind, kernel, line, source, group, thread: self.shape.thread(thread), count: 1 }
    }

    /// Reports what doesn't end the launch.
    pub(crate) fn report(&self, kind: FindingKind, position: u32, group: [u32; 3], thread: u32) {
        self.report_pair(kind, position, 0, group, thread);
    }

    fn report_pair(&self, kind: FindingKind, position: u32, other: u32, group: [u32; 3], thread: u32) {
        let mut collected = self.shared.collected.lock().unwrap_or_else(PoisonError::into_inner);
        let name = kind.clone();
        collected.add(&name, position, other, || self.finding(kind, position, group, thread));
    }

    pub(crate) fn report_race(
        &self,
        access: crate::report::MemoryAccess,
        is_atomic: bool,
        other: Record,
        position: u32,
        group: [u32; 3],
        thread: u32,
    ) {
        let at = other.position - 1;
        let (line, source) = self.shared.image.source_of(at);
        let party = Party {
            group: self.shape.group(other.group.into()),
            thread: self.shape.thread(other.thread.into()),
            line,
            source,
            is_write: other.is_write,
            is_atomic: other.is_atomic,
        };
        let kind = FindingKind::Race { access, is_atomic, other: Box::new(party) };
        self.report_pair(kind, position, other.position, group, thread);
    }

    /// Ends the launch. The first fault of all host threads is the one that is told.
    pub(crate) fn fault(&self, kind: FindingKind, position: u32, group: [u32; 3], thread: u32) {
        let finding = self.finding(kind, position, group, thread);
        let mut fault = self.shared.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert(finding);
        self.shared.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn print(&self, text: &str) {
        match &self.shared.print {
            Some(print) => print(text),
            None => {
                self.shared.collected.lock().unwrap_or_else(PoisonError::into_inner).output.push_str(text);
            }
        }
    }
}
