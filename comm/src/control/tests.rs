use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::Duration;

use super::{Hub, Link, Trouble};
use crate::ReduceOp;
use crate::call::{Call, Collective, Message, Way};

const LIMIT: Duration = Duration::from_millis(600);

fn call(len: usize) -> Call {
    Call { collective: Collective::AllReduce(ReduceOp::Sum), element: "f32".into(), len }
}

fn message(way: Way, peer: usize, len: usize) -> Message {
    Message { way, peer, element: "u8".into(), len }
}

/// Does `work` as each rank of a world.
fn world<R: Send>(size: usize, work: impl Fn(usize, Link) -> R + Sync) -> Vec<R> {
    let hub = Hub::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), size, 7, LIMIT).unwrap();
    let (address, work) = (hub.address(), &work);
    thread::scope(|scope| {
        let ranks = (0..size)
            .map(|rank| scope.spawn(move || work(rank, Link::connect(address, rank, 7, LIMIT).unwrap())));
        let ranks: Vec<_> = ranks.collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

#[test]
fn the_same_calls_go_on_in_order() {
    let ends =
        world(4, |_, link| (0..50).try_for_each(|len| link.enter(0, &call(len))).inspect(|()| link.leave()));
    assert_eq!(ends, vec![Ok(()); 4]);
}

#[test]
fn a_difference_is_told_to_all() {
    let ends = world(3, |rank, link| {
        let len = if rank == 1 { 5 } else { 4 };
        link.enter(0, &call(len))
    });
    for end in ends {
        let Err(Trouble::Mismatch { call, other_call, .. }) = end else { panic!("{end:?}") };
        let both = call + &other_call;
        assert!(both.contains("4 f32") && both.contains("5 f32"), "{both}");
    }
}

#[test]
fn a_rank_that_does_not_come_is_named() {
    let ends = world(3, |rank, link| {
        if rank == 2 {
            thread::sleep(2 * LIMIT);
            return Ok(());
        }
        link.enter(0, &call(4))
    });
    for end in &ends[..2] {
        assert!(matches!(end, Err(Trouble::Missing { missing, .. }) if *missing == [2]), "{end:?}");
    }
}

#[test]
fn a_rank_that_ends_is_named_at_once() {
    let ends = world(3, |rank, link| {
        if rank == 1 {
            drop(link);
            return Ok(());
        }
        link.enter(0, &call(4))
    });
    for rank in [0, 2] {
        assert!(matches!(ends[rank], Err(Trouble::Died { dead: 1, .. })), "{:?}", ends[rank]);
    }
}

#[test]
fn one_that_leaves_too_early_is_named() {
    let ends = world(2, |rank, link| {
        if rank == 1 {
            link.leave();
            return Ok(());
        }
        link.enter(0, &call(4))
    });
    assert!(matches!(ends[0], Err(Trouble::Died { dead: 1, .. })), "{:?}", ends[0]);
}

#[test]
fn messages_meet_their_other_ends() {
    let ends = world(3, |rank, link| {
        let (next, last) = ((rank + 1) % 3, (rank + 2) % 3);
        let ring = |len| vec![message(Way::Send, next, len), message(Way::Receive, last, len)];
        (1..20).try_for_each(|len| link.exchange(0, ring(len))).inspect(|()| link.leave())
    });
    assert_eq!(ends, vec![Ok(()); 3]);
}

#[test]
fn messages_of_other_lengths_break_the_communicator_of_all() {
    let ends = world(3, |rank, link| match rank {
        0 => link.exchange(0, vec![message(Way::Send, 1, 4)]),
        1 => link.exchange(0, vec![message(Way::Receive, 0, 5)]),
        _ => link.enter(0, &call(1)),
    });
    for end in ends {
        assert!(matches!(end, Err(Trouble::Mismatch { .. })), "{end:?}");
    }
}

#[test]
fn a_message_that_nobody_receives_names_who_did_not() {
    let ends = world(2, |rank, link| match rank {
        0 => link.exchange(0, vec![message(Way::Send, 1, 4)]),
        _ => {
            thread::sleep(2 * LIMIT);
            Ok(())
        }
    });
    assert!(matches!(&ends[0], Err(Trouble::Missing { missing, .. }) if *missing == [1]), "{:?}", ends[0]);
}

#[test]
fn bytes_reach_those_who_asked_before_and_after() {
    let ends = world(3, |rank, link| {
        if rank == 0 {
            thread::sleep(Duration::from_millis(20));
            link.put("id".into(), vec![1, 2, 3]).unwrap();
        }
        let bytes = link.get("id");
        link.leave();
        bytes
    });
    assert_eq!(ends, vec![Ok(vec![1, 2, 3]); 3]);
}

#[test]
fn a_world_that_is_not_complete_names_who_is_missing() {
    let hub = Hub::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), 2, 7, LIMIT).unwrap();
    let error = Link::connect(hub.address(), 0, 7, LIMIT).unwrap_err();
    assert!(matches!(&error, crate::Error::Missing { missing, .. } if *missing == [1]), "{error}");
}

#[test]
fn who_does_not_know_the_token_is_not_a_rank() {
    let hub = Hub::start(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), 1, 7, LIMIT).unwrap();
    assert!(Link::connect(hub.address(), 0, 8, Duration::from_millis(100)).is_err());
    Link::connect(hub.address(), 0, 7, LIMIT).unwrap();
}
