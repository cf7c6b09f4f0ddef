//! What `core` and LLVM call to compare bytes: of arrays, slices and texts. The compiler's library has it for CPUs only.

/// # Safety
/// Both have as many bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, bytes: usize) -> i32 {
    for i in 0..bytes {
        // SAFETY: both have so many bytes, as this function asks.
        let (a, b) = unsafe { (*a.add(i), *b.add(i)) };
        if a != b {
            return i32::from(a) - i32::from(b);
        }
    }
    0
}

/// What LLVM makes of a `memcmp` that is only compared with zero.
///
/// # Safety
/// As for `memcmp`.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, bytes: usize) -> i32 {
    // SAFETY: both have so many bytes, as this function asks.
    unsafe { memcmp(a, b, bytes) }
}
