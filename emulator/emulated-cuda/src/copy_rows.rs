//! Copies of several rows, of which arrays can be a part.

use std::ffi::c_uint;
use std::sync::Arc;

use crate::abi::In;
use crate::array::{self, Array};
use crate::copy::Host;
use crate::error::Error;
use crate::locks::read;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::queue::Work;
use crate::registry::Handle;
use crate::stream;

/// `CUDA_MEMCPY3D_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CopyParameters {
    pub(crate) from: CopySide,
    pub(crate) to: CopySide,
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct CopySide {
    pub(crate) x: usize,
    pub(crate) y: usize,
    pub(crate) z: usize,
    pub(crate) level: usize,
    pub(crate) kind: c_uint,
    pub(crate) host: usize,
    pub(crate) device: u64,
    pub(crate) array: Handle,
    pub(crate) reserved: usize,
    pub(crate) pitch: usize,
    pub(crate) height: usize,
}

const HOST: c_uint = 1;
const DEVICE: c_uint = 2;
const ARRAY: c_uint = 3;

/// One side of a copy: where its rows begin.
struct Rows {
    first: u64,
    pitch: u64,
    plane: u64,
    is_host: bool,
    /// What keeps the memory.
    _array: Option<Arc<Array>>,
}

impl Rows {
    /// # Errors
    /// Where rows overlap, or aren't all there.
    fn new(process: &Process, side: &CopySide, whole: &CopyParameters) -> Result<Self, Error> {
        let (width, height, depth) = (whole.width, whole.height, whole.depth);
        if side.level != 0 || side.reserved != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let (base, pitch, rows, array) = match side.kind {
            HOST if side.host != 0 => (side.host as u64, side.pitch, side.height, None),
            DEVICE => (side.device, side.pitch, side.height, None),
            ARRAY => {
                let array = array::find(side.array)?;
                let shape = array.texels.shape();
                let [columns, rows, planes] = shape.extent.map(|size| size as usize);
                let row = columns * shape.texel_bytes() as usize;
                let fits = |start: usize, size: usize, most: usize| {
                    start.checked_add(size).is_some_and(|end| end <= most)
                };
                if !fits(side.x, width, row) || !fits(side.y, height, rows) || !fits(side.z, depth, planes) {
                    return Err(Error::INVALID_VALUE);
                }
                (array.texels.address(), row, rows, Some(array))
            }
            _ => return Err(Error::INVALID_VALUE),
        };
        // Zeros, where there is one row or one plane.
        let pitch = if pitch == 0 { width } else { pitch };
        let rows = if rows == 0 { height } else { rows };
        let end = side.x.checked_add(width).ok_or(Error::INVALID_VALUE)?;
        if pitch < end && (height > 1 || depth > 1) {
            return Err(Error::INVALID_VALUE);
        }
        let plane = pitch.checked_mul(rows).ok_or(Error::INVALID_VALUE)?;
        let offset = side.z.checked_mul(plane).and_then(|z| side.y.checked_mul(pitch)?.checked_add(z));
        let offset = offset.and_then(|offset| offset.checked_add(side.x)).ok_or(Error::INVALID_VALUE)?;
        let last =
            (depth - 1).checked_mul(plane).and_then(|z| (height - 1).checked_mul(pitch)?.checked_add(z));
        let bytes = last.and_then(|last| last.checked_add(width)).ok_or(Error::INVALID_VALUE)?;
        let first = base.checked_add(offset as u64).ok_or(Error::INVALID_VALUE)?;
        let is_host = side.kind == HOST;
        if !is_host && !is_covered(process, first, bytes as u64) {
            return Err(Error::INVALID_VALUE);
        }
        Ok(Self { first, pitch: pitch as u64, plane: plane as u64, is_host, _array: array })
    }

    fn at(&self, row: usize, plane: usize) -> u64 {
        self.first + row as u64 * self.pitch + plane as u64 * self.plane
    }
}

/// Addresses of each row on both sides of a copy on the device, which a graph makes.
///
/// # Errors
/// Where rows overlap, or aren't all there; of arrays and the host's memory.
pub(crate) fn device_rows(process: &Process, whole: &CopyParameters) -> Result<Vec<(u64, u64)>, Error> {
    if whole.from.kind != DEVICE || whole.to.kind != DEVICE {
        return Err(Error::NOT_SUPPORTED);
    }
    let (from, to) = (Rows::new(process, &whole.from, whole)?, Rows::new(process, &whole.to, whole)?);
    let planes = 0..whole.depth;
    let rows = planes.flat_map(|plane| (0..whole.height).map(move |row| (row, plane)));
    Ok(rows.map(|(row, plane)| (to.at(row, plane), from.at(row, plane))).collect())
}

/// Host memory is read before this returns, and written before too, whether or not it is pinned.
fn copy(whole: &CopyParameters, stream: Handle, waits: bool) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    let process = process()?;
    let &CopyParameters { width, height, depth, .. } = whole;
    if width == 0 || height == 0 || depth == 0 {
        return Ok(());
    }
    let (from, to) = (Rows::new(process, &whole.from, whole)?, Rows::new(process, &whole.to, whole)?);
    let places = move || (0..depth).flat_map(move |plane| (0..height).map(move |row| (row, plane)));
    let staged = if from.is_host {
        let mut staged = Vec::with_capacity(width * height * depth);
        for (row, plane) in places() {
            let host = Host::new(from.at(row, plane) as usize, width)?;
            // SAFETY: the call hasn't returned.
            staged.extend_from_slice(unsafe { host.read() });
        }
        Some(staged)
    } else {
        None
    };
    let is_awaited = waits || to.is_host;
    let emulator = &process.emulator;
    let copied = stream.submit(Work::run(move || {
        let _running = read(&process.running);
        let mut bytes = vec![0; width];
        for (i, (row, plane)) in places().enumerate() {
            match &staged {
                Some(staged) => bytes.copy_from_slice(&staged[i * width..(i + 1) * width]),
                None => {
                    emulator.read(from.at(row, plane), &mut bytes).map_err(|_| Error::ILLEGAL_ADDRESS)?;
                }
            }
            if to.is_host {
                // SAFETY: the call is waiting below.
                unsafe { Host::new(to.at(row, plane) as usize, width)?.write() }.copy_from_slice(&bytes);
            } else {
                emulator.write(to.at(row, plane), &bytes).map_err(|_| Error::ILLEGAL_ADDRESS)?;
            }
        }
        Ok(())
    }))?;
    if is_awaited {
        copied.wait();
    }
    stream.context.check()
}

driver! {
    fn cuMemcpy3D_v2(parameters: In<CopyParameters>) {
        copy(&parameters.get()?, Handle::NULL, true)
    }

    fn cuMemcpy3DAsync_v2(parameters: In<CopyParameters>, stream: Handle) {
        copy(&parameters.get()?, stream, false)
    }
}
