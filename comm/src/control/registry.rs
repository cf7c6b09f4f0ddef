//! What the hub knows: who waits for whom.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::words::{FromHub, ToHub, Trouble};
use crate::call::{Call, Message, Way, go_together};

/// Answers: to which rank, and what.
pub(super) type Answers = Vec<(usize, FromHub)>;

/// A collective call that ranks wait in.
#[derive(Debug)]
struct Waiting {
    /// The ranks that entered, with their tickets.
    entered: BTreeMap<usize, (u64, Call)>,
    since: Instant,
    limit: Duration,
}

/// A group of messages that a rank waits in.
#[derive(Debug)]
struct Exchange {
    rank: usize,
    /// The messages, and whether the other rank has come to each.
    messages: Vec<(Message, bool)>,
    since: Instant,
    limit: Duration,
}

/// Messages from one rank to another that wait for their other end, in the order of the calls: whose ticket, and which of its messages.
type Queue = VecDeque<(u64, usize)>;

/// The exchanges of a communicator.
#[derive(Debug, Default)]
struct Communicator {
    /// Collective calls each rank has entered so far.
    entered: BTreeMap<usize, u64>,
    /// Calls by their number.
    waiting: BTreeMap<u64, Waiting>,
    exchanges: BTreeMap<(usize, u64), Exchange>,
    /// By sender and receiver: sends that wait, receives that wait.
    sends: BTreeMap<(usize, usize), Queue>,
    receives: BTreeMap<(usize, usize), Queue>,
    trouble: Option<Trouble>,
}

/// What ranks told the hub, and what they wait for.
#[derive(Debug)]
pub(super) struct Registry {
    size: usize,
    communicators: BTreeMap<u32, Communicator>,
    values: BTreeMap<String, Vec<u8>>,
    /// Ranks that wait for a value.
    asked: BTreeMap<String, Vec<usize>>,
    left: BTreeSet<usize>,
    died: Option<Trouble>,
}

impl Registry {
    pub(super) fn new(size: usize) -> Self {
        Self {
            size,
            communicators: BTreeMap::new(),
            values: BTreeMap::new(),
            asked: BTreeMap::new(),
            left: BTreeSet::new(),
            died: None,
        }
    }

    /// What a rank said.
    pub(super) fn said(&mut self, rank: usize, word: ToHub, now: Instant) -> Answers {
        match word {
            ToHub::Hello { .. } => Answers::new(),
            ToHub::Enter { communicator, ticket, call, limit } => {
                let limit = Duration::from_millis(limit);
                self.enter(rank, communicator, ticket, call, now, limit)
            }
            ToHub::Exchange { communicator, ticket, messages, limit } => {
                let limit = Duration::from_millis(limit);
                self.exchange(
                    communicator,
                    ticket,
                    Exchange {
                        rank,
                        messages: messages.into_iter().map(|message| (message, false)).collect(),
                        since: now,
                        limit,
                    },
                )
            }
            ToHub::Put { key, bytes } => {
                let asked = self.asked.remove(&key).unwrap_or_default();
                let answer = FromHub::Value { key: key.clone(), bytes: bytes.clone() };
                self.values.insert(key, bytes);
                asked.into_iter().map(|rank| (rank, answer.clone())).collect()
            }
            ToHub::Get { key } => match self.values.get(&key) {
                Some(bytes) => vec![(rank, FromHub::Value { key, bytes: bytes.clone() })],
                None => {
                    self.asked.entry(key).or_default().push(rank);
                    Answers::new()
                }
            },
            ToHub::Failed { communicator, trouble } => self.break_communicator(communicator, trouble),
            ToHub::Leave => {
                self.left.insert(rank);
                self.without(rank)
            }
        }
    }

    /// A rank's link is closed.
    pub(super) fn closed(&mut self, rank: usize, how: &str) -> Answers {
        if self.left.contains(&rank) || self.died.is_some() {
            return Answers::new();
        }
        let trouble = Trouble::Died { dead: rank, how: how.to_owned() };
        self.died = Some(trouble.clone());
        self.left.insert(rank);
        self.for_all(&FromHub::Died { trouble })
    }

