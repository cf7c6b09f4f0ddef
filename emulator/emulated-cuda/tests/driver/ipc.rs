//! Memory and events of two processes on one machine.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};

use cudarc::driver::result;
use cudarc::driver::sys::{self, CUresult};

use crate::alone::alone;
use crate::gpu::{Gate, context, increment, launch, loaded};

const NULL: sys::CUstream = std::ptr::null_mut();
/// Has the handles that the second process opens.
const HANDLES: &str = "GRIDWRIGHT_TEST_OF_IPC";

/// The handles that the first process made, in the second.
fn given() -> Option<Vec<[i8; 64]>> {
    let text = std::env::var(HANDLES).ok()?;
    let handle = |word: &str| {
        let bytes: Vec<i8> = word.split(',').map(|byte| byte.parse().expect("a number")).collect();
        <[i8; 64]>::try_from(bytes).expect("64 bytes")
    };
    Some(text.split_whitespace().map(handle).collect())
}

/// Runs this test again in a second process, with handles.
fn second(handles: &[[i8; 64]]) -> Child {
    let word = |handle: &[i8; 64]| handle.map(|byte| byte.to_string()).join(",");
    let text: Vec<String> = handles.iter().map(word).collect();
    let mut command = Command::new(std::env::current_exe().expect("known"));
    command.args(std::env::args().skip(1)).env(HANDLES, text.join(" "));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("started")
}

fn handle_of(memory: u64) -> Result<[i8; 64], CUresult> {
    let mut handle = sys::CUipcMemHandle { reserved: [0; 64] };
    // SAFETY: a place for the result.
    match unsafe { sys::cuIpcGetMemHandle(&raw mut handle, memory) } {
        CUresult::CUDA_SUCCESS => Ok(handle.reserved),
        error => Err(error),
    }
}

fn open(reserved: [i8; 64]) -> Result<u64, CUresult> {
    let mut memory = 0;
    // SAFETY: a place for the result.
    match unsafe { sys::cuIpcOpenMemHandle_v2(&raw mut memory, sys::CUipcMemHandle { reserved }, 1) } {
        CUresult::CUDA_SUCCESS => Ok(memory),
        error => Err(error),
    }
}

fn words(memory: u64) -> [u32; 4] {
    let mut words = [0; 4];
    // SAFETY: the memory has four words.
    unsafe { result::memcpy_dtoh_sync(&mut words, memory) }.expect("copied");
    words
}

#[test]
fn memory_of_another_process_is_read_and_written() {
    alone("ipc::memory_of_another_process_is_read_and_written", &[], || {
        let context = context();
        let add_one = |memory| {
            launch(loaded(&increment()), 1, 4, 0, NULL, memory).expect("launched");
            context.synchronize().expect("done");
        };
        if let Some(handles) = given() {
            let memory = open(handles[0]).expect("opened");
            assert_eq!(words(memory), [2, 3, 4, 5]);
            assert_eq!(open(handles[0]), Ok(memory), "the address is the same");
            add_one(memory);
            // SAFETY: opened twice, and closed twice.
            unsafe {
                assert_eq!(
                    sys::cuMemFree_v2(memory),
                    CUresult::CUDA_ERROR_INVALID_VALUE,
                    "of another process"
                );
                sys::cuIpcCloseMemHandle(memory).result().expect("closed");
                assert_eq!(words(memory), [3, 4, 5, 6], "still open");
                sys::cuIpcCloseMemHandle(memory).result().expect("closed");
                assert_eq!(sys::cuIpcCloseMemHandle(memory), CUresult::CUDA_ERROR_INVALID_VALUE);
            }
            assert_eq!(open([7; 64]), Err(CUresult::CUDA_ERROR_INVALID_HANDLE));
            return;
        }
        // SAFETY: sixteen bytes.
        let memory = unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            result::memcpy_htod_sync(memory, &[1_u32, 2, 3, 4]).expect("copied");
            memory
        };
        let handle = handle_of(memory).expect("a handle");
        assert_eq!(handle_of(memory + 4), Ok(handle), "of the whole allocation");
        add_one(memory);
        assert_eq!(open(handle), Err(CUresult::CUDA_ERROR_INVALID_CONTEXT), "this process's own");
        assert_eq!(handle_of(8), Err(CUresult::CUDA_ERROR_INVALID_VALUE));
        assert!(second(&[handle]).wait().expect("it ends").success());
        assert_eq!(words(memory), [3, 4, 5, 6]);
        // SAFETY: nothing uses the memory.
        unsafe { result::free_sync(memory) }.expect("freed");
    });
}

#[test]
fn events_of_another_process_are_waited_for() {
    alone("ipc::events_of_another_process_are_waited_for", &[], || {
        let context = context();
        if let Some(handles) = given() {
            let memory = open(handles[0]).expect("opened");
            let mut event = std::ptr::null_mut();
            let stream = context.new_stream().expect("one");
            // SAFETY: a place for each result; the handles are of what the other process keeps.
            unsafe {
                let handle = sys::CUipcEventHandle { reserved: handles[1] };
                sys::cuIpcOpenEventHandle(&raw mut event, handle).result().expect("opened");
                assert_eq!(sys::cuEventQuery(event), CUresult::CUDA_ERROR_NOT_READY);
                sys::cuStreamWaitEvent(stream.cu_stream(), event, 0).result().expect("waits");
                assert_eq!(sys::cuStreamQuery(stream.cu_stream()), CUresult::CUDA_ERROR_NOT_READY);
                println!("waiting");
                std::io::stdout().flush().expect("there");
                stream.synchronize().expect("it came");
                assert_eq!(words(memory), [0x0909_0909; 4]);
                sys::cuEventSynchronize(event).result().expect("there");
                sys::cuEventDestroy_v2(event).result().expect("destroyed");
            }
            return;
        }
        let stream = context.new_stream().expect("one");
        let mut event = std::ptr::null_mut();
        let mut handle = sys::CUipcEventHandle { reserved: [0; 64] };
        // SAFETY: a place for each result.
        let memory = unsafe {
            let memory = result::malloc_sync(16).expect("memory");
            sys::cuEventCreate(&raw mut event, 2).result().expect("one");
            let refused = sys::cuIpcGetEventHandle(&raw mut handle, event);
            assert_eq!(refused, CUresult::CUDA_ERROR_INVALID_VALUE, "not made for it");
            sys::cuEventCreate(&raw mut event, 4 | 2).result().expect("one for processes");
            sys::cuIpcGetEventHandle(&raw mut handle, event).result().expect("a handle");
            memory
        };
        let gate = Gate::close(stream.cu_stream());
        // SAFETY: within the memory.
        unsafe {
            result::memset_d8_async(memory, 9, 16, stream.cu_stream()).expect("queued");
            sys::cuEventRecord(event, stream.cu_stream()).result().expect("queued");
        }
        let mut child = second(&[handle_of(memory).expect("a handle"), handle.reserved]);
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let is_waiting = |line: &std::io::Result<String>| line.as_ref().is_ok_and(|line| line == "waiting");
        assert!(lines.any(|line| is_waiting(&line)), "it came so far");
        gate.open();
        assert!(child.wait().expect("it ends").success());
    });
}
