use std::io;

use corosensei::stack::{DefaultStack, Stack, StackPointer};

/// The bytes of a fiber's stack, behind which a page is that nobody may touch: a fiber that needs more ends the program.
///
/// A GPU's thread has a few KiB. A debug build of its code takes several times that, and a panic's message and unwinding
/// less than 8 KiB on top. Pages that are never touched cost address space only.
const BYTES: usize = 128 * 1024;

/// A cache line, and how many a page has.
const LINE: usize = 64;
const LINES: usize = 64;
/// How many lines one stack begins after another: an odd number, so that all places in a page are taken in turn.
const STRIDE: usize = 5;

/// A fiber's stack, which begins somewhere in its first page. Beginning at pages, stacks have what they use most in the
/// same few sets of the first cache, which doesn't hold it for a group then.
pub(super) struct FiberStack {
    memory: DefaultStack,
    base: StackPointer,
}

impl FiberStack {
    /// The stack of a number.
    pub(super) fn new(number: usize) -> io::Result<Self> {
        let memory = DefaultStack::new(BYTES)?;
        let skipped = number % LINES * STRIDE % LINES * LINE;
        // Less than a page below the end of more: it isn't zero.
        let base = StackPointer::new(memory.base().get() - skipped).unwrap_or(memory.base());
        Ok(Self { memory, base })
    }
}

// SAFETY: the memory is one, and has a page to guard it; of what it has above that, a page less is far more than needed.
unsafe impl Stack for FiberStack {
    #[inline]
    fn base(&self) -> StackPointer {
        self.base
    }

    #[inline]
    fn limit(&self) -> StackPointer {
        self.memory.limit()
    }

    #[cfg(windows)]
    #[inline]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.memory.teb_fields()
    }

    #[cfg(windows)]
    #[inline]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.memory.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
