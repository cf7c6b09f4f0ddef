//! Profiles: how long launches, copies and waits take.
//!
//! | to | see |
//! |---|---|
//! | measure what a closure does | [`Device::profile`](crate::Device::profile), whose closure gets a [`Profiler`] |
//! | read what was measured | [`Profile`], [`ProfileRow`], [`Activity`] |
//! | say what a kernel or a graph moves and computes | [`Measured`] |
//!
//! ```
//! use gridwright::prelude::*;
//! use gridwright::profile::Profile;
//!
//! # fn main() -> Result<(), gridwright::Error> {
//! let device = Device::cpu()?;
//! let stream = device.stream()?;
//! let (_, profile): (_, Profile) = device.profile(|_| stream.alloc_zeroed::<f32>(1000))?;
//! println!("{profile}");
//! # Ok(())
//! # }
//! ```

pub use gridwright_host::{Activity, Measured, Profile, ProfileRow, Profiler};
