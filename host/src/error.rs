use std::fmt;

use gridwright_core::{ConfigError, WorkgroupError};

/// Everything that can go wrong between host and device.
///
/// An error of a launch or a copy means that it didn't happen, except [`KernelPanic`](Self::KernelPanic),
/// which tells of a kernel that ran.
///
/// ```
/// use gridwright::prelude::*;
///
/// let error = Device::cuda(0).unwrap_err();
/// println!("{error}"); // says what is missing, and what there is
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
///
/// Its `Debug` is its `Display`: a `main` that returns an error prints it by `Debug`, and what to do has to be there.
///
/// # From CUDA
/// `cudaError_t`. Each error says what was given and what fits. There is no `cudaGetLastError`: calls return
/// their errors.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device that was asked for isn't there.
    ///
    /// # From CUDA
    /// `cudaErrorNoDevice` and `cudaErrorInvalidDevice`.
    #[error("no device `{asked}`: {reason}; there is: {available} (choose with GRIDWRIGHT_DEVICE)")]
    NoDevice {
        /// The device asked for, as `GRIDWRIGHT_DEVICE` would name it.
        asked: String,
        /// Why there is no such device.
        reason: String,
        /// The devices that there are, as `GRIDWRIGHT_DEVICE` takes them.
        available: String,
    },
    /// A driver isn't there or doesn't start.
    ///
    /// # From CUDA
    /// `cudaErrorInsufficientDriver` and `cudaErrorInitializationError`.
    #[error("no {driver} driver: {reason}; {remedy}")]
    DriverMissing {
        /// The driver.
        driver: &'static str,
        /// What was found of the driver.
        reason: String,
        /// What to do for the driver to be there.
        remedy: &'static str,
    },
    /// The program has no image of a kernel for a device, or no code for the CPU that it is compiled for.
    ///
    /// # From CUDA
    /// `cudaErrorNoKernelImageForDevice`.
    #[error("kernel `{kernel}` can't run on `{device}`: {reason}")]
    ImageMissing {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
        /// What is missing, and what to do.
        reason: String,
    },
    /// The driver doesn't take an image of the program.
    ///
    /// # From CUDA
    /// `cudaErrorInvalidPtx`, `cudaErrorUnsupportedPtxVersion` and `cudaErrorInvalidKernelImage`.
    #[error(
        "kernel `{kernel}`: the driver of `{device}` refuses the image for {architecture}: {reason}{}",
        said(log)
    )]
    ImageRefused {
        /// The kernel that was loaded.
        kernel: &'static str,
        /// The device.
        device: String,
        /// The architecture that the image is for, like `sm_90`.
        architecture: &'static str,
        /// Why the driver refuses the image, and what to do.
        reason: String,
        /// What the driver's compiler said; empty if it said nothing.
        log: String,
    },
    /// A kernel's parameters in the image are not those that the program was built with: the image was exchanged.
    #[error("kernel `{kernel}` on `{device}`: {reason}; build the program again")]
    LayoutMismatch {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
        /// Which parameter, and how it differs.
        reason: String,
    },
    /// The driver refuses a launch whose sizes are within the device's limits. Nothing was launched.
    ///
    /// # From CUDA
    /// `cudaErrorLaunchOutOfResources`, `cudaErrorCooperativeLaunchTooLarge` and
    /// `cudaErrorInvalidClusterSize`.
    #[error("kernel `{kernel}` can't be launched on `{device}`: {reason}")]
    LaunchRefused {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
        /// Why the launch is refused, and what to do.
        reason: String,
    },
    /// A launch asks for what the device or its driver doesn't have, or what can't be recorded in a graph.
    /// Nothing was launched.
    ///
    /// # From CUDA
    /// `cudaErrorNotSupported`, for attributes of launches.
    #[error("kernel `{kernel}` can't be launched on `{device}` with `{attribute}`: {reason}")]
    AttributeUnsupported {
        /// The kernel.
        kernel: &'static str,
        /// The device.
        device: String,
        /// The attribute that was asked for, as [`LaunchConfig`](gridwright_core::LaunchConfig) has it:
        /// `cluster`, `programmatic_dependent` or `preferred_workgroup_memory`.
        attribute: &'static str,
        /// What the attribute takes, and what there is.
        reason: String,
    },
    /// A kernel did what no device survives, like an access beyond all memory by an unsafe kernel, or the
    /// hardware failed. Every later call on the device gives this error again, with its first cause. What was
    /// in its memory is gone. Another device goes on; this one comes back with the next start of the program.
    ///
    /// # From CUDA
    /// Errors that stay, such as `cudaErrorIllegalAddress`, `cudaErrorLaunchFailure` and
    /// `cudaErrorLaunchTimeout`.
    #[error("`{device}` is lost: {cause}{}; start the program again", suspects(kernels))]
    DeviceLost {
        /// The device.
        device: String,
        /// What the driver said first.
        cause: String,
        /// The kernels that were running or waiting, among them the one to blame, if it was a kernel. The driver doesn't
        /// say which.
        kernels: Vec<&'static str>,
    },
    /// A driver call failed.
    ///
    /// # From CUDA
    /// Any other `cudaError_t`.
    #[error("{call} failed on `{device}`: {message}")]
    Backend {
        /// The device.
        device: String,
        /// The driver's function.
        call: &'static str,
        /// The driver's words for the failure.
        message: String,
    },
    /// The emulator found that a kernel did what it mustn't: an access out of bounds, a race, a barrier that
    /// not all threads reach. The launch may have ended there; the device and its buffers stay usable.
    ///
    /// # From CUDA
    /// A finding of `compute-sanitizer`.
    #[error("in kernel `{kernel}`:\n{findings}")]
    KernelFault {
        /// The kernel.
        kernel: &'static str,
        /// The findings, a line each: what, the line of the PTX, group and thread, and where in the source.
        findings: String,
    },
    /// A function of the program that runs in a stream's order, or in a graph, panicked. What comes after it ran all the
    /// same.
    #[error("a host function of a stream or a graph panicked: {message}{}", further(*others))]
    HostPanic {
        /// The panic's message.
        message: String,
        /// How many other panics of host functions there were before this was reported.
        others: u64,
    },
    /// A function of the program that runs in a stream's order, or in a graph, called a stream or a graph.
    ///
    /// # From CUDA
    /// A function of `cudaLaunchHostFunc` can't call CUDA either: there it may be `cudaErrorNotPermitted`.
    #[error(
        "`{call}` in a host function of a stream or a graph: it can't use the device, whose work waits for it; send what is to be done to another thread"
    )]
    InHostFunction {
        /// The call that was made.
        call: &'static str,
    },
    /// A call was made on a stream whose calls are being recorded, and can't be recorded: there is nothing
    /// yet to wait for or to copy to the host. The capture gives this error too.
    ///
    /// # From CUDA
    /// `cudaErrorStreamCaptureUnsupported` of the call, `cudaErrorStreamCaptureInvalidated` of the capture.
    #[error(
        "`{call}` can't be recorded in a graph: while a stream is captured nothing runs; call it before or after the capture"
    )]
    CaptureBroken {
        /// The call that was made.
        call: &'static str,
    },
    /// A call was made on a stream that another thread is capturing.
    #[error(
        "`{call}` on a stream that another thread captures: use another stream, or wait until it is done"
    )]
    StreamCaptured {
        /// The call that was made.
        call: &'static str,
    },
    /// A graph was given memory that the host looks at while the device has it.
    #[error(
        "{place}: a graph can't use memory that the host reads and writes by reference; copy it to a buffer"
    )]
    NotForGraphs {
        /// What the memory was given to.
        place: String,
    },
    /// A node of a graph can't be used here.
    #[error("the node of a graph can't be used here: {reason}")]
    InvalidNode {
        /// Why the node can't be used.
        reason: &'static str,
    },
    /// A profile of the device is being made already.
    #[error(
        "a profile of `{device}` is being made already: there is one at a time; mark parts of it by `Profiler::range`"
    )]
    ProfileActive {
        /// The device.
        device: String,
    },
    /// An environment variable has a value that means nothing.
    #[error("{variable}=`{value}` isn't understood: it takes {expected}")]
    Environment {
        /// The variable.
        variable: &'static str,
        /// The variable's value.
        value: String,
        /// What the variable takes.
        expected: String,
    },
    /// The sizes of a launch don't fit the kernel or the device.
    ///
    /// # From CUDA
    /// `cudaErrorInvalidConfiguration`.
    #[error("kernel `{kernel}`: {reason}")]
    InvalidConfig {
        /// The kernel.
        kernel: &'static str,
        /// Which size, its value and the limit.
        reason: ConfigError,
    },
    /// A launch's workgroup memory doesn't fit the kernel or the device.
    #[error("kernel `{kernel}`: {reason}")]
    WorkgroupMemory {
        /// The kernel.
        kernel: &'static str,
        /// Which parameter, its size and the limit.
        reason: WorkgroupError,
    },
    /// A condition of `#[gpu_kernel(requires = …)]` doesn't hold for the arguments.
    #[error("kernel `{kernel}` requires `{condition}`, but was given {arguments}")]
    Requirement {
        /// The kernel.
        kernel: &'static str,
        /// The condition, as written in the source.
        condition: &'static str,
        /// The arguments' names and sizes.
        arguments: String,
    },
    /// An argument's length doesn't fit its parameter.
    #[error("kernel `{kernel}`, parameter `{parameter}`: {len} elements don't make arrays of {array}")]
    UnevenArrays {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The elements of the buffer.
        len: usize,
        /// The elements of one array.
        array: usize,
    },
    /// An offset is below the one before it.
    #[error("offset {at} is {offset}, below the one before it, which is {before}")]
    DescendingOffsets {
        /// The offset's number.
        at: usize,
        /// The offset before it.
        before: u32,
        /// The offset.
        offset: u32,
    },
    /// An index is twice in a list of distinct ones.
    #[error("index {index} is twice in the list, at {first} and at {second}")]
    RepeatedIndex {
        /// The index.
        index: u32,
        /// Where it is first.
        first: usize,
        /// Where it is again.
        second: usize,
    },
    /// Offsets, indices or numbers of tiles reach beyond the memory that they are passed with.
    #[error(
        "kernel `{kernel}`, parameter `{parameter}`: the list is of {end} {of} at least, and the memory has {len}"
    )]
    BeyondBuffer {
        /// The kernel.
        kernel: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What the list counts: elements or tiles.
        of: &'static str,
        /// One beyond the greatest.
        end: usize,
        /// How many the memory has.
        len: usize,
    },
    /// A buffer, or a part of one, isn't whole vectors.
    #[error(
        "{len} elements that begin {beyond} bytes beyond a vector's place don't make vectors of {vector}: take a part that \
         begins and ends where a vector does"
    )]
    UnevenVectors {
        /// The elements.
        len: usize,
        /// The elements of one vector.
        vector: usize,
        /// The bytes from the last place where a vector may lie to the first element.
        beyond: usize,
    },
    /// An array of another library doesn't lie row after row without gaps: it is transposed, or a part of a larger one.
    #[error(
        "{place}: an array of the shape {shape:?} with the strides {strides:?} doesn't lie row after row; make a contiguous copy first"
    )]
    Strided {
        /// The call that was made.
        place: &'static str,
        /// The size of each dimension.
        shape: Vec<usize>,
        /// The elements from one index of a dimension to the next.
        strides: Vec<isize>,
    },
    /// An array of another library has another shape than the memory that is copied to or from it.
    #[error("{place}: an array of the shape {given:?} where it must be {expected:?}")]
    ShapeMismatch {
        /// The call that was made.
        place: &'static str,
        /// The array's shape.
        given: Vec<usize>,
        /// The memory's shape.
        expected: Vec<usize>,
    },
    /// The elements of another library's array are of another type.
    #[error("{place}: elements of {given} where there must be {expected}")]
    ElementType {
        /// The call that was made.
        place: &'static str,
        /// The type of the elements.
        given: String,
        /// What they must be.
        expected: String,
    },
    /// A stream or memory can't be handed to another library, or taken from it. Nothing was handed over.
    #[error("{call}: {reason}")]
    Interop {
        /// The call that was made.
        call: &'static str,
        /// Why nothing was handed over.
        reason: String,
    },
    /// A buffer was given to another device than its own. [`Stream::copy`](crate::Stream::copy) copies between devices, and
    /// [`Device::enable_peer_access`](crate::Device::enable_peer_access) lets kernels reach another's memory, where they can.
    #[error("{place}: the buffer is of another device (`{buffer_device}`, not `{device}`)")]
    ForeignBuffer {
        /// What the buffer was given to.
        place: String,
        /// The device that the buffer was given to.
        device: String,
        /// The device that the buffer is of.
        buffer_device: String,
    },
    /// A device's kernels can't be let reach another's memory. [`Stream::copy`](crate::Stream::copy) copies
    /// it.
    ///
    /// # From CUDA
    /// `cudaErrorPeerAccessUnsupported`.
    #[error("`{device}` can't reach the memory of `{peer}`: {reason}; copy it instead")]
    PeerAccess {
        /// The device whose kernels would reach the memory.
        device: String,
        /// The device whose memory it is.
        peer: String,
        /// Why the memory can't be reached.
        reason: String,
    },
    /// A stream or an event was given to another device than its own.
    #[error("{place}: the {what} is of another device (`{other}`, not `{device}`)")]
    ForeignStream {
        /// What the stream or the event was given to.
        place: String,
        /// The kind of thing that was given: a stream or an event.
        what: &'static str,
        /// The device that the stream or the event was given to.
        device: String,
        /// The device that the stream or the event is of.
        other: String,
    },
    /// A function of the program was given the memory of a device that isn't the CPU.
    #[error(
        "{call}: the program can't use the memory of `{device}`; launch a kernel, call `on_host`, or choose GRIDWRIGHT_DEVICE=cpu"
    )]
    NotTheCpu {
        /// The call.
        call: &'static str,
        /// The device.
        device: String,
    },
    /// Two lengths that must be equal aren't.
    #[error("{place}: {given} elements where there must be {expected}")]
    LengthMismatch {
        /// The operation.
        place: &'static str,
        /// How many elements were given.
        given: usize,
        /// How many elements there must be.
        expected: usize,
    },
    /// A matrix of these sizes doesn't have as many elements.
    #[error("a matrix of {rows} rows and {cols} columns has {} elements, not {len}", *rows as u128 * *cols as u128)]
    MatrixSize {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
        /// Elements given.
        len: usize,
    },
    /// A matrix has more rows or columns than 32 bits count, which is what GPUs index it with.
    #[error("a matrix of {rows} rows and {cols} columns: there can be at most {} of each", u32::MAX)]
    MatrixLimit {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// A volume of these sizes doesn't have as many elements.
    #[error("a volume of {planes} planes of {rows} rows and {cols} columns doesn't have {len} elements")]
    VolumeSize {
        /// Planes asked for.
        planes: usize,
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
        /// Elements given.
        len: usize,
    },
    /// A volume has more planes, rows or columns than 32 bits count, which is what GPUs index it with.
    #[error(
        "a volume of {planes} planes of {rows} rows and {cols} columns: there can be at most {} of each",
        u32::MAX
    )]
    VolumeLimit {
        /// Planes asked for.
        planes: usize,
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        cols: usize,
    },
    /// A texture of these sizes doesn't have as many texels, or has none.
    #[error("a texture of {} texels can't be made of {len}{}", by(extent), none(*len))]
    TextureSize {
        /// Width, height, and depth or layers.
        extent: [usize; 3],
        /// Texels given.
        len: usize,
    },
    /// A texture is larger than the device takes.
    #[error("a texture of {} texels: `{device}` takes at most {}", by(extent), by(limit))]
    TextureLimit {
        /// The device.
        device: String,
        /// Width, height, and depth or layers.
        extent: [usize; 3],
        /// The most of width, height, and depth or layers, in a texture of this kind.
        limit: [usize; 3],
    },
    /// A texture can't be sampled as was asked.
    #[error("{reason}")]
    TextureSampling {
        /// Why the texture can't be sampled so, and what can be done.
        reason: &'static str,
    },
    /// A driver has no textures.
    #[error("`{device}` has no textures: its driver lacks `{lacking}`; a newer one has it")]
    TexturesMissing {
        /// The device.
        device: String,
        /// The function that the driver lacks.
        lacking: &'static str,
    },
    /// A range reaches beyond the buffer, or ends before it starts.
    #[error("elements {start}..{end} of a buffer of {len}")]
    OutOfRange {
        /// The first element.
        start: usize,
        /// One beyond the last element.
        end: usize,
        /// The elements of the buffer.
        len: usize,
    },
    /// The device has no memory for what was asked.
    ///
    /// # From CUDA
    /// `cudaErrorMemoryAllocation`.
    #[error("out of memory: {} on `{device}`{}", asked(*requested), memory(*free, *total))]
    OutOfMemory {
        /// The device.
        device: String,
        /// The bytes asked for. `u128`: elements times their size may not fit a `usize`. Zero where the driver itself needs
        /// memory and doesn't say how much.
        requested: u128,
        /// The bytes that are free, if the device says.
        free: Option<usize>,
        /// The bytes that there are, if the device says.
        total: Option<usize>,
    },
    /// A thread of a kernel panicked, or a workgroup. The launch ended; the device and its buffers stay
    /// usable, and what the kernel had written is in them.
    ///
    /// # From CUDA
    /// `assert` in a kernel. `cudaErrorAssert` ends the use of the device; a panic doesn't.
    #[error(
        "kernel `{kernel}` panicked at {file}:{line}:{column}, in thread {} of group {}: {message}{}",
        dim(*thread), dim(*group), further(*others)
    )]
    KernelPanic {
        /// The kernel. On a GPU, if several ran side by side, those that it may have been.
        kernel: &'static str,
        /// The panic's message. A GPU leaves out values in it.
        message: String,
        /// The source file.
        file: String,
        /// The line in the source file.
        line: u32,
        /// The column in the line.
        column: u32,
        /// The workgroup along x, y and z.
        group: [u32; 3],
        /// The thread in its workgroup along x, y and z.
        thread: [u32; 3],
        /// How many other panics there were before this was reported. On the CPU a panic ends the launch: there it is
        /// those of other launches.
        others: u64,
    },
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What is said of other panics.
fn further(others: u64) -> String {
    match others {
        0 => String::new(),
        1 => "; there was another panic".into(),
        others => format!("; there were {others} other panics"),
    }
}

