//! Players by their points: a sort of keys with values of the user's.

// ANCHOR: program
use gridwright::prelude::*;
use gridwright_primitives as primitives;
#[host_only]
use gridwright_primitives::{Error, SortOrder};

#[derive(Clone, Copy, Debug, PartialEq, KernelArg)]
#[repr(C)]
pub struct Player {
    number: u32,
    wins: u32,
    draws: u32,
}

/// Stands for this crate's instances.
pub struct Ranking;

instance! { impl primitives::Sort<f32, Player> for Ranking; }

#[host_only]
pub(crate) fn run(stream: &Stream) -> Result<(), Error> {
    let player = |number, wins, draws| Player { number, wins, draws };
    let players = [player(1, 2, 1), player(2, 4, 0), player(3, 0, 3), player(4, 2, 1)];
    let points: Vec<f32> =
        players.iter().map(|player| player.wins as f32 + 0.5 * player.draws as f32).collect();

    let (mut points, mut players) = (stream.upload(&points)?, stream.upload(&players)?);
    let p = primitives::on(stream).with_kernels::<Ranking>();
    p.sort_pairs_by(&mut points, &mut players, SortOrder::descending())?;

    let numbers: Vec<u32> = stream.download(&players)?.iter().map(|player| player.number).collect();
    // The first and the last have as many points: they stay in their order.
    assert_eq!(numbers, [2, 1, 4, 3]);
    Ok(())
}
// ANCHOR_END: program