    /// Whether all ranks have gone, so that nobody is left to answer.
    pub(super) fn is_over(&self) -> bool {
        self.left.len() >= self.size
    }

    /// What is due by the clock: those who waited too long.
    pub(super) fn due(&mut self, now: Instant) -> Answers {
        let mut late = Vec::new();
        for (&number, communicator) in &self.communicators {
            let of_calls = communicator.waiting.values().find(|waiting| now - waiting.since > waiting.limit);
            let of_messages = communicator.exchanges.values().find(|waits| now - waits.since > waits.limit);
            if let Some(waiting) = of_calls {
                late.push((number, waiting.missing(self.size, now)));
            } else if let Some(exchange) = of_messages {
                late.push((number, exchange.missing(now)));
            }
        }
        late.into_iter().flat_map(|(number, trouble)| self.break_communicator(number, trouble)).collect()
    }

    fn enter(
        &mut self,
        rank: usize,
        number: u32,
        ticket: u64,
        call: Call,
        now: Instant,
        limit: Duration,
    ) -> Answers {
        if let Some(answer) = self.refused(number, rank, ticket) {
            return answer;
        }
        let gone: Vec<_> = self.left.iter().copied().collect();
        let size = self.size;
        let communicator = self.communicators.entry(number).or_default();
        let count = communicator.entered.entry(rank).or_default();
        let place = *count;
        *count += 1;
        let waiting = communicator.waiting.entry(place).or_insert_with(|| Waiting {
            entered: BTreeMap::new(),
            since: now,
            limit,
        });
        let differs =
            waiting.entered.iter().find(|(other, (_, others))| !go_together(**other, others, rank, &call));
        if let Some((&other, (_, others))) = differs {
            let trouble = Trouble::Mismatch {
                one: other,
                call: others.to_string(),
                other: rank,
                other_call: call.to_string(),
            };
            waiting.entered.insert(rank, (ticket, call));
            return self.break_communicator(number, trouble);
        }
        waiting.entered.insert(rank, (ticket, call));
        if let Some(&dead) = gone.first() {
            let how = format!("it left the world before {}", waiting.call());
            return self.break_communicator(number, Trouble::Died { dead, how });
        }
        if waiting.entered.len() < size {
            return Answers::new();
        }
        let done = communicator.waiting.remove(&place);
        let tickets = done.into_iter().flat_map(|waiting| waiting.entered);
        tickets.map(|(rank, (ticket, _))| (rank, FromHub::Verdict { ticket, trouble: None })).collect()
    }

    fn exchange(&mut self, number: u32, ticket: u64, exchange: Exchange) -> Answers {
        let rank = exchange.rank;
        if let Some(answer) = self.refused(number, rank, ticket) {
            return answer;
        }
        let gone = exchange.messages.iter().find(|(message, _)| self.left.contains(&message.peer));
        if let Some((message, _)) = gone {
            let how = format!("it left the world before rank {rank}'s {message}");
            return self.break_communicator(number, Trouble::Died { dead: message.peer, how });
        }
        let communicator = self.communicators.entry(number).or_default();
        let messages: Vec<_> = exchange.messages.iter().map(|(message, _)| message.clone()).collect();
        communicator.exchanges.insert((rank, ticket), exchange);
        let mut touched = BTreeSet::from([(rank, ticket)]);
        for (place, message) in messages.iter().enumerate() {
            match communicator.meet(rank, ticket, place, message) {
                Ok(other) => touched.extend(other),
                Err(trouble) => return self.break_communicator(number, trouble),
            }
        }
        let mut answers = Answers::new();
        for key in touched {
            let is_done = communicator
                .exchanges
                .get(&key)
                .is_some_and(|exchange| exchange.messages.iter().all(|&(_, met)| met));
            if is_done {
                communicator.exchanges.remove(&key);
                answers.push((key.0, FromHub::Verdict { ticket: key.1, trouble: None }));
            }
        }
        answers
    }

    /// The answer where nothing can be entered any more.
    fn refused(&self, number: u32, rank: usize, ticket: u64) -> Option<Answers> {
        let broken = self.communicators.get(&number).and_then(|communicator| communicator.trouble.as_ref());
        let trouble = self.died.as_ref().or(broken)?;
        Some(vec![(rank, FromHub::Verdict { ticket, trouble: Some(trouble.clone()) })])
    }

