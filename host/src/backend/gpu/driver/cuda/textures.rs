//! Textures of CUDA's driver: an array, two objects that sample it, and one that is written through.

use std::ffi::{c_int, c_uint};

use cudarc::driver::sys::{
    self, CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY3D, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC,
    CUaddress_mode as Mode, CUarray, CUarray_format as Texels, CUdevice_attribute_enum as Attribute,
    CUfilter_mode, CUmemorytype, CUresourcetype,
};
use gridwright_core::{Address, Filter, FormatKind};

use super::Nvidia;
use crate::backend::gpu::driver::handles::StreamHandle;
use crate::backend::gpu::driver::status::{Called, Status, done};
use crate::backend::gpu::driver::textures::{DriverTexture, TextureCopy, TextureDriver};
use crate::submission::{TextureKind, TextureLimits, TextureObjects, TextureShape};

/// `CUDA_ARRAY3D_LAYERED` and `CUDA_ARRAY3D_SURFACE_LDST`.
const LAYERED: c_uint = 1;
const WRITABLE: c_uint = 2;
/// `CU_TRSF_READ_AS_INTEGER` and `CU_TRSF_NORMALIZED_COORDINATES`.
const INTEGERS: c_uint = 1;
const NORMALIZED: c_uint = 2;

impl TextureDriver for Nvidia {
    /// The limits of textures. Each can be written, and so is bounded by what surfaces are too.
    fn limits(&self) -> Result<TextureLimits, Called> {
        let ask = self.context.library.api.device_attribute;
        let one = |attribute: Attribute| {
            let mut value: c_int = 0;
            // SAFETY: the device is the driver's; a number to write.
            let status = unsafe { (ask.call)(&raw mut value, attribute as c_int, self.context.device) };
            done(ask.name, status).map(|()| usize::try_from(value).unwrap_or(0))
        };
        let least = |texture, surface| Ok::<_, Called>(one(texture)?.min(one(surface)?));
        use Attribute as A;
        Ok(TextureLimits {
            line: least(
                A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH,
                A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH,
            )?,
            plane: [
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_WIDTH,
                )?,
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_HEIGHT,
                )?,
            ],
            volume: [
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH,
                )?,
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_HEIGHT,
                )?,
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_DEPTH,
                )?,
            ],
            layers: [
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH,
                )?,
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_HEIGHT,
                )?,
                least(
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS,
                    A::CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS,
                )?,
            ],
        })
    }

    fn lacking(&self) -> Option<&'static str> {
        let own = self.own();
        let all = [
            (own.make_array.is_some(), "cuArray3DCreate"),
            (own.destroy_array.is_some(), "cuArrayDestroy"),
            (own.copy_array.is_some(), "cuMemcpy3DAsync"),
            (own.make_texture.is_some(), "cuTexObjectCreate"),
            (own.destroy_texture.is_some(), "cuTexObjectDestroy"),
            (own.make_surface.is_some(), "cuSurfObjectCreate"),
            (own.destroy_surface.is_some(), "cuSurfObjectDestroy"),
        ];
        all.iter().find(|(is_there, _)| !is_there).map(|&(_, name)| name)
    }

    fn make(&self, shape: &TextureShape) -> Result<DriverTexture, Called> {
        let mut texture =
            DriverTexture { array: 0, objects: TextureObjects { sampled: 0, fetched: 0, surface: 0 } };
        let made = self.make_parts(shape, &mut texture);
        if made.is_err() {
            self.destroy(&texture);
        }
        made.map(|()| texture)
    }

    unsafe fn copy(
        &self,
        texture: &DriverTexture,
        shape: &TextureShape,
        memory: TextureCopy,
        stream: StreamHandle,
    ) -> Called {
        let Some(copy) = self.own().copy_array else { return MISSING };
        let [width, height, depth] = shape.extent;
        let row = width * shape.texel_bytes();
        let array: CUarray = std::ptr::with_exposed_provenance_mut(texture.array);
        let mut parameters = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
            srcHost: std::ptr::null(),
            srcDevice: 0,
            srcArray: std::ptr::null_mut(),
            reserved0: std::ptr::null_mut(),
            srcPitch: row,
            srcHeight: height,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_ARRAY,
            dstHost: std::ptr::null_mut(),
            dstDevice: 0,
            dstArray: std::ptr::null_mut(),
            reserved1: std::ptr::null_mut(),
            dstPitch: row,
            dstHeight: height,
            WidthInBytes: row,
            Height: height,
            Depth: depth,
        };
        match memory {
            TextureCopy::FromHost(from) => {
                parameters.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
                parameters.srcHost = from.cast();
                parameters.dstArray = array;
            }
            TextureCopy::FromDevice(from) => {
                parameters.srcMemoryType = CUmemorytype::CU_MEMORYTYPE_DEVICE;
                parameters.srcDevice = from;
                parameters.dstArray = array;
            }
            TextureCopy::ToHost(to) => {
                parameters.srcArray = array;
                parameters.dstMemoryType = CUmemorytype::CU_MEMORYTYPE_HOST;
                parameters.dstHost = to.cast();
            }
        }
        // SAFETY: the caller says that the texture is of this shape, and that the memory has as many bytes until the copy is done.
        (copy.name, unsafe { (copy.call)(&raw const parameters, stream.cast()) })
    }

    fn destroy(&self, texture: &DriverTexture) {
        let own = self.own();
        let DriverTexture { array, objects } = texture;
        // There is nobody to tell of errors.
        // SAFETY: each was made by the driver, is destroyed once, and nobody uses it any more.
        unsafe {
            if let Some(destroy) = own.destroy_texture {
                for object in [objects.sampled, objects.fetched].into_iter().filter(|&object| object != 0) {
                    let _ = (destroy.call)(object);
                }
            }
            if let Some(destroy) = own.destroy_surface.filter(|_| objects.surface != 0) {
                let _ = (destroy.call)(objects.surface);
            }
            if let Some(destroy) = own.destroy_array.filter(|_| *array != 0) {
                let _ = (destroy.call)(std::ptr::with_exposed_provenance_mut(*array));
            }
        }
    }
}

