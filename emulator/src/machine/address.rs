//! The generic address space. Device memory and mapped host memory lie in it as they are; the rest has windows in its upper part.

// Not at a multiple of 2³²: what names a byte in a window doesn't name one in the memory itself, whose addresses have 32 bits.
pub(crate) const SHARED_WINDOW: u64 = 1 << 56 | 1 << 31;
pub(crate) const LOCAL_WINDOW: u64 = 2 << 56 | 1 << 31;
pub(crate) const PARAMETER_WINDOW: u64 = 3 << 56;
pub(crate) const FUNCTION_WINDOW: u64 = 4 << 56;

/// The window of an address: 0 for device memory, then in the order above.
pub(crate) fn window(address: u64) -> u64 {
    address >> 56
}

/// Bits of a place in one group's part of workgroup memory's addresses: no group has as many bytes.
const PEER_BITS: u32 = 24;

/// The address, in workgroup memory, of a place of the group of a rank.
pub(crate) fn of_peer(address: u64, rank: u32) -> u64 {
    (u64::from(rank) + 1) << PEER_BITS | address & ((1 << PEER_BITS) - 1)
}

/// The rank of the group that an address in workgroup memory names, if it names one, and the place in that group's.
pub(crate) fn peer(address: u64) -> (Option<u64>, u64) {
    ((address >> PEER_BITS).checked_sub(1), address & ((1 << PEER_BITS) - 1))
}
