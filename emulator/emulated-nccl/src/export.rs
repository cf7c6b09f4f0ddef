//! The form of each function that is exported.

/// The functions of a file: each is exported under its name, and none lets a panic out.
macro_rules! nccl {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// Each pointer is null, or valid for what `nccl.h` says that this function does with it.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "nccl.h has them so")]
            unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
                $crate::answer::answer(move || $body)
            }
        )*
    };
}
