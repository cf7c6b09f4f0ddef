//! The form of each function that is exported.

/// The functions of a file: each is exported under its name, and none lets a panic out. One with `[ptds]` or `[ptsz]` is exported a second
/// time with that suffix: there null is the thread's own default stream. Also `calls`, their table.
macro_rules! driver {
    ($($(#[$meta:meta])* fn $name:ident $([$suffix:ident])? ($($argument:ident: $ty:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// Each pointer is null, or valid for what `cuda.h` says that this function does with it.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, private_interfaces, reason = "cuda.h has them so")]
            pub(crate) unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
                $crate::answer::answer(move || $body)
            }
        )*

        /// Names and addresses.
        pub(crate) fn calls() -> Vec<(&'static str, *const ())> {
            let mut calls = vec![$((stringify!($name), $name as *const ())),*];
            $(calls.extend(per_thread!([$($suffix)?] $name($($argument: $ty),*)));)*
            calls
        }
    };
}

/// Exports the form of a function whose default stream is the thread's own: its name and address.
macro_rules! per_thread {
    ([] $name:ident($($argument:ident: $ty:ty),*)) => { None::<(&'static str, *const ())> };
    ([ptds] $name:ident($($argument:ident: $ty:ty),*)) => { per_thread!("_ptds", $name($($argument: $ty),*)) };
    ([ptsz] $name:ident($($argument:ident: $ty:ty),*)) => { per_thread!("_ptsz", $name($($argument: $ty),*)) };
    ($suffix:literal, $name:ident($($argument:ident: $ty:ty),*)) => {{
        #[unsafe(export_name = concat!(stringify!($name), $suffix))]
        #[allow(clippy::too_many_arguments, reason = "cuda.h has them so")]
        unsafe extern "C" fn call($($argument: $ty),*) -> ::std::ffi::c_int {
            // SAFETY: the caller's pointers are what the function asks for: both forms have the same parameters.
            $crate::context::with_own_default(|| unsafe { $name($($argument),*) })
        }
        Some((concat!(stringify!($name), $suffix), call as *const ()))
    }};
}

/// Names from before a parameter became wider or a rule stricter, whose functions take the same parameters as the newer ones.
macro_rules! also_named {
    ($($name:ident $([$suffix:ident])? = $file:ident::$newer:ident($($argument:ident: $ty:ty),* $(,)?);)*) => {
        $(
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "cuda.h has them so")]
            unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
                // SAFETY: the caller's pointers are what the newer function asks for, which has the same parameters.
                unsafe { $crate::$file::$newer($($argument),*) }
            }
        )*

        /// Names and addresses.
        pub(crate) fn calls() -> Vec<(&'static str, *const ())> {
            let mut calls = vec![$((stringify!($name), $name as *const ())),*];
            $(calls.extend(per_thread!([$($suffix)?] $name($($argument: $ty),*)));)*
            calls
        }
    };
}

/// Functions that add a node to a graph: what each is given behind the parameters that all have, and the task that it says.
macro_rules! node_functions {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),*) $task:block)*) => {
        driver! {$(
            $(#[$meta])*
            fn $name(node: Out<Handle>, graph: Handle, dependencies: In<Handle>, count: usize, $($argument: $ty),*) {
                add::<Cuda>(node, graph, dependencies, count, $task)
            }
        )*}
    };
}
