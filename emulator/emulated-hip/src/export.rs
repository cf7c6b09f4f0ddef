//! The form of each function that is exported.

/// The functions of a file: each is exported under its name, and none lets a panic out. With `since (6, 0)` behind it, a function that
/// an older runtime hasn't: there it answers `hipErrorNotSupported`.
macro_rules! hip {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),* $(,)?) $(since ($major:literal, $minor:literal))? $body:block)*) => {
        $(
            $(#[$meta])*
            ///
            /// # Safety
            /// Each pointer is null, or valid for what `hip_runtime_api.h` says that this function does with it.
            #[unsafe(no_mangle)]
            #[allow(non_snake_case, clippy::too_many_arguments, reason = "hip_runtime_api.h has them so")]
            unsafe extern "C" fn $name($($argument: $ty),*) -> ::std::ffi::c_int {
                $crate::answer::answer(move || {
                    $($crate::process::since($major, $minor)?;)?
                    $body
                })
            }
        )*
    };
}

/// Functions that add a node to a graph: what each is given behind the parameters that all have, and the task that it says.
macro_rules! node_functions {
    ($($(#[$meta:meta])* fn $name:ident($($argument:ident: $ty:ty),*) $task:block)*) => {
        hip! {$(
            $(#[$meta])*
            fn $name(node: Out<Handle>, graph: Handle, dependencies: In<Handle>, count: usize, $($argument: $ty),*) {
                add::<Hip>(node, graph, dependencies, count, $task)
            }
        )*}
    };
}
