//! A module whose variables are in a device's memory.

use std::sync::{Arc, OnceLock};

use crate::instruction::{Reference as Constant, Symbol};
use crate::machine::{Constants, FUNCTION_WINDOW, PARAMETER_WINDOW, Row};
use crate::memory::DeviceMemory;
use crate::module::{Entry, Module, Reference};
use crate::parse::syntax::Space;
use crate::report::LoadError;
use crate::texture::{Object, Objects, ReferenceKind};

/// A module on a device. Clones share it; the variables are freed with the last one.
#[derive(Debug, Clone)]
pub struct Loaded {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    module: Module,
    memory: Arc<DeviceMemory>,
    objects: Arc<Objects>,
    /// Address of each variable, or the number of a reference; 0 for those in workgroup memory.
    addresses: Vec<u64>,
    /// Constants of each entry, once it was launched.
    constants: Vec<OnceLock<Arc<Constants>>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        let variables = self.module.image.variables.iter().zip(&self.addresses);
        for (variable, &address) in variables.filter(|(_, address)| **address != 0) {
            if variable.reference.is_some() {
                self.objects.remove(address);
            } else {
                // Each was allocated by `new`, and a caller that freed one already did what this does.
                let _ = self.memory.free_variable(address);
            }
        }
    }
}

/// Addresses of functions: far apart, so that no arithmetic on one gives another by chance.
pub(crate) fn function_address(number: u32) -> u64 {
    FUNCTION_WINDOW + (u64::from(number) + 1) * 256
}

impl Loaded {
    pub(super) fn new(
        memory: &Arc<DeviceMemory>,
        objects: &Arc<Objects>,
        module: &Module,
    ) -> Result<Self, LoadError> {
        let image = &module.image;
        if let Some(name) = image.entries.iter().flat_map(|entry| &entry.missing).next() {
            return Err(LoadError::Undefined { name: name.clone() });
        }
        let mut inner = Inner {
            module: module.clone(),
            memory: Arc::clone(memory),
            objects: Arc::clone(objects),
            addresses: Vec::with_capacity(image.variables.len()),
            constants: image.entries.iter().map(|_| OnceLock::new()).collect(),
        };
        for variable in &image.variables {
            if let Some(reference) = variable.reference {
                inner.addresses.push(objects.add(match reference {
                    Reference::Bound(kind) => Object::Unbound(kind),
                    Reference::Sampler(sampler) => Object::Sampler(sampler),
                }));
                continue;
            }
            let address = match variable.space {
                Space::Global | Space::Const if variable.is_extern => {
                    return Err(LoadError::Undefined { name: variable.name.clone() });
                }
                Space::Global if variable.is_managed => {
                    memory.allocate_managed(variable.bytes, variable.name.clone())?
                }
                Space::Global | Space::Const => {
                    let is_constant = variable.space == Space::Const;
                    memory.allocate(variable.bytes, Some(variable.name.clone()), is_constant)?
                }
                _ => 0,
            };
            inner.addresses.push(address);
        }
        for (variable, &address) in image
            .variables
            .iter()
            .zip(&inner.addresses)
            .filter(|(variable, address)| variable.reference.is_none() && **address != 0)
        {
            let mut bytes = variable.initial.clone();
            for value in &variable.addresses {
                let target = match value.symbol {
                    Symbol::Variable(number) => inner.addresses.get(number as usize).copied().unwrap_or(0),
                    Symbol::Function(number) => function_address(number),
                    Symbol::Parameter(_) => 0,
                };
                let target = target.wrapping_add_signed(value.addend) >> value.shift;
                let length = value.bytes.min(8);
                bytes[value.at..value.at + length].copy_from_slice(&target.to_le_bytes()[..length]);
            }
            bytes.resize(variable.bytes as usize, 0);
            memory.write(address, &bytes)?;
        }
        Ok(Self { inner: Arc::new(inner) })
    }

    pub(super) fn unload(self) {
        drop(self);
    }

    /// The module that was loaded.
    #[must_use]
    pub fn module(&self) -> &Module {
        &self.inner.module
    }

    /// Address and bytes of a `.global` or `.const` variable.
    #[must_use]
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        let variables = self.inner.module.image.variables.iter().zip(&self.inner.addresses);
        let mut found = variables.filter(|(variable, address)| {
            variable.name == name && variable.reference.is_none() && **address != 0
        });
        found.next().map(|(variable, address)| (*address, variable.bytes))
    }

    /// The number of a `.texref`, `.samplerref` or `.surfref` variable, which [`Device::bind_texture`](crate::Device::bind_texture) and
    /// [`Device::bind_surface`](crate::Device::bind_surface) take.
    #[must_use]
    pub fn reference(&self, name: &str) -> Option<(ReferenceKind, u64)> {
        let mut variables = self.inner.module.image.variables.iter().zip(&self.inner.addresses);
        variables.find_map(|(variable, number)| {
            let kind = match variable.reference.filter(|_| variable.name == name)? {
                Reference::Bound(kind) => kind,
                Reference::Sampler(_) => ReferenceKind::Sampler,
            };
            Some((kind, *number))
        })
    }

    pub(super) fn belongs_to(&self, memory: &Arc<DeviceMemory>) -> bool {
        Arc::ptr_eq(&self.inner.memory, memory)
    }

    /// The constants as an entry sees them: workgroup memory is laid out for each.
    pub(crate) fn constants(&self, number: usize, entry: &Entry) -> Arc<Constants> {
        let constants = self.inner.constants[number].get_or_init(|| {
            let value = |reference: &Constant| {
                let start = match reference.symbol {
                    None => 0,
                    Some(Symbol::Function(number)) => function_address(number),
                    Some(Symbol::Parameter(offset)) => PARAMETER_WINDOW + u64::from(offset),
                    Some(Symbol::Variable(number)) => match self.inner.addresses[number as usize] {
                        0 => entry
                            .shared
                            .iter()
                            .find(|(known, _)| *known == number)
                            .map_or(0, |(_, at)| u64::from(*at)),
                        address => address,
                    },
                };
                start.wrapping_add(reference.addend)
            };
            let pool = &self.inner.module.image.pool;
            Arc::new(Constants {
                narrow: pool.narrow.iter().map(|reference| Row([value(reference) as u32; 32])).collect(),
                wide: pool.wide.iter().map(|reference| Row([value(reference); 32])).collect(),
            })
        });
        Arc::clone(constants)
    }
}
