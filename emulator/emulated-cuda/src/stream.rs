//! Streams.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::Out;
use crate::callback::{Callback, HostFunction, UserData};
use crate::context::{self, Cuda};
use crate::error::Error;
use crate::registry::{Handle, Registry};
use crate::shared::event;
use crate::shared::graph::{self, OfEvent, Task};
use crate::shared::stream::{self, Streams};

pub(crate) type Stream = stream::Stream<Cuda>;

static STREAMS: Registry<Stream> = Registry::new(4);

impl Streams for Cuda {
    fn streams() -> &'static Registry<Stream> {
        &STREAMS
    }

    fn has_own_default() -> bool {
        context::has_own_default()
    }
}

/// Of a wait for an event: one that isn't of the capture.
const EXTERNAL: c_uint = 1;

/// The stream of a handle.
pub(crate) fn find(handle: Handle) -> Result<Arc<Stream>, Error> {
    stream::find(handle)
}

driver! {
    fn cuStreamCreate(stream: Out<Handle>, flags: c_uint) {
        stream::create::<Cuda>(stream, flags, 0)
    }

    /// Priorities are kept and have no effect.
    fn cuStreamCreateWithPriority(stream: Out<Handle>, flags: c_uint, priority: c_int) {
        stream::create::<Cuda>(stream, flags, priority)
    }

    /// What was submitted still runs.
    fn cuStreamDestroy_v2(stream: Handle) {
        context::ending()?;
        STREAMS.remove(stream).ok_or(Error::INVALID_HANDLE)?.close();
        Ok(())
    }

    fn cuStreamSynchronize[ptsz](stream: Handle) {
        find(stream)?.synchronize()
    }

    fn cuStreamQuery[ptsz](stream: Handle) {
        find(stream)?.query()
    }

    /// Nothing, for an event that wasn't recorded. In a capture, a wait for an external record is a node of its graph.
    fn cuStreamWaitEvent[ptsz](stream: Handle, event: Handle, flags: c_uint) {
        let stream = find(stream)?;
        if flags > EXTERNAL {
            return Err(Error::INVALID_VALUE);
        }
        if let Some(capture) = stream.captured().filter(|_| flags == EXTERNAL) {
            return graph::capture(&capture, &stream, Task::Wait(OfEvent::new(event)?));
        }
        event::find::<Cuda>(event)?.hold(&stream)
    }

    fn cuStreamGetCtx[ptsz](stream: Handle, context: Out<Handle>) {
        context.put(find(stream)?.context.handle)
    }

    fn cuStreamGetDevice[ptsz](stream: Handle, device: Out<c_int>) {
        device.put(find(stream)?.context.device as c_int)
    }

    fn cuStreamGetPriority[ptsz](stream: Handle, priority: Out<c_int>) {
        priority.put(find(stream)?.priority)
    }

    fn cuStreamGetFlags[ptsz](stream: Handle, flags: Out<c_uint>) {
        flags.put(find(stream)?.flags())
    }

    fn cuStreamGetId[ptsz](stream: Handle, id: Out<u64>) {
        id.put(find(stream)?.id)
    }

    /// Managed memory is the host's own here: any stream may use it.
    fn cuStreamAttachMemAsync[ptsz](stream: Handle, _address: u64, _length: usize, flags: c_uint) {
        stream::attach_memory::<Cuda>(stream, flags)
    }

    /// The function isn't called once the context has failed.
    fn cuLaunchHostFunc[ptsz](stream: Handle, function: HostFunction, data: UserData) {
        graph::call_host::<Cuda>(stream, function, data)
    }

    /// Ways to wait for the function are taken, and change nothing.
    fn cuLaunchHostFunc_v2[ptsz](stream: Handle, function: HostFunction, data: UserData, way: c_uint) {
        if way > 2 {
            return Err(Error::INVALID_VALUE);
        }
        graph::call_host::<Cuda>(stream, function, data)
    }

    /// The callback is told of an error that stays.
    fn cuStreamAddCallback[ptsz](stream: Handle, callback: Callback, data: UserData, flags: c_uint) {
        stream::add_callback::<Cuda>(stream, callback, data, flags)
    }
}