/// The error of a driver that lacks a function: `lacking` would have told of it.
const MISSING: Called = ("cuArray3DCreate", Status::NOT_SUPPORTED);

impl Nvidia {
    /// Makes the parts of a texture, and fills in what is made, also before an error.
    fn make_parts(&self, shape: &TextureShape, texture: &mut DriverTexture) -> Result<(), Called> {
        let own = self.own();
        let (Some(make_array), Some(make_texture), Some(make_surface)) =
            (own.make_array, own.make_texture, own.make_surface)
        else {
            return Err(MISSING);
        };
        let descriptor = array(shape);
        let mut handle: CUarray = std::ptr::null_mut();
        // SAFETY: an array to write.
        done(make_array.name, unsafe { (make_array.call)(&raw mut handle, &raw const descriptor) })?;
        texture.array = handle.expose_provenance();
        let resource = CUDA_RESOURCE_DESC {
            resType: CUresourcetype::CU_RESOURCE_TYPE_ARRAY,
            res: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1 {
                reserved: sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_5 { reserved: [0; 32] },
            },
            flags: 0,
        };
        let mut resource = resource;
        resource.res.array = sys::CUDA_RESOURCE_DESC_st__bindgen_ty_1__bindgen_ty_1 { hArray: handle };
        let sampled = sampler(shape);
        let fetched = CUDA_TEXTURE_DESC {
            filterMode: CUfilter_mode::CU_TR_FILTER_MODE_POINT,
            addressMode: [Mode::CU_TR_ADDRESS_MODE_CLAMP; 3],
            flags: sampled.flags & INTEGERS,
            ..sampled
        };
        let objects = &mut texture.objects;
        for (object, sampler) in [(&mut objects.sampled, &sampled), (&mut objects.fetched, &fetched)] {
            // SAFETY: a number to write; the array was just made.
            let status =
                unsafe { (make_texture.call)(object, &raw const resource, sampler, std::ptr::null()) };
            done(make_texture.name, status)?;
        }
        // SAFETY: a number to write; the array was just made.
        done(make_surface.name, unsafe { (make_surface.call)(&raw mut objects.surface, &raw const resource) })
    }
}

