//! What most tests begin with.

use std::ffi::{CString, c_void};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use cudarc::driver::sys::{self, CUresult};
use cudarc::driver::{CudaContext, DriverError, result};

pub(crate) const NVCC: &str = include_str!("../../../tests/ptx/nvcc.ptx");
pub(crate) const VECTOR_ADD: &str = include_str!("../../../tests/ptx/rustc/vector_add.ptx");

/// A module of one kernel, `k`, of a parameter `p`: the address of 32-bit words, or what else the test says.
pub(crate) fn kernel(declarations: &str, body: &str) -> String {
    format!(
        ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p) {declarations}\n{{\n\
         .reg .pred %q<4>;\n.reg .b32 %r<8>;\n.reg .b64 %a<8>;\nld.param.u64 %a1, [p];\n{body}\nret;\n}}\n"
    )
}

/// Adds 1 to each word.
pub(crate) fn increment() -> String {
    kernel(
        "",
        "mov.u32 %r1, %tid.x;\nmov.u32 %r3, %ctaid.x;\nmov.u32 %r4, %ntid.x;\nmad.lo.u32 %r1, %r3, %r4, %r1;\n\
         mul.wide.u32 %a2, %r1, 4;\nadd.u64 %a2, %a1, %a2;\nld.global.u32 %r2, [%a2];\nadd.u32 %r2, %r2, 1;\n\
         st.global.u32 [%a2], %r2;",
    )
}

pub(crate) fn context() -> Arc<CudaContext> {
    let context = CudaContext::new(0).expect("there is a device");
    assert!(context.name().expect("it has a name").contains("no hardware"));
    context
}

pub(crate) fn load(ptx: &str) -> Result<sys::CUmodule, DriverError> {
    let ptx = CString::new(ptx).expect("PTX has no zeros");
    // SAFETY: a text with a zero behind it.
    unsafe { result::module::load_data(ptx.as_ptr().cast()) }
}

pub(crate) fn function(module: sys::CUmodule, name: &str) -> sys::CUfunction {
    let name = CString::new(name).expect("names have no zeros");
    // SAFETY: the module is loaded.
    unsafe { result::module::get_function(module, name) }.expect("the entry is there")
}

/// The kernel `k` of a text.
pub(crate) fn loaded(ptx: &str) -> sys::CUfunction {
    function(load(ptx).expect("the PTX is fine"), "k")
}

/// Launches a kernel of one parameter, an address.
pub(crate) fn launch(
    function: sys::CUfunction,
    grid: u32,
    block: u32,
    shared: u32,
    stream: sys::CUstream,
    address: u64,
) -> Result<(), DriverError> {
    let mut address = address;
    let mut arguments = [(&raw mut address).cast::<c_void>()];
    // SAFETY: the kernel has one parameter of 64 bits. What it may access is what the test is about.
    unsafe { result::launch_kernel(function, (grid, 1, 1), (block, 1, 1), shared, stream, &mut arguments) }
}

/// The number of an error.
pub(crate) fn code<T: std::fmt::Debug>(answer: Result<T, DriverError>) -> CUresult {
    answer.expect_err("this must fail").0
}

/// Holds a stream until it is dropped, or `open` is called.
pub(crate) struct Gate(Option<Sender<()>>);

impl Gate {
    pub(crate) fn close(stream: sys::CUstream) -> Self {
        unsafe extern "C" fn wait(receiver: *mut c_void) {
            // SAFETY: made by `into_raw` below, for this one call.
            let receiver = unsafe { Box::from_raw(receiver.cast::<Receiver<()>>()) };
            // It is over when the other end is gone.
            let _ = receiver.recv();
        }
        let (sender, receiver) = channel();
        let receiver = Box::into_raw(Box::new(receiver));
        // SAFETY: the function takes what it is given, once.
        unsafe { result::stream::launch_host_function(stream, wait, receiver.cast()) }
            .expect("streams run functions");
        Self(Some(sender))
    }

    pub(crate) fn open(mut self) {
        self.0 = None;
    }
}