/// Sizes of a texture.
fn by([width, height, depth]: &[usize; 3]) -> String {
    format!("{width} by {height} by {depth}")
}

/// What to do where there are no texels.
fn none(len: usize) -> &'static str {
    if len == 0 { ": it takes at least one" } else { "" }
}

/// A position in the notation of sizes, without the axes that are zero.
fn dim([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (0, 0) => x.to_string(),
        (_, 0) => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

/// What the compiler said, on lines of its own.
fn said(log: &str) -> String {
    if log.is_empty() { String::new() } else { format!("\n{log}") }
}

/// The kernels that may be to blame.
fn suspects(kernels: &[&str]) -> String {
    let names: Vec<_> = kernels.iter().map(|name| format!("`{name}`")).collect();
    match names.as_slice() {
        [] => String::new(),
        [kernel] => format!(", in kernel {kernel}"),
        _ => format!(", in one of the kernels {}", names.join(", ")),
    }
}

/// What there was no memory for.
fn asked(requested: u128) -> String {
    if requested == 0 { "what the driver needs".into() } else { format!("{requested} bytes") }
}

/// How much memory there is.
fn memory(free: Option<usize>, total: Option<usize>) -> String {
    match (free, total) {
        (Some(free), Some(total)) => format!(", of whose {total} bytes {free} are free"),
        _ => String::new(),
    }
}
