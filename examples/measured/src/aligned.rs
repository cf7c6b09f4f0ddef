//! Arrays that begin where a cache line does. Those of [`Device`](gridwright::Device)s do; with this allocator a peer's do, too, whoever
//! makes them: loops over vectors as wide as a line are up to a tenth slower on others.

use std::alloc::{GlobalAlloc, Layout, System};

/// Bytes of a cache line, and of the widest vector.
const LINE: usize = 64;

/// The system's allocator, asked for whole lines.
struct Lines;

#[global_allocator]
static LINES: Lines = Lines;

/// What is asked for instead: as much, at the start of a line. A layout that is too large for that is left to fail.
fn at_a_line(layout: Layout) -> Layout {
    layout.align_to(LINE).unwrap_or(layout)
}

// SAFETY: each call goes to the system's allocator, always with the same layout for a layout, of no smaller alignment.
unsafe impl GlobalAlloc for Lines {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is the caller's, which isn't zero.
        unsafe { System.alloc(at_a_line(layout)) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the size is the caller's, which isn't zero.
        unsafe { System.alloc_zeroed(at_a_line(layout)) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory was allocated here with this layout, so by the system with the one that is made of it.
        unsafe { System.dealloc(memory, at_a_line(layout)) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the memory was allocated here with this layout, so by the system with the one that is made of it; the new size is the caller's.
        unsafe { System.realloc(memory, at_a_line(layout), size) }
    }
}

#[cfg(test)]
mod tests {
    use super::LINE;

    #[test]
    fn vectors_begin_at_a_line_also_when_they_have_grown() {
        for len in [1, 100, 1 << 20] {
            let mut bytes = vec![1_u8; len];
            let zeros = vec![0.0_f32; len];
            assert_eq!((bytes.as_ptr().addr() % LINE, zeros.as_ptr().addr() % LINE), (0, 0));
            bytes.extend(vec![2; 3 * len]);
            assert_eq!(bytes.as_ptr().addr() % LINE, 0);
            assert!(bytes[..len].iter().all(|&byte| byte == 1) && bytes[len..].iter().all(|&byte| byte == 2));
        }
    }
}
