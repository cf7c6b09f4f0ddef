use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use super::{Array, TexelKind};

/// How a texture is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sampler {
    /// What is read beyond the edges, on each axis.
    pub address: [AddressMode; 3],
    /// Whether the nearest texels are weighted; else the one that the coordinate is in is read.
    pub is_linear: bool,
    /// Whether coordinates are fractions of each extent.
    pub is_normalized: bool,
    /// Whether integers are read as they are; else those of 8 and 16 bits are floats from 0 or -1 to 1.
    pub reads_integers: bool,
}

impl Sampler {
    /// Whether floats are read of an array.
    pub(crate) fn reads_floats(&self, array: &Array) -> bool {
        let shape = array.shape();
        shape.texel == TexelKind::Float || (!self.reads_integers && shape.bits < 32)
    }
}

/// What is read beyond the edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressMode {
    /// The texture again.
    Wrap,
    /// The texel at the edge.
    Clamp,
    /// The texture again, every other time reflected.
    Mirror,
    /// Zero.
    Border,
}

/// What a number of 64 bits stands for in a kernel.
#[derive(Debug)]
pub(crate) enum Object {
    Texture(Array, Sampler),
    Surface(Array),
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
