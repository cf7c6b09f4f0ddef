//! Reductions of integers by a named operation, as methods.

/// The named operations: `$define` writes a method for each.
macro_rules! named_operations {
    ($define:ident) => {
        $define! {
            /// The sum of the threads' values, wrapping around.
            reduce_add Add;
            /// The least of the threads' values.
            reduce_min Min;
            /// The greatest of the threads' values.
            reduce_max Max;
            /// The bits that are set in all of the threads' values.
            reduce_and And;
            /// The bits that are set in any of the threads' values.
            reduce_or Or;
            /// The bits that are set in an odd number of the threads' values.
            reduce_xor Xor;
        }
    };
}
pub(super) use named_operations;