    /// Ends a communicator on all ranks.
    fn break_communicator(&mut self, number: u32, trouble: Trouble) -> Answers {
        let communicator = self.communicators.entry(number).or_default();
        if communicator.trouble.is_some() {
            return Answers::new();
        }
        *communicator = Communicator { trouble: Some(trouble.clone()), ..Communicator::default() };
        self.for_all(&FromHub::Broken { communicator: number, trouble })
    }

    /// Ends what ranks wait in for one that left.
    fn without(&mut self, rank: usize) -> Answers {
        let mut broken = Vec::new();
        for (&number, communicator) in &self.communicators {
            let call = communicator.waiting.values().find(|waiting| !waiting.entered.contains_key(&rank));
            let message = communicator
                .exchanges
                .values()
                .flat_map(|exchange| exchange.messages.iter().map(move |message| (exchange.rank, message)))
                .find(|(_, (message, met))| message.peer == rank && !met);
            let what = call
                .map(Waiting::call)
                .or_else(|| message.map(|(other, (message, _))| format!("rank {other}'s {message}")));
            if let Some(what) = what {
                let how = format!("it left the world before {what}");
                broken.push((number, Trouble::Died { dead: rank, how }));
            }
        }
        broken.into_iter().flat_map(|(number, trouble)| self.break_communicator(number, trouble)).collect()
    }

    fn for_all(&self, word: &FromHub) -> Answers {
        let there = (0..self.size).filter(|rank| !self.left.contains(rank));
        there.map(|rank| (rank, word.clone())).collect()
    }
}

impl Waiting {
    /// What those who entered called, all of them the same.
    fn call(&self) -> String {
        self.entered.values().next().map(|(_, call)| call.to_string()).unwrap_or_default()
    }

    fn missing(&self, size: usize, now: Instant) -> Trouble {
        let missing = (0..size).filter(|rank| !self.entered.contains_key(rank)).collect();
        Trouble::Missing { call: self.call(), missing, seconds: (now - self.since).as_secs_f64() }
    }
}

impl Exchange {
    fn missing(&self, now: Instant) -> Trouble {
        let waits = || self.messages.iter().filter(|(_, met)| !met);
        let call = waits().next().map(|(message, _)| format!("rank {}'s {message}", self.rank));
        let missing: BTreeSet<_> = waits().map(|(message, _)| message.peer).collect();
        Trouble::Missing {
            call: call.unwrap_or_default(),
            missing: missing.into_iter().collect(),
            seconds: (now - self.since).as_secs_f64(),
        }
    }
}

impl Communicator {
    /// Brings a message together with its other end, if that has come: the exchange that it is of.
    ///
    /// # Errors
    /// The two don't fit each other.
    fn meet(
        &mut self,
        rank: usize,
        ticket: u64,
        place: usize,
        message: &Message,
    ) -> Result<Option<(usize, u64)>, Trouble> {
        let (way, others) = match message.way {
            Way::Send => ((rank, message.peer), self.receives.entry((rank, message.peer)).or_default()),
            Way::Receive => ((message.peer, rank), self.sends.entry((message.peer, rank)).or_default()),
        };
        let Some((other_ticket, other_place)) = others.pop_front() else {
            let own = if message.way == Way::Send { &mut self.sends } else { &mut self.receives };
            own.entry(way).or_default().push_back((ticket, place));
            return Ok(None);
        };
        let key = (message.peer, other_ticket);
        let other = self.exchanges.get_mut(&key).and_then(|exchange| exchange.messages.get_mut(other_place));
        let Some((other, met)) = other else {
            return Ok(None);
        };
        if (&other.element, other.len) != (&message.element, message.len) {
            return Err(Trouble::Mismatch {
                one: message.peer,
                call: other.to_string(),
                other: rank,
                other_call: message.to_string(),
            });
        }
        *met = true;
        if let Some((_, met)) =
            self.exchanges.get_mut(&(rank, ticket)).and_then(|exchange| exchange.messages.get_mut(place))
        {
            *met = true;
        }
        Ok(Some(key))
    }
}
