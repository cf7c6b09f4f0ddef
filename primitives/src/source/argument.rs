//! Generic structs as kernel arguments.

/// Implements `KernelArg` for structs that are generic over kernel arguments. They are packed, so that there is no padding, whatever the
/// fields are.
macro_rules! argument {
    ([$($generics:tt)*] $name:ty { $($field:ident: $kind:ty),* }) => {
        // SAFETY: each field is a kernel argument, of which any bytes are a value.
        unsafe impl<$($generics)*> gridwright::__private::bytemuck::Zeroable for $name {}
        // SAFETY: the order of the fields is fixed, a packed struct has no padding, and each field is `Pod`.
        unsafe impl<$($generics)*> gridwright::__private::bytemuck::Pod for $name {}
        // SAFETY: `repr(C)`, aligned to a byte; the layout is made of the fields' own.
        unsafe impl<$($generics)*> gridwright::KernelArg for $name {
            const LAYOUT: gridwright::__private::Layout =
                gridwright::__private::Layout::structure(size_of::<Self>(), align_of::<Self>())
                    $(.field(core::mem::offset_of!(Self, $field), gridwright::__private::Layout::of::<$kind>()))*;
        }
    };
}

pub(crate) use argument;
