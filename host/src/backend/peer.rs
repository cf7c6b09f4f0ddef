/// The direction of a copy between a device, whose stream it is, and another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    ToPeer,
    FromPeer,
}
