//! Streams.

use std::ffi::{c_int, c_uint};
use std::sync::Arc;

use crate::abi::Out;
use crate::callback::{Callback, HostFunction, UserData};
use crate::context::{Hip, current};
use crate::error::Error;
use crate::registry::{Handle, Registry};
use crate::shared::stream::{self, Streams};
use crate::shared::{event, graph};

pub(crate) type Stream = stream::Stream<Hip>;

static STREAMS: Registry<Stream> = Registry::new(4);

impl Streams for Hip {
    fn streams() -> &'static Registry<Stream> {
        &STREAMS
    }
}

/// The stream of a handle: also the current device's default stream.
pub(crate) fn find(handle: Handle) -> Result<Arc<Stream>, Error> {
    stream::find(handle)
}

hip! {
    fn hipStreamCreate(stream: Out<Handle>) {
        stream::create::<Hip>(stream, 0, 0)
    }

    fn hipStreamCreateWithFlags(stream: Out<Handle>, flags: c_uint) {
        stream::create::<Hip>(stream, flags, 0)
    }

    /// Priorities are kept and have no effect.
    fn hipStreamCreateWithPriority(stream: Out<Handle>, flags: c_uint, priority: c_int) {
        stream::create::<Hip>(stream, flags, priority)
    }

    /// What was submitted still runs.
    fn hipStreamDestroy(stream: Handle) {
        current()?;
        STREAMS.remove(stream).ok_or(Error::INVALID_HANDLE)?.close();
        Ok(())
    }

    fn hipStreamSynchronize(stream: Handle) {
        find(stream)?.synchronize()
    }

    fn hipStreamQuery(stream: Handle) {
        find(stream)?.query()
    }

    /// Nothing, for an event that wasn't recorded.
    fn hipStreamWaitEvent(stream: Handle, event: Handle, flags: c_uint) {
        let stream = find(stream)?;
        if flags > 1 {
            return Err(Error::INVALID_VALUE);
        }
        event::find::<Hip>(event)?.hold(&stream)
    }

    fn hipStreamGetDevice(stream: Handle, device: Out<c_int>) since (5, 6) {
        device.put(find(stream)?.context.device as c_int)
    }

    fn hipStreamGetPriority(stream: Handle, priority: Out<c_int>) {
        priority.put(find(stream)?.priority)
    }

    fn hipStreamGetFlags(stream: Handle, flags: Out<c_uint>) {
        flags.put(find(stream)?.flags())
    }

    /// Never: there is no capture.
    fn hipStreamIsCapturing(stream: Handle, status: Out<c_int>) {
        find(stream)?;
        status.put(0)
    }

    /// The function isn't called once the device has failed.
    fn hipLaunchHostFunc(stream: Handle, function: HostFunction, data: UserData) {
        graph::call_host::<Hip>(stream, function, data)
    }

    /// The callback is told of an error that stays.
    fn hipStreamAddCallback(stream: Handle, callback: Callback, data: UserData, flags: c_uint) {
        stream::add_callback::<Hip>(stream, callback, data, flags)
    }
}
