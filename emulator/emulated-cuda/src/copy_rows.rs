//! Copies of several rows, of which arrays can be a part.

use std::ffi::c_uint;
use std::sync::Arc;

use crate::abi::In;
use crate::array;
use crate::context::{self, Cuda};
use crate::copy::{Form, Place, Side, Transfer};
use crate::error::Error;
use crate::memory::is_covered;
use crate::process::{Process, process};
use crate::registry::Handle;
use crate::shared::graph;
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

/// Host or device, as the address says.
const UNIFIED: c_uint = 4;

/// `CUDA_MEMCPY2D_v2`.
#[derive(Clone, Copy)]
#[repr(C)]
struct FlatParameters {
    from: FlatSide,
    to: FlatSide,
    width: usize,
    height: usize,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct FlatSide {
    x: usize,
    y: usize,
    kind: c_uint,
    host: usize,
    device: u64,
    array: Handle,
    pitch: usize,
}

impl FlatParameters {
    fn parameters(&self) -> CopyParameters {
        let side = |side: &FlatSide| {
            let &FlatSide { x, y, kind, host, device, array, pitch } = side;
            CopySide { x, y, z: 0, level: 0, kind, host, device, array, reserved: 0, pitch, height: 0 }
        };
        let &Self { width, height, .. } = self;
        CopyParameters { from: side(&self.from), to: side(&self.to), width, height, depth: 1 }
    }
}

impl CopySide {
    /// Where its rows begin.
    ///
    /// # Errors
    /// Where rows overlap, or aren't all there.
    fn rows(&self, process: &Process, whole: &CopyParameters) -> Result<Side, Error> {
        let (width, height, depth) = (whole.width, whole.height, whole.depth);
        if self.level != 0 || self.reserved != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let (base, pitch, rows, array) = match self.kind {
            HOST if self.host != 0 => (self.host as u64, self.pitch, self.height, None),
            DEVICE | UNIFIED if self.device != 0 => (self.device, self.pitch, self.height, None),
            ARRAY => {
                let array = array::find(self.array)?;
                let shape = array.texels.shape();
                let [columns, rows, planes] = shape.extent.map(|size| size as usize);
                let row = columns * shape.texel_bytes() as usize;
                let fits = |start: usize, size: usize, most: usize| {
                    start.checked_add(size).is_some_and(|end| end <= most)
                };
                if !fits(self.x, width, row) || !fits(self.y, height, rows) || !fits(self.z, depth, planes) {
                    return Err(Error::INVALID_VALUE);
                }
                (array.texels.address(), row, rows, Some(array))
            }
            _ => return Err(Error::INVALID_VALUE),
        };
        // Zeros, where there is one row or one plane.
        let pitch = if pitch == 0 { width } else { pitch };
        let rows = if rows == 0 { height } else { rows };
        let end = self.x.checked_add(width).ok_or(Error::INVALID_VALUE)?;
        let bottom = self.y.checked_add(height).ok_or(Error::INVALID_VALUE)?;
        if (pitch < end && (height > 1 || depth > 1)) || (rows < bottom && depth > 1) {
            return Err(Error::INVALID_VALUE);
        }
        let plane = pitch.checked_mul(rows).ok_or(Error::INVALID_VALUE)?;
        let offset = self.z.checked_mul(plane).and_then(|z| self.y.checked_mul(pitch)?.checked_add(z));
        let offset = offset.and_then(|offset| offset.checked_add(self.x)).ok_or(Error::INVALID_VALUE)?;
        let last =
            (depth - 1).checked_mul(plane).and_then(|z| (height - 1).checked_mul(pitch)?.checked_add(z));
        let bytes = last.and_then(|last| last.checked_add(width)).ok_or(Error::INVALID_VALUE)?;
        let first = base.checked_add(offset as u64).ok_or(Error::INVALID_VALUE)?;
        let place = Place::of(first, bytes);
        let is_known = match place {
            Place::Pageable => self.kind != DEVICE,
            _ => is_covered(process, first, bytes as u64),
        };
        if !is_known {
            return Err(Error::INVALID_VALUE);
        }
        Ok(Side { first, pitch: pitch as u64, plane: plane as u64, place, array })
    }
}

impl CopyParameters {
    /// # Errors
    /// Where rows overlap, or aren't all there; for a copy of nothing.
    pub(crate) fn transfer(&self, process: &Process) -> Result<Transfer, Error> {
        let size = [self.width, self.height, self.depth];
        if size.contains(&0) {
            return Err(Error::INVALID_VALUE);
        }
        let (from, to) = (self.from.rows(process, self)?, self.to.rows(process, self)?);
        Ok(Transfer { from, to, size, given: Some(Arc::new(*self)) })
    }

    /// A node that copies so.
    pub(crate) fn task(&self, process: &Process) -> Result<graph::Task<Cuda>, Error> {
        Ok(graph::Task::Copy(self.transfer(process)?))
    }

    /// The parameters of a copy.
    pub(crate) fn of(transfer: &Transfer) -> Self {
        if let Some(given) = &transfer.given {
            return **given;
        }
        let side = |side: &Side| CopySide {
            x: 0,
            y: 0,
            z: 0,
            level: 0,
            kind: UNIFIED,
            host: 0,
            device: side.first,
            array: Handle::NULL,
            reserved: 0,
            pitch: 0,
            height: 0,
        };
        let [width, height, depth] = transfer.size;
        Self { from: side(&transfer.from), to: side(&transfer.to), width, height, depth }
    }

    /// A copy between peers: it names two contexts in the place of what is reserved, null ones too.
    fn between_peers(mut self) -> Result<Self, Error> {
        for side in [&mut self.from, &mut self.to] {
            let context = Handle(std::mem::take(&mut side.reserved));
            if context != Handle::NULL {
                context::find(context)?.check()?;
            }
        }
        Ok(self)
    }
}

fn copy(whole: &CopyParameters, stream: Handle, form: Form) -> Result<(), Error> {
    let stream = stream::find(stream)?;
    if whole.width == 0 || whole.height == 0 || whole.depth == 0 {
        return Ok(());
    }
    whole.transfer(process()?)?.submit(&stream, form)
}

driver! {
    fn cuMemcpy2D_v2[ptds](parameters: In<FlatParameters>) {
        copy(&parameters.get()?.parameters(), Handle::NULL, Form::Plain)
    }

    /// Any pitch will do, here also for the other form.
    fn cuMemcpy2DUnaligned_v2[ptds](parameters: In<FlatParameters>) {
        copy(&parameters.get()?.parameters(), Handle::NULL, Form::Plain)
    }

    fn cuMemcpy2DAsync_v2[ptsz](parameters: In<FlatParameters>, stream: Handle) {
        copy(&parameters.get()?.parameters(), stream, Form::Async)
    }

    fn cuMemcpy3D_v2[ptds](parameters: In<CopyParameters>) {
        copy(&parameters.get()?, Handle::NULL, Form::Plain)
    }

    fn cuMemcpy3DAsync_v2[ptsz](parameters: In<CopyParameters>, stream: Handle) {
        copy(&parameters.get()?, stream, Form::Async)
    }

    fn cuMemcpy3DPeer[ptds](parameters: In<CopyParameters>) {
        copy(&parameters.get()?.between_peers()?, Handle::NULL, Form::Plain)
    }

    fn cuMemcpy3DPeerAsync[ptsz](parameters: In<CopyParameters>, stream: Handle) {
        copy(&parameters.get()?.between_peers()?, stream, Form::Async)
    }
}
