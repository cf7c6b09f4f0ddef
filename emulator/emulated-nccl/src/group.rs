//! Groups: calls between `ncclGroupStart` and `ncclGroupEnd` are begun together at the end.

use std::cell::RefCell;
use std::sync::Arc;

use crate::answer::unpanicked;
use crate::communicator::Communicator;
use crate::cuda;
use crate::error::Error;
use crate::launch::{Launch, launch};
use crate::registry::{self, Handle};

/// A communicator that starts.
pub(crate) struct Start {
    pub(crate) handle: Handle,
    pub(crate) name: String,
    pub(crate) rank: usize,
    pub(crate) size: usize,
    pub(crate) context: cuda::Handle,
}

impl Start {
    pub(crate) fn run(&self) -> Result<(), Error> {
        let started = Communicator::start(&self.name, self.rank, self.size, self.context);
        let started = started.inspect_err(|_| drop(registry::remove(self.handle)))?;
        registry::fill(self.handle, Arc::new(started));
        Ok(())
    }
}

// SAFETY: the handle is a number, and nobody reads what it would point to.
unsafe impl Send for Start {}
// SAFETY: the handle is a number, and nobody reads what it would point to.
unsafe impl Sync for Start {}

#[derive(Default)]
struct Group {
    depth: usize,
    error: Option<Error>,
    starts: Vec<Start>,
    launches: Vec<(Arc<Communicator>, Vec<Launch>)>,
}

thread_local! {
    static GROUP: RefCell<Group> = RefCell::default();
}

/// Makes a call part of the thread's group, or a group of its own. What fails in a group makes its end fail.
fn within(add: impl FnOnce(&mut Group) -> Result<(), Error>) -> Result<(), Error> {
    let added = GROUP.with_borrow_mut(|group| {
        group.depth += 1;
        let added = add(group);
        if let Err(error) = &added {
            group.error.get_or_insert_with(|| error.clone());
        }
        added
    });
    let ended = end();
    added.and(ended)
}

/// Starts a communicator, now or at the group's end.
pub(crate) fn add_start(start: Start) -> Result<(), Error> {
    within(|group| {
        group.starts.push(start);
        Ok(())
    })
}

/// Launches a call that `check` has checked, now or at the group's end.
pub(crate) fn add(
    communicator: &Arc<Communicator>,
    check: impl FnOnce() -> Result<Option<Launch>, Error>,
) -> Result<(), Error> {
    within(|group| {
        let Some(launch) = check()? else { return Ok(()) };
        match group.launches.iter_mut().find(|(other, _)| Arc::ptr_eq(other, communicator)) {
            Some((_, launches)) => launches.push(launch),
            None => group.launches.push((Arc::clone(communicator), vec![launch])),
        }
        Ok(())
    })
}

fn end() -> Result<(), Error> {
    let group = GROUP.with_borrow_mut(|group| {
        group.depth = group.depth.saturating_sub(1);
        (group.depth == 0).then(|| std::mem::take(group))
    });
    let Some(group) = group else { return Ok(()) };
    if let Some(error) = group.error {
        for start in &group.starts {
            registry::remove(start.handle);
        }
        return Err(error);
    }
    start_all(&group.starts)?;
    group.launches.iter().try_for_each(|(communicator, launches)| launch(communicator, launches))
}

/// Starts communicators at once: each waits for the others.
fn start_all(starts: &[Start]) -> Result<(), Error> {
    if let [start] = starts {
        return start.run();
    }
    std::thread::scope(|scope| {
        let threads: Vec<_> = starts.iter().map(|start| scope.spawn(|| unpanicked(|| start.run()))).collect();
        let ended = threads.into_iter().map(|thread| {
            thread.join().unwrap_or_else(|_| Err(Error::internal("a communicator's start panicked")))
        });
        // All of them are waited for.
        ended.collect::<Vec<_>>().into_iter().collect()
    })
}

nccl! {
    /// Begins a group of the thread's.
    fn ncclGroupStart() {
        GROUP.with_borrow_mut(|group| group.depth += 1);
        Ok(())
    }

    /// Ends a group, and begins what is in it.
    fn ncclGroupEnd() {
        if GROUP.with_borrow(|group| group.depth == 0) {
            return Err(Error::usage("ncclGroupEnd: not in a group call."));
        }
        end()
    }
}
