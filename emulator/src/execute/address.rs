//! The generic address space. Device memory and mapped host memory lie in it as they are; the rest has windows in its upper part.

pub(crate) const SHARED_WINDOW: u64 = 1 << 56;
pub(crate) const LOCAL_WINDOW: u64 = 2 << 56;
pub(crate) const PARAMETER_WINDOW: u64 = 3 << 56;
pub(crate) const FUNCTION_WINDOW: u64 = 4 << 56;

/// 0 for device memory, then in the order above.
pub(crate) fn window(address: u64) -> u64 {
    address >> 56
}
