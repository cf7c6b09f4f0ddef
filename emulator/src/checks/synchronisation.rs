//! What orders groups: fences, and atomics or strong accesses at one address.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Addresses at which a group took part, and when.
pub(crate) type Acquired = HashMap<u64, u64>;

/// One address: up to which of its fences each group released there, and when it first did so.
#[derive(Debug, Default)]
struct Location {
    released: HashMap<u32, Vec<(u16, u64)>>,
}

#[derive(Debug, Default)]
struct State {
    now: u64,
    locations: HashMap<u64, Location>,
}

/// The addresses at which groups of a launch released what they wrote.
#[derive(Debug, Default)]
pub(crate) struct Synchronisation {
    is_used: AtomicBool,
    state: Mutex<State>,
}

impl Synchronisation {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes in that a group that has fenced writes to an address.
    pub(crate) fn release(&self, address: u64, group: u32, fenced: u16) {
        self.is_used.store(true, Ordering::Relaxed);
        let mut state = self.state();
        state.now += 1;
        let now = state.now;
        let known = state.locations.entry(address).or_default().released.entry(group).or_default();
        if known.last().is_none_or(|&(last, _)| last < fenced) {
            known.push((fenced, now));
        }
    }

    /// Takes in that a group reads from an address. What others released there up to now is ordered before
    /// what it does next.
    pub(crate) fn acquire(&self, address: u64, acquired: &mut Acquired) {
        if !self.is_used.load(Ordering::Relaxed) {
            return;
        }
        let state = self.state();
        if state.locations.contains_key(&address) {
            acquired.insert(address, state.now);
        }
    }

    /// Whether a group that acquired these knows what another one did at one of its fences' counts.
    pub(crate) fn is_ordered(&self, acquired: &Acquired, group: u32, fence_count: u16) -> bool {
        if acquired.is_empty() {
            return false;
        }
        let state = self.state();
        acquired.iter().any(|(address, &when)| {
            let released = state.locations.get(address).and_then(|location| location.released.get(&group));
            // Both numbers rise: the first release behind the fence is the earliest.
            released.is_some_and(|all| {
                let behind = all.partition_point(|&(fenced, _)| fenced < fence_count);
                all.get(behind).is_some_and(|&(_, at)| at <= when)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_released_is_known_to_who_acquires_later() {
        let synchronisation = Synchronisation::default();
        let (mut early, mut late) = (Acquired::new(), Acquired::new());
        synchronisation.acquire(8, &mut early);
        synchronisation.release(8, 1, 0);
        synchronisation.acquire(8, &mut late);
        assert!(!synchronisation.is_ordered(&early, 1, 0));
        assert!(synchronisation.is_ordered(&late, 1, 0));
        assert!(!synchronisation.is_ordered(&late, 1, 1));
        assert!(!synchronisation.is_ordered(&late, 2, 0));
    }
}
