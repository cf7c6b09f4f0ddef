use crate::{Scope, Thread, arch};

impl Thread<'_> {
    /// The cycles that the thread's processor has counted. The difference of two reads by one thread is what
    /// the code between them took, with what else the processor did meanwhile.
    ///
    /// On gfx11 the counter has 20 bits and runs over. The CPU counts nanoseconds.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// #[gpu_kernel]
    /// fn time_of_a_square_root(t: Thread, x: &[f32], mut cycles: PerThread<[u64]>, mut roots: PerThread<[f32]>) {
    ///     let start = t.clock();
    ///     if let Some(root) = roots.get_mut(t) {
    ///         *root = x[t.index()].sqrt();
    ///     }
    ///     if let Some(cycles) = cycles.get_mut(t) {
    ///         *cycles = t.clock().wrapping_sub(start);
    ///     }
    /// }
    /// ```
    ///
    /// # From CUDA
    /// `clock64()`.
    #[inline(always)]
    pub fn clock(self) -> u64 {
        arch::clock()
    }

    /// Nanoseconds since some time in the past, the same for all threads of the device. The clock goes on by
    /// steps that can be as long as a microsecond, on AMD's GPUs of 10 ns.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, mut times: PerThread<[u64]>) {
    /// let now = t.nanoseconds();
    /// if let Some(time) = times.get_mut(t) {
    ///     *time = now;
    /// }
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// PTX's `%globaltimer`.
    #[inline(always)]
    pub fn nanoseconds(self) -> u64 {
        arch::nanoseconds()
    }

    /// Sleeps for about `nanoseconds`, at most a millisecond, for threads that wait for what others write atomically.
    /// It may be up to twice as long, or not at all.
    ///
    /// Waiting for other threads of the launch is right only if they run at the same time: in one group of an `unsafe` kernel
    /// they do on GPUs, and in different groups in a cooperative launch.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, ready: Atomic<[u32]>) {
    /// while ready.load(t, 0, Scope::Device, Ordering::Acquire) == 0 {
    ///     t.sleep(100);
    /// }
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__nanosleep`.
    #[inline(always)]
    pub fn sleep(self, nanoseconds: u32) {
        arch::sleep(nanoseconds.min(MOST_SLEEP));
    }

    /// Ends the launch as a failure of the device, as nothing else does.
    ///
    /// The launch's results are lost with all else on the device: later calls are [`Error::DeviceLost`]. A panic ends a
    /// thread, and the device stays usable.
    ///
    /// On AMD's GPUs and on the CPU it is a panic.
    ///
    /// [`Error::DeviceLost`]: https://docs.rs/gridwright/latest/gridwright/enum.Error.html
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, is_broken: bool) {
    /// if is_broken {
    ///     t.trap();
    /// }
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__trap()`.
    #[inline(always)]
    #[track_caller]
    pub fn trap(self) -> ! {
        arch::trap()
    }

    /// Stops here in a debugger. Without a debugger a GPU of NVIDIA's takes it for a [`trap`](Self::trap), one of
    /// AMD's goes on, and on the CPU the program ends.
    ///
    /// ```
    /// # use gridwright::prelude::*;
    /// # fn in_a_kernel(t: Thread, x: f32) {
    /// if x.is_nan() {
    ///     t.breakpoint();
    /// }
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// `__brkpt()`.
    #[inline(always)]
    pub fn breakpoint(self) {
        arch::breakpoint();
    }
}

/// Nanoseconds that the hardware's instruction takes, at most.
const MOST_SLEEP: u32 = 1_000_000;

/// Orders the thread's writes: threads in the scope see what it wrote before the fence no later than what it writes after it.
///
/// It is for kernels that are an `unsafe fn`, and order by it what they write through raw pointers. Nothing needs it on
/// safe memory.
///
/// It isn't a barrier: nobody waits. On AMD's GPUs it always reaches the whole system.
///
/// ```
/// use gridwright::atomic::fence;
/// use gridwright::prelude::*;
///
/// /// The first thread of each group leaves the group's number and then says so.
/// ///
/// /// # Safety
/// /// `numbers` and `flags` have an element for each group.
/// #[gpu_kernel]
/// unsafe fn publish(t: Thread, numbers: *mut u32, flags: *mut u32) {
///     let group = t.group_index();
///     if t.local().x == 0 {
///         unsafe { numbers.add(group).write_volatile(group as u32) };
///         fence(t, Scope::Device);
///         unsafe { flags.add(group).write_volatile(1) };
///     }
/// }
/// ```
///
/// # From CUDA
/// `__threadfence_block()`, `__threadfence()` and `__threadfence_system()`.
#[inline(always)]
pub fn fence(_: Thread<'_>, scope: Scope) {
    arch::fence_of(scope);
}
