use crate::arch::{self, GroupShape};
use crate::{Access, Group, GroupMemory};

impl<S: GroupShape> Group<'_, S> {
    /// Copies `from[start..]` to workgroup memory, as [`load`](Self::load) does, for pieces of some KiB.
    /// Where the hardware can, one thread has it copy them, and the others wait at the barrier.
    ///
    /// On NVIDIA's GPUs from sm_90 on that is one `cp.async.bulk` for the whole piece, which takes no registers and no instruction for
    /// each element: what the other groups of a multiprocessor compute hides it. What isn't a multiple of 16 bytes, at the beginning
    /// and at the end, the threads copy. They copy all where the first element of `to` and the one that it gets don't lie alike in their
    /// 16 bytes, and elsewhere.
    ///
    /// The copy is one phase. For copies that run while the group itself computes there is [`copies`](Self::copies): those need many
    /// instructions, but a thread that panics while they run leaves nothing behind. A bulk copy that outlived its group would write to
    /// another's memory.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// /// The sum of each KiB of elements.
    /// #[gpu_kernel(block = 128)]
    /// fn sums(g: &Group, x: &[f32], mut out: PerGroup<[f32]>, mut piece: Workgroup<[f32; 1024]>) {
    ///     g.load_bulk(&mut piece, x, g.index() * 1024);
    ///     let sums = g.map(piece.shared(), |t, piece| {
    ///         let mut sum = 0.0;
    ///         for i in (t.local().x..1024).step_by(128) {
    ///             sum += piece[i];
    ///         }
    ///         sum
    ///     });
    ///     let sum = g.reduce(&sums, |a, b| a + b);
    ///     out.set(g, sum);
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let x = stream.upload(&[1.0; 1500])?;
    /// let mut out = stream.alloc_zeroed(2)?;
    /// sums::load(&device)?.launch(&stream, LaunchConfig::grid(2, 128), (&x, &mut out))?;
    /// assert_eq!(stream.download(&out)?, [1024.0, 476.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `cuda::device::memcpy_async_tx` with a `cuda::barrier`: `cp.async.bulk`.
    #[inline(always)]
    pub fn load_bulk<M: GroupMemory>(&self, to: &mut M, from: &[M::Element], start: usize) {
        let to = to.elements();
        self.context.begin(Access::Write);
        // SAFETY: the memory is borrowed exclusively, and what is copied is shared.
        unsafe { arch::load_bulk(&self.context, to.cast(), to.len(), from, start) };
        self.context.end(Access::Write);
    }
}
