//! What a driver and its devices are.

use super::{Driver, Status, Vendor, device};
use crate::{DeviceInfo, DriverInfo, Error};

impl<V: Vendor> Driver<V> {
    /// # Errors
    /// [`Error::DriverMissing`], [`Error::Backend`].
    pub(crate) fn driver_info() -> Result<DriverInfo, Error> {
        Ok(DriverInfo { kind: V::KIND, version: V::version()?, devices: device::count::<V>()? })
    }

    pub(super) fn device_info(&self) -> Result<DeviceInfo, Error> {
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
}
