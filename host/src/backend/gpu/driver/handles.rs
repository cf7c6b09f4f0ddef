//! Handles, by which a driver knows its things: pointers that nobody follows, each of a type of its own.

use std::ffi::c_int;

/// An address of memory, as the driver has it: on the device, or for both.
pub(crate) type Address = u64;

/// A device's number.
pub(crate) type DeviceHandle = c_int;

macro_rules! handles {
    ($($(#[$doc:meta])* $handle:ident = $thing:ident;)*) => {$(
        $(#[$doc])*
        pub(crate) type $handle = *mut $thing;

        /// The thing behind the handle.
        #[derive(Debug)]
        #[repr(C)]
        pub(crate) struct $thing {
            _opaque: [u8; 0],
        }
    )*};
}

handles! {
    /// A queue of work.
    StreamHandle = OpaqueStream;
    /// A point in a stream's work.
    EventHandle = OpaqueEvent;
    /// An image that was loaded.
    ModuleHandle = OpaqueModule;
    /// An entry of a module.
    FunctionHandle = OpaqueFunction;
    /// A graph, as it is made.
    GraphHandle = OpaqueGraph;
    /// A node of a graph.
    NodeHandle = OpaqueNode;
    /// A graph that can be launched.
    ExecHandle = OpaqueExec;
    /// A pool of memory.
    PoolHandle = OpaquePool;
}
