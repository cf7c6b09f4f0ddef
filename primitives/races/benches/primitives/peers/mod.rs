//! Who else can do it.

pub(crate) mod by_rayon;
pub(crate) mod by_std;
pub(crate) mod copy;
pub(crate) mod cpp;
pub(crate) mod radix;
