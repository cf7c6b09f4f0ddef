//! Tensors in new structs, whose deleters drop what owns the elements.

use super::{ManagedTensor, RawTensor, TensorVersion, VersionedTensor};

/// A tensor in the struct of DLPack before 1.0, with who owns its shape and its elements.
pub(super) fn unversioned<O: Send>(tensor: RawTensor, owner: O) -> *mut ManagedTensor {
    unsafe extern "C" fn delete<O>(tensor: *mut ManagedTensor) {
        // SAFETY: made of two boxes, below, and who has the tensor deletes it once.
        unsafe { drop(Box::from_raw(Box::from_raw(tensor).context.cast::<O>())) };
    }
    let context = Box::into_raw(Box::new(owner)).cast();
    Box::into_raw(Box::new(ManagedTensor { tensor, context, deleter: Some(delete::<O>) }))
}

/// A tensor in the struct of DLPack 1.0, with who owns its shape and its elements.
pub(super) fn versioned<O: Send>(tensor: RawTensor, flags: u64, owner: O) -> *mut VersionedTensor {
    unsafe extern "C" fn delete<O>(tensor: *mut VersionedTensor) {
        // SAFETY: made of two boxes, below, and who has the tensor deletes it once.
        unsafe { drop(Box::from_raw(Box::from_raw(tensor).context.cast::<O>())) };
    }
    let context = Box::into_raw(Box::new(owner)).cast();
    let (version, deleter) = (TensorVersion::OURS, Some(delete::<O> as unsafe extern "C" fn(_)));
    Box::into_raw(Box::new(VersionedTensor { version, context, deleter, flags, tensor }))
}
