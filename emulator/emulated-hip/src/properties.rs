//! `hipDeviceProp_t`, in the form of HIP 6 and in the one before: bytes, of which each field that means something here has its place.
//! Source: `hip_runtime_api.h` of HIP 6.3 and of HIP 5.2, as a C compiler lays them out.

use std::ffi::c_int;

use crate::abi::Out;
use crate::error::Error;
use crate::gpu::Gpu;
use crate::model::Model;
use crate::process::process;

/// Where the fields are.
struct Layout {
    /// Of 64 bits: bytes of memory, of a block's workgroup memory, of constants, of a multiprocessor's workgroup memory.
    sizes: [usize; 4],
    /// Of 32 bits: a field's place, and the number of the attribute that says the same.
    numbers: &'static [(usize, c_int)],
    architecture: usize,
    uuid: Option<usize>,
}

/// Of `hipDeviceProp_tR0600`, which has 1472 bytes.
const NEWER: Layout = Layout {
    sizes: [288, 296, 352, 1416],
    numbers: &[
        (304, 71),
        (308, 87),
        (320, 56),
        (324, 26),
        (328, 27),
        (332, 28),
        (336, 29),
        (340, 30),
        (344, 31),
        (348, 5),
        (360, 23),
        (364, 61),
        (388, 63),
        (400, 3),
        (576, 8),
        (608, 60),
        (612, 59),
        (616, 19),
        (624, 57),
        (652, 24),
        (676, 9),
        (688, 10),
    ],
    architecture: 1160,
    uuid: Some(256),
};

/// Of `hipDeviceProp_t` before, which has 792 bytes.
const OLDER: Layout = Layout {
    sizes: [256, 264, 320, 376],
    numbers: &[
        (272, 71),
        (276, 87),
        (280, 56),
        (284, 26),
        (288, 27),
        (292, 28),
        (296, 29),
        (300, 30),
        (304, 31),
        (308, 5),
        (312, 60),
        (316, 59),
        (328, 23),
        (332, 61),
        (336, 63),
        (340, 19),
        (344, 57),
        (360, 8),
        (388, 3),
        (656, 10),
        (772, 24),
        (780, 9),
    ],
    architecture: 396,
    uuid: None,
};

/// All bytes of the form.
fn bytes<const N: usize>(gpu: &Gpu, layout: &Layout) -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    let mut put = |start: usize, field: &[u8]| {
        let end = start.checked_add(field.len());
        let place = end.and_then(|end| bytes.get_mut(start..end)).ok_or(Error::UNKNOWN)?;
        place.copy_from_slice(field);
        Ok(())
    };
    put(0, gpu.name().as_bytes())?;
    put(layout.architecture, gpu.model.full_name.as_bytes())?;
    let sizes = [gpu.memory, Model::SHARED.into(), Model::CONSTANTS.into(), Model::SHARED.into()];
    for (&place, size) in layout.sizes.iter().zip(sizes) {
        put(place, &size.to_le_bytes())?;
    }
    for &(place, attribute) in layout.numbers {
        let number = gpu.attribute(attribute).and_then(|number| i32::try_from(number).ok());
        put(place, &number.ok_or(Error::UNKNOWN)?.to_le_bytes())?;
    }
    if let Some(place) = layout.uuid {
        put(place, &gpu.uuid())?;
    }
    Ok(bytes)
}

hip! {
    /// The form before HIP 6.
    fn hipGetDeviceProperties(properties: Out<[u8; 792]>, device: c_int) {
        properties.put(bytes(process()?.gpu(device)?, &OLDER)?)
    }

    /// What programs of HIP 6 call for `hipGetDeviceProperties`.
    fn hipGetDevicePropertiesR0600(properties: Out<[u8; 1472]>, device: c_int) since (6, 0) {
        properties.put(bytes(process()?.gpu(device)?, &NEWER)?)
    }
}
