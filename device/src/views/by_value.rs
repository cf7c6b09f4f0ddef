//! Items that are copies, in a phase's code for one thread: `$view` is a view's type, and what its copy is called.

/// Makes a thread's copy of what is lent as a copy, and if it is asked for, of what is small.
macro_rules! copied {
    ($view:ident $arg:ident $sizes:ident $thread:ident) => {
        copied!($view $arg $sizes $thread, false)
    };
    ($view:ident $arg:ident $sizes:ident $thread:ident, $small:expr) => {
        // Not by `then`: it hasn't the instruction set of the loop that this is in, so that a closure of the loop's isn't inlined
        // into it, and there is a call for each thread.
        if $small && const { $view::SMALL } {
            // SAFETY: the phase checked the view for the thread's group, and the thread has no item of it yet.
            Some(unsafe { $view::load_small(&mut $arg, $sizes, $thread) })
        } else if const { $view::BY_VALUE } {
            // SAFETY: the phase checked the view for the thread's group, and the thread has no item of it yet.
            Some(unsafe { $view::load(&mut $arg, $sizes, $thread) })
        } else {
            None
        }
    };
}

/// A thread's item, of its copy if there is one.
macro_rules! item {
    ($view:ident $arg:ident $sizes:ident $thread:ident) => {
        match &mut $view {
            Some(copy) => $view::lend(copy),
            None => $view::item(&mut $arg, $sizes, $thread),
        }
    };
}

/// Puts back a thread's copy, after the call.
macro_rules! put_back {
    ($view:ident $arg:ident $sizes:ident $thread:ident) => {
        if let Some(copy) = $view {
            // SAFETY: the phase checked the view for the thread's group, and the copy's item is gone with the call.
            unsafe { $view::store(&mut $arg, $sizes, $thread, copy) };
        }
    };
}

pub(crate) use {copied, item, put_back};
