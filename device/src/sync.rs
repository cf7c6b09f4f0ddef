use crate::{Thread, arch};

/// Waits until all threads of the workgroup have called it. The thread then sees what the others wrote before.
///
/// It is for kernels that are an `unsafe fn` of a `Thread`. In others each phase ends with a barrier of its own.
///
/// A thread that has returned isn't waited for, as on NVIDIA's GPUs since Volta. A panic ends the launch on the CPU, and
/// with it the threads that wait, whose values are dropped; on a GPU it ends its thread.
///
/// # Safety
/// - Every thread of the group that hasn't returned calls it, the same call, and as often. In code that some threads
///   skip or repeat more often than others, it may be reached by all of them or by none.
/// - `t` is the thread that the kernel was given.
///
/// # Panics
/// On the CPU, if the kernel isn't an `unsafe fn` of a `Thread`: there is nothing that could wait.
///
/// ```
/// use gridwright::prelude::*;
///
/// /// Each group turns its part of `x` around.
/// ///
/// /// # Safety
/// /// `x` has `n` elements, and groups have 256 threads.
/// #[gpu_kernel(block = 256)]
/// unsafe fn reverse(t: Thread, x: *mut u32, n: usize, mut tile: Workgroup<[u32; 256]>) {
///     let (i, l, tile) = (t.col(), t.local().x, tile.as_mut_ptr());
///     if i < n {
///         unsafe { *tile.add(l) = *x.add(i) };
///     }
///     unsafe { sync_threads(t) };
///     if i < n {
///         unsafe { *x.add(i) = *tile.add(255 - l) };
///     }
/// }
///
/// # fn main() -> Result<(), gridwright::Error> {
/// let device = Device::cpu()?;
/// let stream = device.stream()?;
/// let x: Vec<u32> = (0..512).collect();
/// let mut reversed = stream.upload(&x)?;
/// let kernel = reverse::load(&device)?;
/// // SAFETY: the buffer has as many elements, in whole groups.
/// unsafe { kernel.launch(&stream, LaunchConfig::threads(512), (&mut reversed, 512))? };
/// let reversed = stream.download(&reversed)?;
/// assert_eq!((reversed[0], reversed[511]), (255, 256));
/// # Ok(())
/// # }
/// ```
///
/// # From CUDA
/// `__syncthreads()`.
#[inline(always)]
#[track_caller]
pub unsafe fn sync_threads(t: Thread<'_>) {
    // SAFETY: all threads of the group that are left make this call, as often, and `t` is the kernel's, as this function asks.
    unsafe { arch::sync_threads(t) }
}
