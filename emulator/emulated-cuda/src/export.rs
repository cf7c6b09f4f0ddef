//! The form of each function that is exported.

/// The functions of a file: each is exported under its name, and none lets a panic out. Also `calls`, their table.
macro_rules! driver {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// Each pointer is null, or valid for what `cuda.h` says that this function does with it.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "cuda.h has them so")]
            unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
                $crate::answer::answer(move || $body)
            }
        )*

        /// Names and addresses.
        pub(crate) fn calls() -> Vec<(&'static str, *const ())> {
            vec![$((stringify!($name), $name as *const ())),*]
        }
    };
}
