use std::sync::Arc;

use cudarc::driver::sys::{self, CUdevice_attribute_enum as Attribute, CUresult};
use cudarc::driver::{CudaContext, result};

use crate::alone::alone;
use crate::gpu::{code, context};

#[test]
fn the_device_says_what_it_is() {
    alone("devices::the_device_says_what_it_is", &[], || {
        let context = context();
        assert_eq!(CudaContext::device_count().expect("a count"), 1);
        assert_eq!(context.compute_capability().expect("one"), (9, 0));
        assert_eq!(context.total_mem().expect("some"), 16 << 30);
        assert_ne!(context.uuid().expect("one").bytes, [0; 16]);
        let limit = |attribute| context.attribute(attribute).expect("known");
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK), 1024);
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X), i32::MAX);
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_WARP_SIZE), 32);
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK), 48 << 10);
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN), 227 << 10);
        assert_eq!(limit(Attribute::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH), 1);
        assert_eq!(code(result::device::get(1)), CUresult::CUDA_ERROR_INVALID_DEVICE);
        let mut version = 0;
        // SAFETY: a place for the result.
        unsafe { sys::cuDriverGetVersion(&raw mut version) }.result().expect("a version");
        assert_eq!(version, 13050);
    });
}

#[test]
fn contexts_are_current_in_a_thread_and_counted() {
    alone("devices::contexts_are_current_in_a_thread_and_counted", &[], || {
        result::init().expect("it starts");
        let device = result::device::get(0).expect("it is there");
        assert_eq!(code(result::ctx::synchronize()), CUresult::CUDA_ERROR_INVALID_CONTEXT);
        // SAFETY: the device is the driver's, and each context is used as long as it is retained.
        unsafe {
            let first = result::primary_ctx::retain(device).expect("retained");
            let second = result::primary_ctx::retain(device).expect("retained");
            assert_eq!(first, second);
            result::ctx::set_current(first).expect("current");
            std::thread::spawn(|| assert_eq!(result::ctx::get_current().expect("an answer"), None))
                .join()
                .expect("the thread ends well");
            assert_eq!(result::ctx::get_current().expect("an answer"), Some(first));
            let memory = result::malloc_sync(64).expect("memory");
            result::primary_ctx::release(device).expect("released");
            result::ctx::synchronize().expect("still retained once");
            result::primary_ctx::release(device).expect("released");
            assert_eq!(code(result::ctx::synchronize()), CUresult::CUDA_ERROR_CONTEXT_IS_DESTROYED);
            assert_eq!(code(result::primary_ctx::release(device)), CUresult::CUDA_ERROR_INVALID_CONTEXT);
            let again = result::primary_ctx::retain(device).expect("retained");
            result::ctx::set_current(again).expect("current");
            // It went with the context.
            assert_eq!(code(result::free_sync(memory)), CUresult::CUDA_ERROR_INVALID_VALUE);
        }
    });
}

#[test]
fn contexts_of_ones_own_come_and_go() {
    alone("devices::contexts_of_ones_own_come_and_go", &[], || {
        let own = CudaContext::new_non_primary(0, 0).expect("created");
        let stream = own.default_stream();
        let slice = stream.clone_htod(&[1_u32, 2, 3]).expect("copied");
        assert_eq!(stream.clone_dtoh(&slice).expect("copied"), [1, 2, 3]);
        let handle = own.cu_ctx();
        drop((slice, stream, own));
        // SAFETY: a handle of what is gone is what this is about.
        let answer = unsafe { result::ctx::set_current(handle) };
        assert_eq!(code(answer), CUresult::CUDA_ERROR_INVALID_CONTEXT);
    });
}

#[test]
fn two_devices_copy_between_each_other() {
    let two = [("GRIDWRIGHT_EMULATOR_DEVICES", "2"), ("GRIDWRIGHT_EMULATOR_DELAY_US", "300")];
    alone("devices::two_devices_copy_between_each_other", &two, || {
        let (first, second) = (CudaContext::new(0).expect("one"), CudaContext::new(1).expect("two"));
        // Not the default streams: which of the two a null stream is depends on the current context, and cudarc leaves the
        // other one current when it drops the event that the copy waits for.
        let stream = |context: &Arc<CudaContext>| context.new_stream().expect("a stream");
        let (here, there) = (stream(&first), stream(&second));
        let source = here.clone_htod(&[5_u32; 100]).expect("copied");
        let target = there.clone_dtod(&source).expect("copied");
        assert_eq!(there.clone_dtoh(&target).expect("copied"), [5; 100]);
        let mut can = 0;
        // SAFETY: a place for the result.
        unsafe { sys::cuDeviceCanAccessPeer(&raw mut can, 0, 1) }.result().expect("an answer");
        assert_eq!(can, 1);
        second.bind_to_thread().expect("bound");
        // SAFETY: contexts that are there.
        unsafe {
            sys::cuCtxEnablePeerAccess(first.cu_ctx(), 0).result().expect("enabled");
            let again = sys::cuCtxEnablePeerAccess(first.cu_ctx(), 0);
            assert_eq!(again, CUresult::CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
            sys::cuCtxDisablePeerAccess(first.cu_ctx()).result().expect("disabled");
        }
    });
}

#[test]
fn pools_let_another_device_in() {
    alone("devices::pools_let_another_device_in", &[("GRIDWRIGHT_EMULATOR_DEVICES", "2")], || {
        let _contexts = [CudaContext::new(0).expect("one"), CudaContext::new(1).expect("two")];
        // SAFETY: a device of the driver.
        let pool = unsafe { result::device::get_default_mem_pool(0) }.expect("a pool");
        let location =
            |id| sys::CUmemLocation { type_: sys::CUmemLocationType_enum::CU_MEM_LOCATION_TYPE_DEVICE, id };
        let access = |device| {
            let mut flags = sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE;
            let mut location = location(device);
            // SAFETY: a place for the result, and a location.
            unsafe { sys::cuMemPoolGetAccess(&raw mut flags, pool, &raw mut location) }
                .result()
                .map(|()| flags)
        };
        let set = |device, flags| {
            let description = sys::CUmemAccessDesc { location: location(device), flags };
            // SAFETY: one description.
            unsafe { sys::cuMemPoolSetAccess(pool, &raw const description, 1) }.result()
        };
        let (all, none) = (
            sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            sys::CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_NONE,
        );
        assert_eq!((access(0), access(1)), (Ok(all), Ok(none)));
        set(1, all).expect("let in");
        assert_eq!(access(1), Ok(all));
        set(1, none).expect("kept out again");
        assert_eq!(access(1), Ok(none));
        assert_eq!(code(set(0, none)), CUresult::CUDA_ERROR_INVALID_VALUE);
        assert_eq!(code(set(2, all)), CUresult::CUDA_ERROR_INVALID_DEVICE);
    });
}

#[test]
fn devices_say_whether_managed_memory_is_for_both_at_once() {
    let off = [("GRIDWRIGHT_EMULATOR_CONCURRENT_MANAGED_ACCESS", "0")];
    alone("devices::devices_say_whether_managed_memory_is_for_both_at_once", &off, || {
        let attribute = Attribute::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS;
        assert_eq!(context().attribute(attribute).expect("known"), 0);
    });
}
