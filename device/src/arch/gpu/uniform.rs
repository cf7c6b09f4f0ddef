use gridwright_core::{KernelArg, Uniform};

use crate::{
    Atomic, ClusterAtomics, ClusterMemory, ClusterParts, GridMemory, Matrix, Slots, Volume, Workgroup,
};

// SAFETY: elements have no cells. Of a type parameter the compiler wouldn't know.
unsafe impl<T: KernelArg> Uniform for Matrix<T> {}
// SAFETY: elements have no cells. Of a type parameter the compiler wouldn't know.
unsafe impl<T: KernelArg> Uniform for Volume<T> {}
// SAFETY: it gives views only, and what is read of it at group or warp level is the same for all.
unsafe impl<S: ?Sized + Slots> Uniform for Workgroup<'_, S> {}
// SAFETY: it gives views only.
unsafe impl<S: ?Sized + Slots> Uniform for GridMemory<'_, S> {}
// SAFETY: its updates take a thread, which code at group level doesn't have.
unsafe impl<S: ?Sized> Uniform for Atomic<'_, S> {}
// SAFETY: nothing changes it, and nothing is read of it.
unsafe impl<S: ?Sized + Slots> Uniform for ClusterMemory<'_, S> {}
// SAFETY: while a group has it, nobody writes what it reads.
unsafe impl<S: ?Sized + Slots> Uniform for ClusterParts<'_, S> {}
// SAFETY: its updates take a thread, which code at group level doesn't have.
unsafe impl<S: ?Sized + Slots> Uniform for ClusterAtomics<'_, S> {}
