//! Maps of tensors, from the driver to a kernel.

use std::ffi::c_void;

use cudarc::driver::DevicePtr;
use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{context, function, load};

/// Loads the tile at 4, 2 of 8 by 4 words, and gives it to `y`.
const KERNEL: &str = "
.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .align 64 .b8 map[128], .param .u64 y)
{
.reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<3>; .shared .align 128 .b8 tile[128]; .shared .align 8 .b64 barrier;
mov.b64 %rd1, map; cvta.param.u64 %rd1, %rd1; ld.param.u64 %rd2, [y]; mov.u32 %r0, %tid.x; mov.u32 %r1, tile; mov.u32 %r2, barrier;
setp.eq.u32 %p0, %r0, 0;
@%p0 mbarrier.init.shared.b64 [%r2], 1;
@%p0 fence.proxy.async;
bar.sync 0;
@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;
@%p0 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%rd1, {4, 2}], [%r2];
WAIT: mbarrier.try_wait.parity.shared.b64 %p1, [%r2], 0;
@!%p1 bra WAIT;
mad.lo.u32 %r3, %r0, 4, %r1; ld.shared.u32 %r4, [%r3]; mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd3, %rd2; st.global.u32 [%rd3], %r4;
ret;
}
";

/// What a test changes.
struct Encoded {
    ty: u32,
    rank: u32,
    address: u64,
    dimensions: [u64; 2],
    stride: u64,
    tile: [u32; 2],
    steps: [u32; 2],
    modes: [u32; 4],
}

fn encode(map: &mut sys::CUtensorMap, with: &Encoded) -> Result<(), CUresult> {
    let [interleave, swizzle, promotion, fill] = with.modes;
    type Encode = unsafe extern "C" fn(
        *mut sys::CUtensorMap,
        u32,
        u32,
        *mut c_void,
        *const u64,
        *const u64,
        *const u32,
        *const u32,
        u32,
        u32,
        u32,
        u32,
    ) -> CUresult;
    // SAFETY: the library has this function, with numbers for the enums of `cuda.h`, and it gets places for as many values as it reads.
    let answer = unsafe {
        let library = libloading::Library::new("libcuda.so.1").expect("there");
        let call = *library.get::<Encode>(b"cuTensorMapEncodeTiled").expect("exported");
        call(
            map,
            with.ty,
            with.rank,
            with.address as usize as *mut c_void,
            with.dimensions.as_ptr(),
            &raw const with.stride,
            with.tile.as_ptr(),
            with.steps.as_ptr(),
            interleave,
            swizzle,
            promotion,
            fill,
        )
    };
    if answer == CUresult::CUDA_SUCCESS { Ok(()) } else { Err(answer) }
}

fn words(address: u64) -> Encoded {
    Encoded {
        ty: 2,
        rank: 2,
        address,
        dimensions: [12, 6],
        stride: 48,
        tile: [8, 4],
        steps: [1; 2],
        modes: [0; 4],
    }
}

#[test]
fn a_kernel_loads_a_tile_of_what_the_driver_encoded() {
    alone(
        "tensor_maps::a_kernel_loads_a_tile_of_what_the_driver_encoded",
        &[("GRIDWRIGHT_EMULATOR_CHECKS", "error")],
        || {
            let stream = context().default_stream();
            let x = stream.clone_htod(&(0..72).collect::<Vec<u32>>()).expect("memory");
            let y = stream.alloc_zeros::<u32>(32).expect("memory");
            let mut map = sys::CUtensorMap { opaque: [0; 16] };
            // Of another tensor first, whose address is replaced.
            let address = x.device_ptr(&stream).0;
            encode(&mut map, &words(1 << 20)).expect("encoded");
            // SAFETY: a map that was encoded.
            let answer =
                unsafe { sys::cuTensorMapReplaceAddress(&raw mut map, address as usize as *mut c_void) };
            assert_eq!(answer, CUresult::CUDA_SUCCESS);
            let mut target = y.device_ptr(&stream).0;
            let mut arguments = [(&raw mut map).cast::<c_void>(), (&raw mut target).cast()];
            let kernel = function(load(KERNEL).expect("it loads"), "k");
            // SAFETY: the parameters of the kernel.
            unsafe {
                result::launch_kernel(kernel, (1, 1, 1), (32, 1, 1), 0, std::ptr::null_mut(), &mut arguments)
            }
            .expect("launched");
            let tile = stream.clone_dtoh(&y).expect("copied");
            let expected: Vec<u32> = (0..32).map(|i| (2 + i / 8) * 12 + 4 + i % 8).collect();
            assert_eq!(tile, expected);
        },
    );
}

#[test]
fn maps_that_hardware_does_not_take_are_refused() {
    alone("tensor_maps::maps_that_hardware_does_not_take_are_refused", &[], || {
        let context = context();
        let stream = context.default_stream();
        let x = stream.alloc_zeros::<u32>(1024).expect("memory");
        let address = x.device_ptr(&stream).0;
        let mut map = sys::CUtensorMap { opaque: [0; 16] };
        let mut refused = |change: &dyn Fn(&mut Encoded)| {
            let mut with = words(address);
            change(&mut with);
            encode(&mut map, &with).err()
        };
        let invalid = Some(CUresult::CUDA_ERROR_INVALID_VALUE);
        assert_eq!(refused(&|_| {}), None);
        assert_eq!(refused(&|with| with.ty = 99), invalid);
        assert_eq!(refused(&|with| with.rank = 0), invalid);
        assert_eq!(refused(&|with| with.rank = 6), invalid);
        assert_eq!(refused(&|with| with.address += 8), invalid);
        assert_eq!(refused(&|with| with.dimensions[1] = 0), invalid);
        assert_eq!(refused(&|with| with.stride = 40), invalid);
        assert_eq!(refused(&|with| with.tile[1] = 257), invalid);
        // Rows of 12 bytes.
        assert_eq!(refused(&|with| with.tile[0] = 3), invalid);
        assert_eq!(refused(&|with| with.steps[1] = 9), invalid);
        // A row of 32 bytes is within 32, one of 64 isn't.
        assert_eq!(refused(&|with| with.modes[1] = 1), None);
        assert_eq!(refused(&|with| (with.modes[1], with.tile[0]) = (1, 16)), invalid);
        // Integers have no NaN.
        assert_eq!(refused(&|with| with.modes[3] = 1), invalid);
        assert_eq!(refused(&|with| (with.modes[3], with.ty) = (1, 7)), None);
        assert_eq!(refused(&|with| with.modes[0] = 1), Some(CUresult::CUDA_ERROR_NOT_SUPPORTED));
    });
}
