use std::sync::Arc;
use std::time::Instant;

use super::nvtx::Pushed;
use super::recorder::Recorder;
use super::span::Piece;
use super::{Measured, Profile};
use crate::submission::forbid;
use crate::{Device, Error};

/// A profile in the making. The closure of [`Device::profile`] gets it, to say more of what is measured.
///
/// ```
/// # let device = gridwright::Device::cpu()?;
/// let (sum, profile) = device.profile(|p| Ok(p.range("sum", || (1..100).sum::<u32>())))?;
/// assert_eq!((sum, profile.rows()[0].name.as_str()), (4950, "sum"));
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Debug)]
pub struct Profiler {
    recorder: Arc<Recorder>,
}

impl Profiler {
    /// Runs something, which the profile has a row for and the trace a range of this thread, also where it panics. Ranges may
    /// be in ranges.
    ///
    /// NVIDIA's tools see the range too: under Nsight Systems and Nsight Compute, and where `libnvToolsExt`
    /// is installed.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|p| {
    ///     p.range("prepare", || {
    ///         let table = stream.upload(&[1.0_f32; 1000])?;
    ///         stream.synchronize()
    ///     })
    /// })?;
    /// println!("{profile}");
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// `nvtxRangePush` and `nvtxRangePop`.
    pub fn range<R>(&self, name: &str, run: impl FnOnce() -> R) -> R {
        let _range =
            Range { recorder: &self.recorder, name, start: Instant::now(), _pushed: Pushed::new(name) };
        run()
    }

    /// Says how many bytes of memory each launch of a kernel, or each replay of a graph, reads and writes, from here on: the
    /// table then has bytes a second of it. Those of copies and fills are known.
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// #[gpu_kernel]
    /// fn double(t: Thread, mut x: PerThread<[f32]>) {
    ///     if let Some(x) = x.get_mut(t) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let kernel = double::load(&device)?;
    /// let mut x = stream.alloc_zeroed::<f32>(1000)?;
    /// let ((), profile) = device.profile(|p| {
    ///     p.declare(&kernel, 2 * 4 * 1000); // each element is read and written
    ///     kernel.launch(&stream, LaunchConfig::threads(1000), (&mut x,))
    /// })?;
    /// assert_eq!(profile.row("double").and_then(|row| row.bytes), Some(8000));
    /// # Ok(())
    /// # }
    /// ```
    pub fn declare(&self, work: &impl Measured, bytes_a_call: u64) {
        self.recorder.declare(work.name(), bytes_a_call);
    }
}

struct Range<'r> {
    recorder: &'r Recorder,
    name: &'r str,
    start: Instant,
    _pushed: Pushed,
}

impl Drop for Range<'_> {
    fn drop(&mut self) {
        self.recorder.add_host(Piece::range(self.name), self.start, Instant::now());
    }
}

/// The device's profile, which ends when this is dropped: also where the closure panics.
struct Active<'d>(&'d Device);

impl Drop for Active<'_> {
    fn drop(&mut self) {
        self.0.profiles().end();
    }
}

impl Device {
    /// Runs something, and measures what the device does meanwhile, on all streams and for all threads: launches, replays of
    /// graphs, copies, fills and host functions, each from when its stream gets to it until it is done, and the time for
    /// which the host waits. At the end it waits for what it measures.
    ///
    /// On a GPU the time is the device's, by events. What is submitted to an idle stream begins with its first event, so that
    /// a few microseconds in which the host submits the work itself are in it. A copy from or to another device also has the time
    /// for which it waits for that one. On the CPU and on the emulator in the program, the time is that of the call that does the
    /// work.
    ///
    /// Other threads may go on with the device; what they are submitting when `run` returns isn't measured. While a profile
    /// is made, threads that share a stream of a GPU submit to it one after another. Without one, a launch costs a look at a flag more
    /// than if there were no profiles.
    ///
    /// Panics of kernels, and what they print, are reported as ever: by the next call that synchronises, not by this.
    ///
    /// # Errors
    /// What `run` gives, but nothing has to be an error of it: `Ok` may hold a `Result` of another kind.
    /// [`Error::ProfileActive`] if a profile of the device is being made already, in `run` itself or by another thread;
    /// [`Error::DeviceLost`], [`Error::Backend`].
    ///
    /// ```
    /// use gridwright::prelude::*;
    ///
    /// #[gpu_kernel]
    /// fn double(t: Thread, mut x: PerThread<[f32]>) {
    ///     if let Some(x) = x.get_mut(t) {
    ///         *x *= 2.0;
    ///     }
    /// }
    ///
    /// # fn main() -> Result<(), gridwright::Error> {
    /// let device = Device::cpu()?;
    /// let stream = device.stream()?;
    /// let kernel = double::load(&device)?;
    /// let (doubled, profile) = device.profile(|_| {
    ///     let mut x = stream.upload(&[1.0; 1000])?;
    ///     for _ in 0..3 {
    ///         kernel.launch(&stream, LaunchConfig::threads(1000), (&mut x,))?;
    ///     }
    ///     stream.download(&x)
    /// })?;
    /// assert_eq!(doubled, [8.0; 1000]);
    /// assert_eq!(profile.row("double").map(|row| row.calls), Some(3));
    /// println!("{profile}");
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # From CUDA
    /// What Nsight Systems shows of kernels and copies. Here the program measures itself, on a GPU by events.
    pub fn profile<R>(&self, run: impl FnOnce(&Profiler) -> Result<R, Error>) -> Result<(R, Profile), Error> {
        forbid("profile")?;
        let recorder = Arc::new(Recorder::new(self)?);
        if !self.profiles().begin(&recorder) {
            return Err(Error::ProfileActive { device: self.identity() });
        }
        let active = Active(self);
        let result = run(&Profiler { recorder: Arc::clone(&recorder) })?;
        let elapsed = recorder.elapsed();
        let recorded = recorder.finish()?;
        drop(active);
        Ok((result, Profile::new(self.name(), elapsed, recorded)))
    }
}
