//! What is known of the threads of all groups: a vector clock whose parts are shared with the clocks that it came from.
//!
//! It is a tree by the digits of a group's number. A clock that is joined with another keeps its nodes where the other has nothing new,
//! so that a chain over many groups costs as much as what each adds.

use std::sync::Arc;

const WARP: usize = 32;
/// Bits of a digit, and the children of a node.
const DIGIT: u32 = 4;
const CHILDREN: usize = 1 << DIGIT;

/// Something that a thread did: which one, and its counts then.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) group: u32,
    /// The thread's number in its group.
    pub(crate) thread: usize,
    /// The count of the thread's warp, and its own.
    pub(crate) warp_count: u32,
    pub(crate) epoch: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Clock {
    root: Option<Arc<Node>>,
    /// Digits that the tree tells apart.
    height: u32,
}

#[derive(Debug, Clone)]
enum Node {
    Digit([Option<Arc<Node>>; CHILDREN]),
    Group(Known),
}

/// What is known of a group.
#[derive(Debug, Clone, Default)]
struct Known {
    /// Of each warp, the count below which all that its lanes did is known.
    counts: Vec<u32>,
    /// Of each warp, its lanes' counts below which what that lane did is known.
    lanes: Vec<Option<Arc<[u32; WARP]>>>,
}

/// Whether what happened at a count is known to who knows what was below another one. At its end a count stands still.
pub(super) fn is_below(count: u32, known: u32) -> bool {
    known > count || known == u32::MAX
}

/// Joins rows, with the greater of both at each place; with the first one's or the second one's parts where it has all of them.
fn join_rows(one: &mut Vec<u32>, two: &[u32]) {
    if one.len() < two.len() {
        one.resize(two.len(), 0);
    }
    for (one, two) in one.iter_mut().zip(two) {
        *one = (*one).max(*two);
    }
}

fn is_row_covered(row: &[u32], by: &[u32]) -> bool {
    row.iter().enumerate().all(|(index, value)| by.get(index).copied().unwrap_or(0) >= *value)
}

impl Known {
    fn covers(&self, other: &Self) -> bool {
        is_row_covered(&other.counts, &self.counts)
            && other.lanes.iter().enumerate().all(|(warp, lanes)| {
                let Some(lanes) = lanes else { return true };
                let own = self.lanes.get(warp).and_then(Option::as_ref);
                own.is_some_and(|own| Arc::ptr_eq(own, lanes) || is_row_covered(&lanes[..], &own[..]))
            })
    }

    fn join(&mut self, other: &Self) {
        join_rows(&mut self.counts, &other.counts);
        for (warp, lanes) in other.lanes.iter().enumerate() {
            if let Some(lanes) = lanes {
                self.join_lanes(warp, lanes);
            }
        }
    }

    fn join_lanes(&mut self, warp: usize, lanes: &Arc<[u32; WARP]>) {
        if self.lanes.len() <= warp {
            self.lanes.resize(warp + 1, None);
        }
        match &mut self.lanes[warp] {
            Some(own) if Arc::ptr_eq(own, lanes) || is_row_covered(&lanes[..], &own[..]) => {}
            Some(own) => {
                let own = Arc::make_mut(own);
                own.iter_mut().zip(&lanes[..]).for_each(|(own, other)| *own = (*own).max(*other));
            }
            none => *none = Some(Arc::clone(lanes)),
        }
    }
}

fn digit(group: u32, level: u32) -> usize {
    (group >> (level * DIGIT)) as usize % CHILDREN
}

fn join_nodes(one: &Arc<Node>, two: &Arc<Node>) -> Arc<Node> {
    if Arc::ptr_eq(one, two) {
        return Arc::clone(one);
    }
    match (&**one, &**two) {
        (Node::Digit(ones), Node::Digit(twos)) => {
            let (mut is_one, mut is_two) = (true, true);
            let joined = std::array::from_fn(|index| match (&ones[index], &twos[index]) {
                (Some(a), Some(b)) => {
                    let joined = join_nodes(a, b);
                    is_one &= Arc::ptr_eq(&joined, a);
                    is_two &= Arc::ptr_eq(&joined, b);
                    Some(joined)
                }
                (Some(a), None) => {
                    is_two = false;
                    Some(Arc::clone(a))
                }
                (None, Some(b)) => {
                    is_one = false;
                    Some(Arc::clone(b))
                }
                (None, None) => None,
            });
            match (is_one, is_two) {
                (true, _) => Arc::clone(one),
                (_, true) => Arc::clone(two),
                _ => Arc::new(Node::Digit(joined)),
            }
        }
        (Node::Group(a), Node::Group(b)) if b.covers(a) => Arc::clone(if a.covers(b) { one } else { two }),
        (Node::Group(a), Node::Group(b)) if a.covers(b) => Arc::clone(one),
        (Node::Group(a), Node::Group(b)) => {
            let mut joined = a.clone();
            joined.join(b);
            Arc::new(Node::Group(joined))
        }
        // Both have one height, so that this isn't met.
        (Node::Digit(_), Node::Group(_)) | (Node::Group(_), Node::Digit(_)) => Arc::clone(one),
    }
}

