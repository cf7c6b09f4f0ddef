//! The objects that kernels know textures and surfaces by.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Array, ArrayKind, Level, Sampler, TexelFormat};
use crate::memory::DeviceMemory;
use crate::report::MemoryError;

/// What a number of 64 bits stands for in a kernel.
#[derive(Debug)]
pub(crate) enum Object {
    Texture(Texture),
    Surface(Surface),
    Sampler(Sampler),
    /// A reference of a module to which nothing is bound.
    Unbound(ReferenceKind),
}

/// What a reference of a module is to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceKind {
    /// A texture: `.texref`.
    Texture,
    /// A way to sample: `.samplerref`.
    Sampler,
    /// A surface: `.surfref`.
    Surface,
}

#[derive(Debug)]
pub(crate) struct Texture {
    pub(crate) kind: ArrayKind,
    pub(crate) format: TexelFormat,
    pub(crate) sampler: Sampler,
    /// Levels of detail, from the finest. There is one.
    pub(crate) levels: Vec<Level>,
    /// Whether it is a row of memory, of which texels beyond the edges are zeros.
    pub(crate) is_memory: bool,
}

#[derive(Debug)]
pub(crate) struct Surface {
    pub(crate) kind: ArrayKind,
    pub(crate) format: TexelFormat,
    pub(crate) texels: Level,
}

impl Surface {
    pub(crate) fn new(array: &Array) -> Self {
        let shape = array.shape();
        Self { kind: shape.kind, format: shape.format(), texels: Level::of_array(array) }
    }
}

impl Object {
    pub(crate) fn kind(&self) -> ReferenceKind {
        match self {
            Self::Texture(_) => ReferenceKind::Texture,
            Self::Surface(_) => ReferenceKind::Surface,
            Self::Sampler(_) => ReferenceKind::Sampler,
            Self::Unbound(kind) => *kind,
        }
    }

    /// Whether the texels are still there.
    pub(crate) fn check(&self, memory: &DeviceMemory) -> Result<(), MemoryError> {
        match self {
            Self::Texture(texture) => texture.levels.iter().try_for_each(|level| level.check(memory)),
            _ => Ok(()),
        }
    }
}

/// The textures and surfaces of a device. A number isn't used again.
#[derive(Debug, Default)]
pub(crate) struct Objects {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    last: u64,
    objects: HashMap<u64, Arc<Object>>,
}

impl Objects {
    pub(crate) fn add(&self, object: Object) -> u64 {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.last += 1;
        let number = inner.last;
        inner.objects.insert(number, Arc::new(object));
        number
    }

    /// Gives a number that there is another meaning of the same kind.
    pub(crate) fn replace(&self, number: u64, object: Object) -> bool {
        let replaced = {
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            match inner.objects.get_mut(&number) {
                Some(known) if known.kind() == object.kind() => {
                    Some(std::mem::replace(known, Arc::new(object)))
                }
                _ => None,
            }
        };
        // Dropped without the lock: it may be the last that has the array.
        replaced.is_some()
    }

    pub(crate) fn remove(&self, number: u64) -> bool {
        let removed = {
            let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            inner.objects.remove(&number)
        };
        // Dropped without the lock: it may be the last that has the array.
        removed.is_some()
    }

    pub(crate) fn get(&self, number: u64) -> Option<Arc<Object>> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner).objects.get(&number).cloned()
    }
}
