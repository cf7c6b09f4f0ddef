use gridwright_core::Limits;
use gridwright_cpu::Workers;

use crate::submission::Attribute;
use crate::{DeviceInfo, DeviceKind, Error, Priorities};

/// What a device is.
pub(crate) trait Information {
    /// The device's kind.
    fn kind(&self) -> DeviceKind;

    /// The device's number among those of its kind.
    #[cfg(feature = "dlpack")]
    fn index(&self) -> usize {
        0
    }

    /// The device's name, for people.
    fn name(&self) -> &str;

    /// The limits of what the device can launch.
    fn limits(&self) -> &Limits;

    /// The device's architecture, processors and memory.
    fn info(&self) -> Result<DeviceInfo, Error>;

    /// The threads that a function of the program may use on the device's memory: there are some on the CPU only.
    fn workers(&self) -> Option<Workers> {
        None
    }

    /// The priorities that the device's streams can have.
    fn priorities(&self) -> Priorities {
        Priorities::NONE
    }

    /// Whether workgroups that run at the same time may wait for each other.
    fn has_cooperative_launches(&self) -> bool;

    /// Why launches can't have an attribute, if they can't. Of those that they can have, hints may change nothing.
    fn lacks(&self, attribute: Attribute) -> Option<String>;

    /// The most bytes that the workgroups of a processor can have together, if the device says.
    fn workgroup_memory_of_processor(&self) -> Option<usize> {
        None
    }
}
