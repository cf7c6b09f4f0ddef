//! What launches ask for beyond their sizes, as the driver takes it.

use std::ffi::{c_int, c_uint};

use cudarc::driver::sys::{
    self, CUfunction_attribute_enum as FunctionAttribute, CUlaunchAttributeID_enum as Id, CUlaunchConfig,
};
use gridwright_core::LaunchAttributes;

use super::Nvidia;
use crate::backend::gpu::driver::Status;
use crate::backend::gpu::driver::status::{Called, done};
use crate::backend::gpu::driver::vendor::{LaunchCall, LaunchWays, launch_cooperative};
use crate::submission::Attribute;

/// The compute capability from which on there are clusters and launches that overlap.
const CAPABILITY: usize = 90;

/// The driver from which on launches have attributes, and the one that knows of the preferred workgroup memory as one of
/// them. Source: `cuda.h` of CUDA 11.8 and 12.5, the first with these.
const WITH_ATTRIBUTES: usize = 11_080;
const WITH_CARVEOUT: usize = 12_050;

/// `CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT`, which the bindings to older drivers don't name.
const CARVEOUT: c_uint = 14;

/// `CUlaunchAttribute`, with a number for the name: newer drivers have some that no enum here knows.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(8))]
pub(super) struct LaunchAttribute {
    id: c_uint,
    padding: c_uint,
    value: [c_uint; 16],
}

const _: () = assert!(
    size_of::<LaunchAttribute>() == size_of::<sys::CUlaunchAttribute>()
        && align_of::<LaunchAttribute>() == align_of::<sys::CUlaunchAttribute>()
);

impl LaunchAttribute {
    const NONE: Self = Self { id: Id::CU_LAUNCH_ATTRIBUTE_IGNORE as c_uint, padding: 0, value: [0; 16] };

    fn new(id: c_uint, [x, y, z]: [c_uint; 3]) -> Self {
        let mut value = [0; 16];
        [value[0], value[1], value[2]] = [x, y, z];
        Self { id, padding: 0, value }
    }

    pub(super) fn id(&self) -> c_int {
        self.id as c_int
    }

    pub(super) fn value(&self) -> *const [c_uint; 16] {
        &raw const self.value
    }
}

/// The driver's list of a launch's attributes, those that are set first.
#[derive(Debug)]
pub(super) struct List {
    attributes: [LaunchAttribute; 4],
    len: usize,
}

impl List {
    /// The list for a device whose processors have so many bytes for workgroups.
    pub(super) fn of(attributes: &LaunchAttributes, processor_bytes: usize) -> Self {
        let mut list = Self { attributes: [LaunchAttribute::NONE; 4], len: 0 };
        let LaunchAttributes { cooperative, cluster, programmatic_dependent, carveout, .. } = *attributes;
        if cooperative {
            list.push(Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE as c_uint, [1, 0, 0]);
        }
        if let Some(cluster) = cluster {
            let cluster = cluster.axes().map(|groups| c_uint::try_from(groups).unwrap_or(c_uint::MAX));
            list.push(Id::CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION as c_uint, cluster);
        }
        if programmatic_dependent {
            list.push(Id::CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION as c_uint, [1, 0, 0]);
        }
        if let Some(carveout) = carveout {
            list.push(CARVEOUT, [carveout.percent_of(processor_bytes).into(), 0, 0]);
        }
        list
    }

    fn push(&mut self, id: c_uint, value: [c_uint; 3]) {
        if let Some(place) = self.attributes.get_mut(self.len) {
            *place = LaunchAttribute::new(id, value);
            self.len += 1;
        }
    }

    pub(super) fn as_slice(&self) -> &[LaunchAttribute] {
        self.attributes.get(..self.len).unwrap_or_default()
    }
}

/// A launch and its list, which lives as long, as the driver takes them together.
fn config(call: &LaunchCall, list: &List) -> CUlaunchConfig {
    let ([grid_x, grid_y, grid_z], [x, y, z]) = (call.groups, call.block);
    CUlaunchConfig {
        gridDimX: grid_x,
        gridDimY: grid_y,
        gridDimZ: grid_z,
        blockDimX: x,
        blockDimY: y,
        blockDimZ: z,
        sharedMemBytes: call.bytes,
        hStream: call.stream.cast(),
        // The driver only reads them.
        attrs: list.attributes.as_ptr().cast_mut().cast(),
        numAttrs: list.len as c_uint,
    }
}