impl Clock {
    pub(crate) fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Whether it is the same clock, and not only one that knows the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        match (&self.root, &other.root) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (own, other) => own.is_none() && other.is_none(),
        }
    }

    fn raise(&mut self, height: u32) {
        while self.height < height {
            if let Some(root) = self.root.take() {
                let mut children = [const { None }; CHILDREN];
                children[0] = Some(root);
                self.root = Some(Arc::new(Node::Digit(children)));
            }
            self.height += 1;
        }
    }

    /// Takes in what another one knows.
    pub(crate) fn join(&mut self, other: &Self) {
        let Some(theirs) = &other.root else { return };
        if self.root.is_none() {
            *self = other.clone();
            return;
        }
        self.raise(other.height);
        let mut raised;
        let theirs = if other.height < self.height {
            raised = other.clone();
            raised.raise(self.height);
            raised.root.as_ref().unwrap_or(theirs)
        } else {
            theirs
        };
        if let Some(own) = &mut self.root
            && !Arc::ptr_eq(own, theirs)
        {
            *own = join_nodes(own, theirs);
        }
    }

    fn of_group(&mut self, group: u32, change: impl FnOnce(&mut Known)) {
        self.raise((u32::BITS - group.leading_zeros()).div_ceil(DIGIT));
        let mut node = &mut self.root;
        let mut level = self.height;
        while level > 0 {
            level -= 1;
            let here = node.get_or_insert_with(|| Arc::new(Node::Digit([const { None }; CHILDREN])));
            let Node::Digit(children) = Arc::make_mut(here) else { return };
            node = &mut children[digit(group, level)];
        }
        let leaf = node.get_or_insert_with(|| Arc::new(Node::Group(Known::default())));
        if let Node::Group(known) = Arc::make_mut(leaf) {
            change(known);
        }
    }

    /// Takes in that of a group's warps all is known below these counts.
    pub(crate) fn learn_warps(&mut self, group: u32, counts: &[u32]) {
        self.of_group(group, |known| join_rows(&mut known.counts, counts));
    }

    /// Takes in that of the lanes of a group's warp all is known below these counts.
    pub(crate) fn learn_lanes(&mut self, group: u32, warp: usize, counts: [u32; WARP]) {
        self.of_group(group, |known| known.join_lanes(warp, &Arc::new(counts)));
    }

    /// Whether it knows what happened then.
    pub(crate) fn knows(&self, moment: Moment) -> bool {
        let Moment { group, thread, warp_count, epoch } = moment;
        let mut node = self.root.as_ref();
        if u64::from(group) >> (self.height * DIGIT) != 0 {
            return false;
        }
        for level in (0..self.height).rev() {
            let Some(Node::Digit(children)) = node.map(|node| &**node) else { return false };
            node = children[digit(group, level)].as_ref();
        }
        let Some(Node::Group(known)) = node.map(|node| &**node) else { return false };
        let (warp, lane) = (thread / WARP, thread % WARP);
        known.counts.get(warp).is_some_and(|&known| is_below(warp_count, known))
            || known
                .lanes
                .get(warp)
                .and_then(Option::as_ref)
                .is_some_and(|lanes| is_below(epoch, lanes[lane]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(group: u32, thread: usize, warp_count: u32, epoch: u32) -> Moment {
        Moment { group, thread, warp_count, epoch }
    }

    fn of_lane(group: u32, warp: usize, lane: usize, count: u32) -> Clock {
        let mut lanes = [0; WARP];
        lanes[lane] = count;
        let mut clock = Clock::default();
        clock.learn_lanes(group, warp, lanes);
        clock
    }

    #[test]
    fn a_clock_knows_what_it_learned_and_nothing_else() {
        let mut clock = Clock::default();
        assert!(clock.is_empty() && !clock.knows(moment(0, 0, 0, 0)));
        for group in [0, 1, 15, 16, 4097, u32::MAX] {
            clock.learn_warps(group, &[2, 0, 5]);
            assert!(clock.knows(moment(group, 31, 1, 9)) && !clock.knows(moment(group, 31, 2, 9)));
            assert!(!clock.knows(moment(group, 32, 0, 0)) && clock.knows(moment(group, 95, 4, 0)));
        }
        clock.join(&of_lane(16, 0, 3, 8));
        assert!(clock.knows(moment(16, 3, 2, 7)) && !clock.knows(moment(16, 3, 2, 8)));
        assert!(!clock.knows(moment(16, 4, 2, 7)) && !clock.knows(moment(17, 3, 0, 0)));
    }

    #[test]
    fn clocks_of_other_heights_are_joined() {
        let (mut small, mut large) = (of_lane(0, 1, 2, 4), of_lane(70_000, 0, 0, 1));
        let copy = small.clone();
        small.join(&large);
        large.join(&copy);
        for clock in [small, large] {
            assert!(clock.knows(moment(0, 34, 9, 3)) && clock.knows(moment(70_000, 0, 9, 0)));
        }
    }

    #[test]
    fn who_learns_nothing_new_stays_the_same_clock() {
        let mut all = Clock::default();
        for group in 0..1000 {
            all.join(&of_lane(group, 0, 0, group + 1));
        }
        let before = all.clone();
        for group in 0..1000 {
            all.join(&of_lane(group, 0, 0, group));
        }
        assert!(all.is(&before));
        let mut part = of_lane(999, 0, 0, 5);
        part.join(&all);
        assert!(part.is(&all));
    }
}
