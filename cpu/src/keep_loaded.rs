//! A library with this code that a program loads and unloads: the threads of its pool never end, so it has to stay.

/// Keeps the library that this code is in loaded until the process ends, whoever unloads it.
#[cfg(target_os = "linux")]
pub(crate) fn keep_loaded() {
    use std::mem::MaybeUninit;

    static HERE: u8 = 0;
    let mut found = MaybeUninit::<libc::Dl_info>::zeroed();
    // SAFETY: any address may be asked for, and there is room for the answer.
    if unsafe { libc::dladdr((&raw const HERE).cast(), found.as_mut_ptr()) } == 0 {
        return;
    }
    // SAFETY: of zeros, or written by `dladdr`: integers and pointers, which any bytes are.
    let path = unsafe { found.assume_init() }.dli_fname;
    if !path.is_null() {
        // SAFETY: the loader's name for a library that is there while its code runs. Nothing is loaded: a program itself isn't found.
        unsafe { libc::dlopen(path, libc::RTLD_NOW | libc::RTLD_NOLOAD | libc::RTLD_NODELETE) };
    }
}

/// Elsewhere nothing is known of how libraries are kept.
#[cfg(not(target_os = "linux"))]
pub(crate) fn keep_loaded() {}