impl LaunchWays for Nvidia {
    fn lacks(&self, attribute: Attribute) -> Option<String> {
        let context = &self.context;
        let too_old = |needed: usize| {
            let (needed, there) = ((needed / 1000, needed % 1000 / 10), context.cuda());
            format!(
                "it takes a driver for CUDA {}.{} or newer, and this one is for CUDA {there}",
                needed.0, needed.1
            )
        };
        let of_device = match attribute {
            Attribute::Cluster => context.has_clusters,
            Attribute::ProgrammaticDependent => context.capability >= CAPABILITY,
            Attribute::PreferredWorkgroupMemory => true,
        };
        if !of_device {
            let (major, minor) = (context.capability / 10, context.capability % 10);
            return Some(format!(
                "it takes compute capability 9.0 or newer, and the device has {major}.{minor}"
            ));
        }
        let needed = match attribute {
            Attribute::Cluster | Attribute::ProgrammaticDependent => WITH_ATTRIBUTES,
            Attribute::PreferredWorkgroupMemory => WITH_CARVEOUT,
        };
        let has_calls = self.own().launch_with_attributes.is_some() && self.own().largest_cluster.is_some();
        (!has_calls || context.driver_version < needed).then(|| too_old(needed))
    }

    fn largest_cluster(&self, call: &LaunchCall) -> Result<usize, Called> {
        let Some(ask) = self.own().largest_cluster else { return Ok(1) };
        if let Some(set) = self.own().set_function_attribute {
            let attribute = FunctionAttribute::CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED as c_int;
            // Without leave there are those that every device has.
            // SAFETY: the function is of a loaded module.
            let _ = unsafe { (set.call)(call.function.cast(), attribute, 1) };
        }
        let list = List::of(&LaunchAttributes::default(), 0);
        let (config, mut most) = (config(call, &list), 0);
        // SAFETY: the function is of a loaded module; a number to write, and a launch's sizes to read.
        let status = unsafe { (ask.call)(&raw mut most, call.function.cast(), &raw const config) };
        done(ask.name, status)?;
        Ok(usize::try_from(most).unwrap_or(0))
    }

    unsafe fn launch_with_attributes(
        &self,
        call: &LaunchCall,
        attributes: &LaunchAttributes,
        processor_bytes: usize,
    ) -> Called {
        let list = List::of(attributes, processor_bytes);
        // Without others, cooperative launches have a call of their own, also in older drivers.
        let is_cooperative_only =
            list.as_slice().iter().all(|set| set.id == Id::CU_LAUNCH_ATTRIBUTE_COOPERATIVE as c_uint);
        if let Some(launch) = self.context.library.api.launch_cooperative.filter(|_| is_cooperative_only) {
            // SAFETY: the caller says that function and stream are of this context, that the function's arguments live until this
            // returns, and the memory that they point at until the kernel is done.
            return unsafe { launch_cooperative(launch, call) };
        }
        let Some(launch) = self.own().launch_with_attributes else {
            return ("cuLaunchKernelEx", Status::NOT_SUPPORTED);
        };
        let (config, function) = (config(call, &list), call.function.cast());
        // SAFETY: the caller says that function and stream are of this context, that the function's arguments live until this
        // returns, and the memory that they point at until the kernel is done; the list outlives the call.
        let status =
            unsafe { (launch.call)(&raw const config, function, call.arguments, std::ptr::null_mut()) };
        (launch.name, status)
    }
}

#[cfg(test)]
mod tests {
    use gridwright_core::{Carveout, LaunchConfig};

    use super::List;

    fn numbers(list: &List) -> Vec<(i32, [u32; 3])> {
        let first = |value: &[u32; 16]| [value[0], value[1], value[2]];
        list.as_slice().iter().map(|attribute| (attribute.id(), first(&attribute.value))).collect()
    }

    /// The numbers of `cuda.h`.
    #[test]
    fn attributes_have_the_drivers_numbers() {
        let config = LaunchConfig::grid((8, 4), 32);
        let list = |attributes| numbers(&List::of(&attributes, 200 << 10));
        assert_eq!(list(config.attributes()), []);
        assert_eq!(list(config.cluster((4, 2)).attributes()), [(4, [4, 2, 1])]);
        assert_eq!(list(config.programmatic_dependent().attributes()), [(6, [1, 0, 0])]);
        let half = config.preferred_workgroup_memory(Carveout::Bytes(100 << 10));
        assert_eq!(list(half.attributes()), [(14, [50, 0, 0])]);
        let all = half.cluster(2).cooperative().programmatic_dependent().attributes();
        assert_eq!(list(all).iter().map(|(id, _)| *id).collect::<Vec<_>>(), [2, 4, 6, 14]);
    }
}
