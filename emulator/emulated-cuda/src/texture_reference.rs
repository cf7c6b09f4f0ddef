//! References to textures: variables of modules that older programs bind arrays and memory to.
//!
//! A call that changes a reference waits for the work of the context first, since a launch has what was bound when it was submitted.

use std::ffi::{c_int, c_uint};
use std::sync::{Arc, Mutex};

use gridwright_emulator::{Loaded, ReferenceKind, TexelFormat, TextureSource};

use crate::abi::{In, InOut, Out, Text};
use crate::array::{self, ALIGNMENT, FlatDescriptor};
use crate::context::{Context, current};
use crate::error::Error;
use crate::locks::lock;
use crate::memory::is_covered;
use crate::module;
use crate::process::{Process, process, started};
use crate::registry::{Handle, Registry};
use crate::texel_format;
use crate::texture_descriptor::{PITCH_ALIGNMENT, TextureDescriptor, line, plane};

pub(crate) static TEXTURE_REFERENCES: Registry<TextureReference> = Registry::new(31);

/// What a `CUtexref` is.
pub(crate) struct TextureReference {
    pub(crate) context: &'static Context,
    /// The module and the number of the variable; none where a program made it itself.
    variable: Option<(Loaded, u64)>,
    state: Mutex<State>,
}

struct State {
    bound: Bound,
    format: c_uint,
    channels: c_uint,
    sampled: TextureDescriptor,
}

#[derive(Clone)]
enum Bound {
    Nothing,
    Array(Handle, Arc<array::Array>),
    Mipmapped(Handle, Arc<array::MipmappedArray>),
    /// An address, and bytes.
    Line(u64, u64),
    /// An address, texels of a row and rows, and bytes from row to row.
    Plane(u64, [u64; 2], u64),
}

const OVERRIDE_FORMAT: c_uint = 1;

impl State {
    /// As `texture<float>` of CUDA C is.
    fn new() -> Self {
        Self { bound: Bound::Nothing, format: 0x20, channels: 1, sampled: TextureDescriptor::FIRST }
    }

    fn own_format(&self) -> Result<TexelFormat, Error> {
        texel_format::parse(self.format, self.channels)
    }

    /// The texels and their format; none where nothing is bound.
    fn source(&self, process: &Process) -> Result<Option<(TextureSource, TexelFormat)>, Error> {
        Ok(Some(match &self.bound {
            Bound::Nothing => return Ok(None),
            Bound::Array(_, array) => {
                (TextureSource::Array(array.texels.clone()), array.texels.shape().format())
            }
            Bound::Mipmapped(_, array) => {
                let finest = array.levels.levels().first().ok_or(Error::INVALID_VALUE)?;
                (TextureSource::Mipmaps(array.levels.clone()), finest.shape().format())
            }
            &Bound::Line(address, bytes) => {
                let format = self.own_format()?;
                (line(process, address, format, bytes)?, format)
            }
            &Bound::Plane(address, extent, pitch) => {
                let format = self.own_format()?;
                (plane(process, address, format, extent, pitch)?, format)
            }
        }))
    }
}

