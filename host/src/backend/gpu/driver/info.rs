//! What a driver and its devices are.

use gridwright_core::Limits;

use super::{Driver, Status, Vendor, device};
use crate::backend::Information;
use crate::submission::Attribute;
use crate::{DeviceInfo, DeviceKind, DriverInfo, Error, Priorities};

impl<V: Vendor> Driver<V> {
    /// # Errors
    /// [`Error::DriverMissing`], [`Error::Backend`].
    pub(crate) fn driver_info() -> Result<DriverInfo, Error> {
        Ok(DriverInfo { kind: V::KIND, version: V::version()?, devices: device::count::<V>()? })
    }
}

impl<V: Vendor> Information for Driver<V> {
    fn kind(&self) -> DeviceKind {
        V::KIND
    }

    #[cfg(feature = "dlpack")]
    fn index(&self) -> usize {
        self.index
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn info(&self) -> Result<DeviceInfo, Error> {
        self.loss.check()?;
        self.enter()?;
        let (mut free, mut total, ask) = (0, 0, self.api().memory_info);
        // SAFETY: the device is entered; two numbers to write.
        let status = unsafe { (ask.call)(&raw mut free, &raw mut total) };
        Ok(DeviceInfo {
            architecture: self.vendor.architecture(),
            processors: self.traits.processors,
            memory_bytes: (status == Status::SUCCESS).then_some(total),
        })
    }

    fn priorities(&self) -> Priorities {
        self.traits.priorities
    }

    fn has_cooperative_launches(&self) -> bool {
        self.traits.has_cooperative_launches
    }

    fn lacks(&self, attribute: Attribute) -> Option<String> {
        self.vendor.lacks(attribute)
    }

    fn workgroup_memory_of_processor(&self) -> Option<usize> {
        Some(self.traits.workgroup_memory_of_processor)
    }
}
