//! What a rank calls, as others may know it.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ReduceOp;

/// A collective call, without its memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    pub(crate) collective: Collective,
    /// The elements' type, as Rust names it.
    pub(crate) element: Cow<'static, str>,
    /// Elements of a rank's share.
    pub(crate) len: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Collective {
    /// A new communicator of devices, by an engine.
    New(String),
    Barrier,
    AllReduce(ReduceOp),
    Reduce(ReduceOp, usize),
    Broadcast(usize),
    AllGather,
    ReduceScatter(ReduceOp),
    AllToAll,
    /// How many elements a rank sends to each, and receives from each.
    AllToAllV(Vec<usize>, Vec<usize>),
}

impl Collective {
    /// The method's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::New(_) => "World::communicator",
            Self::Barrier => "barrier",
            Self::AllReduce(_) => "all_reduce",
            Self::Reduce(..) => "reduce",
            Self::Broadcast(_) => "broadcast",
            Self::AllGather => "all_gather",
            Self::ReduceScatter(_) => "reduce_scatter",
            Self::AllToAll => "all_to_all",
            Self::AllToAllV(..) => "all_to_all_v",
        }
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { collective, element, len } = self;
        write!(f, "`{}`", collective.name())?;
        match collective {
            Collective::New(devices) => write!(f, " of {devices}"),
            Collective::Barrier => Ok(()),
            Collective::AllToAllV(to, from) => {
                write!(f, " of {element}, {to:?} elements to the ranks and {from:?} from them")
            }
            Collective::AllReduce(op) | Collective::ReduceScatter(op) => {
                write!(f, " of {len} {element} by {op}")
            }
            Collective::Reduce(op, root) => write!(f, " of {len} {element} by {op} to rank {root}"),
            Collective::Broadcast(root) => write!(f, " of {len} {element} from rank {root}"),
            Collective::AllGather | Collective::AllToAll => write!(f, " of {len} {element}"),
        }
    }
}

/// Whether two ranks call what goes together.
pub(crate) fn go_together(left: usize, left_call: &Call, right: usize, right_call: &Call) -> bool {
    use Collective::AllToAllV;

    let (AllToAllV(left_to, left_from), AllToAllV(right_to, right_from)) =
        (&left_call.collective, &right_call.collective)
    else {
        return left_call == right_call;
    };
    left_call.element == right_call.element
        && left_to.get(right) == right_from.get(left)
        && right_to.get(left) == left_from.get(right)
}

/// A message of one rank to another, without its memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Message {
    pub(crate) way: Way,
    /// The other rank.
    pub(crate) peer: usize,
    pub(crate) element: Cow<'static, str>,
    pub(crate) len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Way {
    Send,
    Receive,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { way, peer, element, len } = self;
        match way {
            Way::Send => write!(f, "`send` of {len} {element} to rank {peer}"),
            Way::Receive => write!(f, "`receive` of {len} {element} from rank {peer}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, Collective, go_together};
    use crate::ReduceOp;

    fn call(collective: Collective, len: usize) -> Call {
        Call { collective, element: "f32".into(), len }
    }

    #[test]
    fn calls_that_differ_in_anything_do_not_go_together() {
        let sum = call(Collective::AllReduce(ReduceOp::Sum), 4);
        assert!(go_together(0, &sum, 1, &sum.clone()));
        let others = [
            call(Collective::AllReduce(ReduceOp::Minimum), 4),
            call(Collective::AllReduce(ReduceOp::Sum), 5),
            call(Collective::Broadcast(0), 4),
            Call { element: "u32".into(), ..sum.clone() },
        ];
        for other in others {
            assert!(!go_together(0, &sum, 1, &other), "{sum} and {other}");
        }
    }

    #[test]
    fn what_a_rank_sends_to_another_is_what_that_one_receives() {
        let of =
            |to: [usize; 2], from: [usize; 2]| call(Collective::AllToAllV(to.to_vec(), from.to_vec()), 0);
        assert!(go_together(0, &of([1, 2], [1, 3]), 1, &of([3, 4], [2, 4])));
        assert!(!go_together(0, &of([1, 2], [1, 3]), 1, &of([3, 4], [1, 4])));
        assert!(!go_together(0, &of([1, 2], [1, 3]), 1, &of([2, 4], [2, 4])));
    }

    #[test]
    fn a_call_is_said_as_it_is_written() {
        assert_eq!(
            call(Collective::Reduce(ReduceOp::Sum, 2), 4).to_string(),
            "`reduce` of 4 f32 by sum to rank 2"
        );
    }
}
