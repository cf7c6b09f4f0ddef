use std::any::Any;
use std::cell::Cell;
use std::collections::VecDeque;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult};

use super::barrier::{Current, aside};
use crate::fibers::Threads;

/// The bytes of a fiber's stack, behind which a page is that nobody may touch: a fiber that needs more ends the program.
///
/// A GPU's thread has a few KiB. A debug build of its code takes several times that, and a panic's message and unwinding
/// less than 8 KiB on top. Pages that are never touched cost address space only.
const STACK_BYTES: usize = 128 * 1024;

type Fiber = Coroutine<(), (), (), DefaultStack>;

/// Place of a thread in its group.
type At = [usize; 3];

/// The fibers of the group that an OS thread runs, and the stacks that it keeps for the next ones.
#[derive(Default)]
pub struct Worker {
    stacks: Vec<DefaultStack>,
    /// Fibers that wait at a barrier; the next to run stands first.
    ///
    /// Taken from the front and put back behind, each runs up to its next barrier after all others have come to theirs.
    waiting: VecDeque<(At, Fiber)>,
}

impl fmt::Debug for Worker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker").field("waiting", &self.waiting.len()).finish_non_exhaustive()
    }
}

impl Worker {
    /// Runs a new fiber up to its first barrier, or to its end. Its stack is then the next one's.
    ///
    /// # Panics
    /// If the thread does, as that thread; then there are no fibers left.
    ///
    /// # Safety
    /// What the threads borrow outlives the fibers: they end in [`finish`](Self::finish), or where this panics.
    pub unsafe fn begin<T: Threads>(&mut self, at: At, threads: &T) {
        let stack = self.stacks.pop().map_or_else(|| DefaultStack::new(STACK_BYTES), Ok);
        let stack = match stack {
            Ok(stack) => stack,
            Err(error) => self.fail(
                at,
                threads,
                Box::new(format!(
                    "no stack for a thread: {error}; take smaller workgroups, or fewer workers by GRIDWRIGHT_CPU_THREADS"
                )),
            ),
        };
        let thread = threads.at(at);
        // SAFETY: the caller says that what the threads borrow outlives the fiber, which ends in `finish`, or where this panics.
        let fiber = unsafe {
            Fiber::with_stack_unchecked(stack, move |yielder, ()| {
                let current = Current::new(yielder, threads.number(thread));
                // It is moved no more, and `go_on` resumes aside.
                current.enter();
                threads.run(thread);
            })
        };
        self.go_on(at, fiber, threads);
    }

    /// Runs all fibers to their ends.
    ///
    /// # Panics
    /// If a thread does, as that thread; then there are no fibers left.
    pub fn finish<T: Threads>(&mut self, threads: &T) {
        while let Some((at, fiber)) = self.waiting.pop_front() {
            self.go_on(at, fiber, threads);
        }
    }

    fn go_on<T: Threads>(&mut self, at: At, mut fiber: Fiber, threads: &T) {
        // What the body leaves half-written is in device buffers, where every bit pattern is valid.
        match aside(|| catch_unwind(AssertUnwindSafe(|| fiber.resume(())))) {
            Ok(CoroutineResult::Yield(())) => self.waiting.push_back((at, fiber)),
            Ok(CoroutineResult::Return(())) => self.stacks.push(fiber.into_stack()),
            Err(payload) => {
                self.stacks.push(fiber.into_stack());
                self.fail(at, threads, payload)
            }
        }
    }

    /// Ends the other fibers and then the launch, by a thread's panic.
    #[cold]
    fn fail<T: Threads>(&mut self, at: At, threads: &T, payload: Box<dyn Any + Send>) -> ! {
        while let Some((_, mut fiber)) = self.waiting.pop_front() {
            // It unwinds from its barrier, so that what it has on its stack is dropped. A panic of a destructor adds nothing.
            let _ = aside(|| catch_unwind(AssertUnwindSafe(|| fiber.force_unwind())));
            self.stacks.push(fiber.into_stack());
        }
        // Last, since a destructor may have run kernels itself.
        threads.panicked(threads.at(at));
        resume_unwind(payload)
    }
}

thread_local! {
    static WORKER: Cell<Option<Worker>> = const { Cell::new(None) };
}

/// Lends this OS thread's fibers. A kernel that is launched from within a kernel gets some of its own.
pub fn with_worker<R>(run: impl FnOnce(&mut Worker) -> R) -> R {
    let mut lent = Lent(WORKER.take().unwrap_or_default());
    run(&mut lent.0)
}

/// Gives the stacks back, also when a panic ends the launch.
struct Lent(Worker);

impl Drop for Lent {
    fn drop(&mut self) {
        WORKER.set(Some(std::mem::take(&mut self.0)));
    }
}