impl TextureReference {
    /// Changes the reference, and what kernels see of it.
    fn change(&self, change: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<(), Error> {
        let process = process()?;
        self.context.synchronize()?;
        let mut state = lock(&self.state);
        change(&mut state)?;
        let Some((_, number)) = &self.variable else { return Ok(()) };
        let emulator = &process.emulator;
        // What doesn't fit together yet isn't bound: calls for the format, the mode and the array come in any order.
        let bound = state.source(process).ok().flatten().and_then(|(source, format)| {
            let is_line = matches!(source, TextureSource::Line { .. });
            Some((source, state.sampled.sampler(format, is_line).ok()?))
        });
        match bound {
            Some((source, sampler)) => {
                emulator.bind_texture(*number, &source, sampler).map_err(|_| Error::INVALID_VALUE)?;
            }
            None => {
                emulator.unbind(*number, ReferenceKind::Texture);
            }
        }
        Ok(())
    }
}

fn find(reference: Handle) -> Result<Arc<TextureReference>, Error> {
    current()?;
    TEXTURE_REFERENCES.get(reference).ok_or(Error::INVALID_HANDLE)
}

fn change(reference: Handle, of: impl FnOnce(&mut State) -> Result<(), Error>) -> Result<(), Error> {
    find(reference)?.change(of)
}

/// Something of the reference's state.
fn get<T>(reference: Handle, of: impl FnOnce(&State) -> Result<T, Error>) -> Result<T, Error> {
    of(&lock(&find(reference)?.state))
}

fn make(variable: Option<(Loaded, u64)>, context: &'static Context) -> Result<Handle, Error> {
    let state = Mutex::new(State::new());
    Ok(started(&TEXTURE_REFERENCES)?.insert(TextureReference { context, variable, state }))
}

/// Binds rows whose address and distances are those that textures have.
fn set_plane(reference: Handle, of: &FlatDescriptor, address: u64, pitch: usize) -> Result<(), Error> {
    let format = texel_format::parse(of.format, of.channels)?;
    if !address.is_multiple_of(ALIGNMENT as u64) || !pitch.is_multiple_of(PITCH_ALIGNMENT as usize) {
        return Err(Error::INVALID_VALUE);
    }
    let extent = [of.width as u64, of.height as u64];
    plane(process()?, address, format, extent, pitch as u64)?;
    change(reference, |state| {
        (state.format, state.channels) = (of.format, of.channels);
        state.bound = Bound::Plane(address, extent, pitch as u64);
        Ok(())
    })
}

driver! {
    fn cuModuleGetTexRef(reference: Out<Handle>, module: Handle, name: Text) {
        let found = module::find(module)?;
        let name = name.get()?;
        let mut references = lock(&found.references);
        if let Some(known) = references.get(name).filter(|known| find(**known).is_ok()) {
            return reference.put(*known);
        }
        let (ReferenceKind::Texture, number) = found.loaded.reference(name).ok_or(Error::NOT_FOUND)? else {
            return Err(Error::NOT_FOUND);
        };
        let made = make(Some((found.loaded.clone(), number)), found.context)?;
        references.insert(name.to_owned(), made);
        reference.put(made)
    }

    /// A reference that no kernel has.
    fn cuTexRefCreate(reference: Out<Handle>) {
        reference.put(make(None, current()?)?)
    }

    /// Of those that a program made.
    fn cuTexRefDestroy(reference: Handle) {
        if find(reference)?.variable.is_some() {
            return Err(Error::INVALID_VALUE);
        }
        started(&TEXTURE_REFERENCES)?.remove(reference).map(drop).ok_or(Error::INVALID_HANDLE)
    }

    /// Takes the array's format over.
    fn cuTexRefSetArray(reference: Handle, array: Handle, flags: c_uint) {
        let found = array::find(array)?;
        if flags != OVERRIDE_FORMAT {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            let format = found.texels.shape().format();
            (state.format, state.channels) = (texel_format::number(format), format.channels);
            state.bound = Bound::Array(array, found);
            Ok(())
        })
    }

