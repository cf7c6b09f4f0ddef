//! Objects of textures and of surfaces.

use std::collections::HashMap;
use std::sync::{LazyLock, RwLock};

use crate::abi::{In, Out};
use crate::context::{current, ending};
use crate::error::Error;
use crate::locks::{read, write};
use crate::process::process;
use crate::texture_descriptor::{Resource, TextureDescriptor, View};

/// What a texture was made of.
type TextureOf = (Resource, TextureDescriptor, Option<View>);

/// What objects were made of, by their numbers.
static TEXTURES: LazyLock<RwLock<HashMap<u64, TextureOf>>> = LazyLock::new(RwLock::default);
static SURFACES: LazyLock<RwLock<HashMap<u64, Resource>>> = LazyLock::new(RwLock::default);

fn texture<T>(
    number: u64,
    what: impl Fn(&(Resource, TextureDescriptor, Option<View>)) -> Option<T>,
) -> Result<T, Error> {
    current()?;
    read(&TEXTURES).get(&number).and_then(what).ok_or(Error::INVALID_VALUE)
}

driver! {
    /// Anisotropy makes no difference.
    fn cuTexObjectCreate(texture: Out<u64>, resource: In<Resource>, sampled: In<TextureDescriptor>, view: In<View>) {
        current()?;
        let process = process()?;
        let (resource, sampled) = (resource.get()?, sampled.get()?);
        let view = if view.is_null() { None } else { Some(view.get()?) };
        let (source, own) = resource.source(process)?;
        let part = view.map(|view| view.part(&source, own)).transpose()?;
        let format = part.map_or(own, |part| part.format);
        let is_line = matches!(source, gridwright_emulator::TextureSource::Line { .. });
        let sampler = sampled.sampler(format, is_line)?;
        if texture.is_null() {
            return Err(Error::INVALID_VALUE);
        }
        let made = process.emulator.make_texture_of(&source, sampler, part).map_err(|_| Error::INVALID_VALUE)?;
        write(&TEXTURES).insert(made, (resource, sampled, view));
        texture.put(made)
    }

    fn cuTexObjectDestroy(texture: u64) {
        let process = ending()?;
        write(&TEXTURES).remove(&texture).ok_or(Error::INVALID_VALUE)?;
        process.emulator.drop_object(texture);
        Ok(())
    }

    fn cuTexObjectGetResourceDesc(resource: Out<Resource>, texture: u64) {
        resource.put(self::texture(texture, |(resource, ..)| Some(*resource))?)
    }

    fn cuTexObjectGetTextureDesc(sampled: Out<TextureDescriptor>, texture: u64) {
        sampled.put(self::texture(texture, |(_, sampled, _)| Some(*sampled))?)
    }

    /// An error if the texture was made without a view.
    fn cuTexObjectGetResourceViewDesc(view: Out<View>, texture: u64) {
        view.put(self::texture(texture, |(.., view)| *view)?)
    }

    fn cuSurfObjectCreate(surface: Out<u64>, resource: In<Resource>) {
        current()?;
        let process = process()?;
        let resource = resource.get()?;
        let array = resource.array()?;
        if surface.is_null() || !array.is_writable() {
            return Err(Error::INVALID_VALUE);
        }
        let made = process.emulator.make_surface(&array.texels);
        write(&SURFACES).insert(made, resource);
        surface.put(made)
    }

    fn cuSurfObjectDestroy(surface: u64) {
        let process = ending()?;
        write(&SURFACES).remove(&surface).ok_or(Error::INVALID_VALUE)?;
        process.emulator.drop_object(surface);
        Ok(())
    }

    fn cuSurfObjectGetResourceDesc(resource: Out<Resource>, surface: u64) {
        current()?;
        let found = read(&SURFACES).get(&surface).copied();
        resource.put(found.ok_or(Error::INVALID_VALUE)?)
    }
}
