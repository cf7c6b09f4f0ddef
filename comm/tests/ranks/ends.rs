//! Ranks that end before the others.

use std::time::{Duration, Instant};

use gridwright_comm::{Error, ReduceOp, World};

use crate::launch::Ranks;

/// How soon the others are to end.
const SOON: Duration = Duration::from_secs(15);

fn killed(program: &'static str, checks: &str) {
    let start = Instant::now();
    let Some(said) = Ranks::new(4, program).with("GRIDWRIGHT_COMM_CHECKS", checks).that_go_on().run() else {
        return;
    };
    let text = said.text;
    assert!(start.elapsed() < SOON, "{:?}\n{text}", start.elapsed());
    for rank in [0, 1, 3] {
        assert!(text.contains(&format!("rank {rank}: rank 2 ended before the others")), "{text}");
    }
}

#[test]
fn with_checks_the_others_get_an_error_that_names_the_rank() {
    killed("ends::killed_between_calls", "1");
    killed("ends::killed_in_a_call", "1");
}

#[test]
fn without_checks_the_others_end_with_a_message_that_names_the_rank() {
    killed("ends::killed_in_a_call", "0");
}

#[test]
fn the_first_of_the_ranks_is_no_exception() {
    let start = Instant::now();
    let ranks = Ranks::new(3, "ends::the_first_is_killed").with("GRIDWRIGHT_COMM_CHECKS", "1");
    let Some(said) = ranks.that_go_on().run() else { return };
    assert!(start.elapsed() < SOON, "{:?}\n{}", start.elapsed(), said.text);
    for rank in [1, 2] {
        let expected = format!("rank {rank}: rank 0 ended before the others");
        assert!(said.text.contains(&expected), "{}", said.text);
    }
}

/// Calls for ever, and says what ends it.
fn call_until_it_ends(victim: usize, before: impl Fn()) -> Result<(), Error> {
    let world = World::from_env()?;
    let device = world.device()?;
    let communicator = world.communicator(&device)?;
    let stream = device.stream()?;
    let mut x = stream.alloc_zeroed::<f32>(100_000)?;
    for count in 0_u64.. {
        if world.rank() == victim && count == 20 {
            before();
            // As a machine's end does: nothing is said, nothing is closed in order.
            std::process::abort();
        }
        if let Err(error) = communicator.all_reduce_in_place(&stream, &mut x, ReduceOp::Sum) {
            println!("{error}");
            assert!(matches!(error, Error::Died { dead, .. } if dead == victim), "{error}");
            return Ok(());
        }
    }
    Ok(())
}

#[test]
#[ignore = "a program of ranks"]
fn killed_between_calls() -> Result<(), Error> {
    // The others are in their call by then.
    call_until_it_ends(2, || std::thread::sleep(Duration::from_millis(300)))
}

#[test]
#[ignore = "a program of ranks"]
fn killed_in_a_call() -> Result<(), Error> {
    call_until_it_ends(2, || {})
}

#[test]
#[ignore = "a program of ranks"]
fn the_first_is_killed() -> Result<(), Error> {
    call_until_it_ends(0, || {})
}
