//! Where a device's time goes: recorded while a program runs, as a table and as a trace.
//!
//! All of it is above the backends: a piece of work is between two marks on its stream, as if the program recorded events
//! around it. The [recorder](recorder) is there only while a profile is made; without one, a launch looks at one flag.

mod activity;
mod measured;
mod nvtx;
mod profiler;
mod recorder;
mod report;
mod span;
mod table;
mod timing;
mod trace;
mod turns;

pub use activity::Activity;
pub use measured::Measured;
pub use profiler::Profiler;
pub(crate) use recorder::Profiles;
pub use report::{Profile, ProfileRow};
pub(crate) use span::Piece;