    /// Takes the array's format over.
    fn cuTexRefSetMipmappedArray(reference: Handle, array: Handle, flags: c_uint) {
        let found = array::find_mipmapped(array)?;
        let finest = found.levels.levels().first().ok_or(Error::INVALID_VALUE)?.shape();
        if flags != OVERRIDE_FORMAT {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            (state.format, state.channels) = (texel_format::number(finest.format()), finest.channels);
            state.bound = Bound::Mipmapped(array, found);
            Ok(())
        })
    }

    /// Binds memory from the last address before that textures begin at, and says how far that is away.
    fn cuTexRefSetAddress_v2(offset: Out<usize>, reference: Handle, address: u64, bytes: usize) {
        let start = address / ALIGNMENT as u64 * ALIGNMENT as u64;
        let before = address - start;
        if offset.is_null() && before != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let bytes = (bytes as u64).checked_add(before).ok_or(Error::INVALID_VALUE)?;
        if !is_covered(process()?, start, bytes) {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            state.bound = Bound::Line(start, bytes);
            Ok(())
        })?;
        offset.put_if_asked(before as usize);
        Ok(())
    }

    fn cuTexRefSetAddress2D_v2(reference: Handle, of: In<FlatDescriptor>, address: u64, pitch: usize) {
        set_plane(reference, &of.get()?, address, pitch)
    }

    fn cuTexRefSetAddress2D_v3(reference: Handle, of: In<FlatDescriptor>, address: u64, pitch: usize) {
        set_plane(reference, &of.get()?, address, pitch)
    }

    fn cuTexRefSetFormat(reference: Handle, format: c_uint, channels: c_int) {
        let channels = c_uint::try_from(channels).map_err(|_| Error::INVALID_VALUE)?;
        texel_format::parse(format, channels)?;
        change(reference, |state| {
            (state.format, state.channels) = (format, channels);
            Ok(())
        })
    }

    fn cuTexRefSetAddressMode(reference: Handle, axis: c_int, mode: c_uint) {
        if mode > 3 {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            let axis = usize::try_from(axis).ok().and_then(|axis| state.sampled.address.get_mut(axis));
            *axis.ok_or(Error::INVALID_VALUE)? = mode;
            Ok(())
        })
    }

    fn cuTexRefSetFilterMode(reference: Handle, mode: c_uint) {
        if mode > 1 {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            state.sampled.filter = mode;
            Ok(())
        })
    }

    fn cuTexRefSetMipmapFilterMode(reference: Handle, mode: c_uint) {
        if mode > 1 {
            return Err(Error::INVALID_VALUE);
        }
        change(reference, |state| {
            state.sampled.mipmap_filter = mode;
            Ok(())
        })
    }

    fn cuTexRefSetMipmapLevelBias(reference: Handle, bias: f32) {
        change(reference, |state| {
            state.sampled.bias = bias;
            Ok(())
        })
    }

    fn cuTexRefSetMipmapLevelClamp(reference: Handle, least: f32, most: f32) {
        change(reference, |state| {
            state.sampled.range = [least, most];
            Ok(())
        })
    }

    /// Makes no difference.
    fn cuTexRefSetMaxAnisotropy(reference: Handle, most: c_uint) {
        change(reference, |state| {
            state.sampled.anisotropy = most;
            Ok(())
        })
    }

    fn cuTexRefSetBorderColor(reference: Handle, colour: In<[f32; 4]>) {
        let colour = colour.get()?;
        change(reference, |state| {
            state.sampled.border = colour;
            Ok(())
        })
    }

    fn cuTexRefSetFlags(reference: Handle, flags: c_uint) {
        change(reference, |state| {
            state.sampled.flags = flags;
            Ok(())
        })
    }

    fn cuTexRefGetAddress_v2(address: Out<u64>, reference: Handle) {
        address.put(get(reference, |state| match state.bound {
            Bound::Line(address, _) | Bound::Plane(address, ..) => Ok(address),
            _ => Err(Error::INVALID_VALUE),
        })?)
    }

    fn cuTexRefGetArray(array: Out<Handle>, reference: Handle) {
        array.put(get(reference, |state| match state.bound {
            Bound::Array(array, _) => Ok(array),
            _ => Err(Error::INVALID_VALUE),
        })?)
    }

    fn cuTexRefGetMipmappedArray(array: Out<Handle>, reference: Handle) {
        array.put(get(reference, |state| match state.bound {
            Bound::Mipmapped(array, _) => Ok(array),
            _ => Err(Error::INVALID_VALUE),
        })?)
    }

    fn cuTexRefGetAddressMode(mode: Out<c_uint>, reference: Handle, axis: c_int) {
        mode.put(get(reference, |state| {
            let mode = usize::try_from(axis).ok().and_then(|axis| state.sampled.address.get(axis));
            mode.copied().ok_or(Error::INVALID_VALUE)
        })?)
    }

    fn cuTexRefGetFilterMode(mode: Out<c_uint>, reference: Handle) {
        mode.put(get(reference, |state| Ok(state.sampled.filter))?)
    }

    fn cuTexRefGetFormat(format: Out<c_uint>, channels: Out<c_uint>, reference: Handle) {
        let (number, count) = get(reference, |state| Ok((state.format, state.channels)))?;
        format.put_if_asked(number);
        channels.put_if_asked(count);
        Ok(())
    }

    fn cuTexRefGetMipmapFilterMode(mode: Out<c_uint>, reference: Handle) {
        mode.put(get(reference, |state| Ok(state.sampled.mipmap_filter))?)
    }

    fn cuTexRefGetMipmapLevelBias(bias: Out<f32>, reference: Handle) {
        bias.put(get(reference, |state| Ok(state.sampled.bias))?)
    }

    fn cuTexRefGetMipmapLevelClamp(least: Out<f32>, most: Out<f32>, reference: Handle) {
        let [from, to] = get(reference, |state| Ok(state.sampled.range))?;
        least.put_if_asked(from);
        most.put_if_asked(to);
        Ok(())
    }

    fn cuTexRefGetMaxAnisotropy(most: Out<c_uint>, reference: Handle) {
        most.put(get(reference, |state| Ok(state.sampled.anisotropy))?)
    }

    fn cuTexRefGetBorderColor(colour: InOut<f32>, reference: Handle) {
        let border = get(reference, |state| Ok(state.sampled.border))?;
        border.into_iter().enumerate().try_for_each(|(channel, value)| colour.put_at(channel, value))
    }

    fn cuTexRefGetFlags(flags: Out<c_uint>, reference: Handle) {
        flags.put(get(reference, |state| Ok(state.sampled.flags))?)
    }

    /// The most texels of a row of memory.
    fn cuDeviceGetTexture1DLinearMaxWidth(most: Out<usize>, format: c_uint, channels: c_uint, device: c_int) {
        process()?.gpu(device)?;
        texel_format::parse(format, channels)?;
        most.put(crate::texture_descriptor::LINEAR_WIDTH as usize)
    }
}
