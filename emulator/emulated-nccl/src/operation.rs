//! What ranks agree on: a call, as it is sent with its bytes.

use crate::error::Error;
use crate::number::{DataType, Operator};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    AllReduce(Operator),
    Reduce(Operator, usize),
    Broadcast(usize),
    AllGather,
    ReduceScatter(Operator),
    Send(usize),
    Receive(usize),
}

/// A call of any rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Call {
    pub(crate) kind: Kind,
    pub(crate) count: usize,
    pub(crate) data_type: DataType,
}

/// Bytes of a call that is sent.
pub(crate) const SENT_BYTES: usize = 16;

impl Call {
    /// What the ranks of a call have in common. Messages are of one kind.
    pub(crate) fn sent(self) -> [u8; SENT_BYTES] {
        let (kind, operator, root) = match self.kind {
            Kind::AllReduce(operator) => (0, operator as u8, 0),
            Kind::Reduce(operator, root) => (1, operator as u8, root),
            Kind::Broadcast(root) => (2, 0, root),
            Kind::AllGather => (3, 0, 0),
            Kind::ReduceScatter(operator) => (4, operator as u8, 0),
            Kind::Send(_) | Kind::Receive(_) => (5, 0, 0),
        };
        let mut sent = [0; SENT_BYTES];
        sent[..4].copy_from_slice(&[kind, operator, self.data_type as u8, 0]);
        sent[4..8].copy_from_slice(&(root as u32).to_le_bytes());
        sent[8..].copy_from_slice(&(self.count as u64).to_le_bytes());
        sent
    }

    /// Bytes of the input and of the output that a rank has.
    ///
    /// # Errors
    /// If they are more than an address counts.
    pub(crate) fn bytes(self, rank: usize, size: usize) -> Result<(usize, usize), Error> {
        let too_many = || Error::argument(format!("{} elements are too many", self.count));
        let one = self.count.checked_mul(self.data_type.bytes()).ok_or_else(too_many)?;
        let all = one.checked_mul(size).ok_or_else(too_many)?;
        let at = |place: usize| if place == rank { one } else { 0 };
        Ok(match self.kind {
            Kind::AllReduce(_) => (one, one),
            Kind::Reduce(_, root) => (one, at(root)),
            Kind::Broadcast(root) => (at(root), one),
            Kind::AllGather => (one, all),
            Kind::ReduceScatter(_) => (all, one),
            Kind::Send(_) => (one, 0),
            Kind::Receive(_) => (0, one),
        })
    }

    /// For people, from what was sent.
    pub(crate) fn said(sent: &[u8; SENT_BYTES]) -> String {
        let names = ["AllReduce", "Reduce", "Broadcast", "AllGather", "ReduceScatter", "a message"];
        let name = names.get(usize::from(sent[0])).copied().unwrap_or("?");
        let [.., a, b, c, d, e, f, g, h] = *sent;
        let count = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let root = u32::from_le_bytes([sent[4], sent[5], sent[6], sent[7]]);
        format!("{name} of {count} elements of type {}, operator {}, root {root}", sent[2], sent[1])
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Kind};
    use crate::number::{DataType, Operator};

    #[test]
    fn each_call_has_its_bytes() {
        let of = |kind| Call { kind, count: 3, data_type: DataType::Float16 }.bytes(1, 4).unwrap();
        assert_eq!(of(Kind::AllReduce(Operator::Sum)), (6, 6));
        assert_eq!(
            (of(Kind::Reduce(Operator::Sum, 1)), of(Kind::Reduce(Operator::Sum, 2))),
            ((6, 6), (6, 0))
        );
        assert_eq!((of(Kind::Broadcast(1)), of(Kind::Broadcast(2))), ((6, 6), (0, 6)));
        assert_eq!((of(Kind::AllGather), of(Kind::ReduceScatter(Operator::Sum))), ((6, 24), (24, 6)));
        assert_eq!((of(Kind::Send(0)), of(Kind::Receive(0))), ((6, 0), (0, 6)));
    }

    #[test]
    fn too_many_elements_are_an_error() {
        let call = Call { kind: Kind::AllGather, count: usize::MAX / 8, data_type: DataType::Int32 };
        assert!(call.bytes(0, 4).is_err());
    }

    #[test]
    fn what_differs_is_said() {
        let call = Call { kind: Kind::Broadcast(2), count: 7, data_type: DataType::Float64 };
        assert_eq!(Call::said(&call.sent()), "Broadcast of 7 elements of type 8, operator 0, root 2");
    }
}