/// The driver's description of an array. An axis that isn't there is zero.
fn array(shape: &TextureShape) -> CUDA_ARRAY3D_DESCRIPTOR {
    let [width, height, depth] = shape.extent;
    let (height, depth, flags) = match shape.kind {
        TextureKind::Line => (0, 0, WRITABLE),
        TextureKind::Plane => (height, 0, WRITABLE),
        TextureKind::Volume => (height, depth, WRITABLE),
        TextureKind::Layers => (height, depth, WRITABLE | LAYERED),
    };
    let format = match (shape.format.kind, shape.format.bits) {
        (FormatKind::Unsigned | FormatKind::UnsignedNorm, 8) => Texels::CU_AD_FORMAT_UNSIGNED_INT8,
        (FormatKind::Unsigned | FormatKind::UnsignedNorm, 16) => Texels::CU_AD_FORMAT_UNSIGNED_INT16,
        (FormatKind::Unsigned | FormatKind::UnsignedNorm, _) => Texels::CU_AD_FORMAT_UNSIGNED_INT32,
        (FormatKind::Signed | FormatKind::SignedNorm, 8) => Texels::CU_AD_FORMAT_SIGNED_INT8,
        (FormatKind::Signed | FormatKind::SignedNorm, 16) => Texels::CU_AD_FORMAT_SIGNED_INT16,
        (FormatKind::Signed | FormatKind::SignedNorm, _) => Texels::CU_AD_FORMAT_SIGNED_INT32,
        (FormatKind::Float, 16) => Texels::CU_AD_FORMAT_HALF,
        (FormatKind::Float, _) => Texels::CU_AD_FORMAT_FLOAT,
    };
    CUDA_ARRAY3D_DESCRIPTOR {
        Width: width,
        Height: height,
        Depth: depth,
        Format: format,
        NumChannels: shape.channels as c_uint,
        Flags: flags,
    }
}

fn sampler(shape: &TextureShape) -> CUDA_TEXTURE_DESC {
    let mode = match shape.sampling.address_mode() {
        Address::Clamp => Mode::CU_TR_ADDRESS_MODE_CLAMP,
        Address::Border => Mode::CU_TR_ADDRESS_MODE_BORDER,
        Address::Wrap => Mode::CU_TR_ADDRESS_MODE_WRAP,
        Address::Mirror => Mode::CU_TR_ADDRESS_MODE_MIRROR,
    };
    let integers = if shape.format.kind.is_read_as_float() { 0 } else { INTEGERS };
    let normalized = if shape.sampling.is_normalized() { NORMALIZED } else { 0 };
    let axes = match shape.kind {
        TextureKind::Line => 1,
        TextureKind::Plane | TextureKind::Layers => 2,
        TextureKind::Volume => 3,
    };
    CUDA_TEXTURE_DESC {
        // A line is sampled as a plane, at 0 of its other axis: with a border there, half of each value is the border's.
        addressMode: std::array::from_fn(
            |axis| if axis < axes { mode } else { Mode::CU_TR_ADDRESS_MODE_CLAMP },
        ),
        filterMode: match shape.sampling.filter() {
            Filter::Nearest => CUfilter_mode::CU_TR_FILTER_MODE_POINT,
            Filter::Linear => CUfilter_mode::CU_TR_FILTER_MODE_LINEAR,
        },
        flags: integers | normalized,
        maxAnisotropy: 0,
        mipmapFilterMode: CUfilter_mode::CU_TR_FILTER_MODE_POINT,
        mipmapLevelBias: 0.0,
        minMipmapLevelClamp: 0.0,
        maxMipmapLevelClamp: 0.0,
        borderColor: [0.0; 4],
        reserved: [0; 12],
    }
}

#[cfg(test)]
mod tests {
    use gridwright_core::{Address, Norm, Sampling, Texel};

    use super::{Mode, sampler};
    use crate::submission::{TextureKind, TextureShape};

    #[test]
    fn axes_that_a_texture_has_not_are_clamped() {
        let border = Mode::CU_TR_ADDRESS_MODE_BORDER;
        let clamp = Mode::CU_TR_ADDRESS_MODE_CLAMP;
        for (kind, modes) in [
            (TextureKind::Line, [border, clamp, clamp]),
            (TextureKind::Plane, [border, border, clamp]),
            (TextureKind::Layers, [border, border, clamp]),
            (TextureKind::Volume, [border; 3]),
        ] {
            let (format, sampling) =
                (<Norm<u8> as Texel>::FORMAT, Sampling::linear().address(Address::Border));
            let shape = TextureShape { kind, extent: [4; 3], format, channels: 1, sampling };
            assert_eq!(sampler(&shape).addressMode, modes, "{kind:?}");
        }
    }
}
