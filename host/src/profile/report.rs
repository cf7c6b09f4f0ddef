use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use super::Activity;
use super::span::{Name, Span, Track};

/// What [`Device::profile`](crate::Device::profile) measured. As text it is a table, whose columns are those of
/// [`ProfileRow`].
///
/// ```
/// # let device = gridwright::Device::cpu()?;
/// # let stream = device.stream()?;
/// let (_, profile) = device.profile(|_| stream.alloc_zeroed::<f32>(1000))?;
/// println!("{profile}");
/// std::fs::write(std::env::temp_dir().join("trace.json"), profile.to_chrome_trace()).unwrap();
/// # Ok::<(), gridwright::Error>(())
/// ```
///
/// # From CUDA
/// The tables of `nsys stats`, such as those of kernels and of copies.
#[derive(Clone, Debug)]
pub struct Profile {
    pub(super) device: String,
    duration: Duration,
    rows: Vec<ProfileRow>,
    /// Spans in the order in which they began, the longer ones first.
    pub(super) spans: Vec<Span>,
    left_out: u64,
    /// The names of the host's threads.
    pub(super) threads: Vec<Option<String>>,
    graphs: Graphs,
}

/// All calls of one kernel, graph, kind of copy, call that waits, or range.
///
/// ```
/// # let device = gridwright::Device::cpu()?;
/// # let stream = device.stream()?;
/// let (buffer, profile) = device.profile(|_| stream.upload(&[0_u8; 500]))?;
/// let row = profile.row("copy to device").unwrap();
/// assert_eq!((row.calls, row.bytes), (1, Some(500)));
/// # Ok::<(), gridwright::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ProfileRow {
    /// The kernel; `graph 0 (3 operations)` for the first graph that was replayed; for [`Activity::Wait`] the call, like
    /// `synchronize`; for [`Activity::Range`] the range's name; otherwise the activity.
    pub name: String,
    /// What the calls of the row do.
    pub activity: Activity,
    /// How many calls there were.
    pub calls: u64,
    /// The time of all calls together.
    pub total: Duration,
    /// The time of the shortest call.
    pub min: Duration,
    /// The time of the longest call.
    pub max: Duration,
    /// `total` as a part of the [profile's duration](Profile::duration), where 1 is all of it. Those of several rows may be
    /// more than 1 together: what ran side by side, and what ran within what.
    pub share: f64,
    /// The bytes of those calls of which they are known: copies, fills, and what was
    /// [declared](crate::Profiler::declare).
    pub bytes: Option<u64>,
    /// The time of the calls whose bytes are known.
    time_of_bytes: Duration,
}

impl ProfileRow {
    /// The time of a call, on average.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|_| stream.synchronize())?;
    /// assert!(profile.rows().iter().all(|row| row.min <= row.mean() && row.mean() <= row.max));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn mean(&self) -> Duration {
        let nanoseconds = self.total.as_nanos().checked_div(u128::from(self.calls)).unwrap_or(0);
        Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
    }

    /// Bytes a second, where bytes are known and took time.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let (_, profile) = device.profile(|_| stream.upload(&[0_u8; 1 << 20]))?;
    /// let row = profile.row("copy to device").unwrap();
    /// println!("{:?} bytes a second", row.bytes_per_second());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn bytes_per_second(&self) -> Option<f64> {
        let bytes = self.bytes.filter(|_| !self.time_of_bytes.is_zero())?;
        Some(bytes as f64 / self.time_of_bytes.as_secs_f64())
    }
}

/// Spans and rows as they are recorded, before they are put in order.
#[derive(Debug, Default)]
pub(super) struct Recorded {
    totals: HashMap<(Activity, Name), Totals>,
    spans: Vec<Span>,
    left_out: u64,
    graphs: Graphs,
    /// When the last span ended.
    end: Duration,
    /// The names of the host's threads.
    pub(super) threads: Vec<Option<String>>,
}

#[derive(Debug)]
struct Totals {
    calls: u64,
    total: Duration,
    min: Duration,
    max: Duration,
    bytes: Option<u64>,
    time_of_bytes: Duration,
}

/// The numbers of graphs, in the order in which they were first seen.
#[derive(Clone, Debug, Default)]
struct Graphs(Vec<u64>);

impl Graphs {
    fn text(&self, name: &Name, activity: Activity) -> String {
        match name {
            Name::Activity => activity.name().into(),
            Name::Kernel(_, name) | Name::Call(name) => (*name).into(),
            Name::Range(name) => name.to_string(),
            Name::Graph { number, operations } => {
                let place = self.0.iter().position(|known| known == number).unwrap_or(self.0.len());
                let plural = if *operations == 1 { "" } else { "s" };
                format!("graph {place} ({operations} operation{plural})")
            }
        }
    }
}

impl Recorded {
    /// Adds a span, also to the trace if that doesn't have as many as it may.
    pub(super) fn add(&mut self, span: Span, most_spans: usize) {
        if let Name::Graph { number, .. } = &span.piece.name
            && !self.graphs.0.contains(number)
        {
            self.graphs.0.push(*number);
        }
        let Span { piece, start, duration, .. } = &span;
        self.end = self.end.max(start.saturating_add(*duration));
        let none = Totals {
            calls: 0,
            total: Duration::ZERO,
            min: Duration::MAX,
            max: Duration::ZERO,
            bytes: None,
            time_of_bytes: Duration::ZERO,
        };
        let totals = self.totals.entry((piece.activity, piece.name.clone())).or_insert(none);
        totals.calls += 1;
        totals.total = totals.total.saturating_add(*duration);
        totals.min = totals.min.min(*duration);
        totals.max = totals.max.max(*duration);
        if let Some(bytes) = piece.bytes {
            totals.bytes = Some(totals.bytes.unwrap_or(0).saturating_add(bytes));
            totals.time_of_bytes = totals.time_of_bytes.saturating_add(*duration);
        }
        if self.spans.len() < most_spans {
            self.spans.push(span);
        } else {
            self.left_out += 1;
        }
    }
}

/// A stream's work is one after another: what rounding has moved into the piece before is moved behind it.
fn put_in_order(spans: &mut [Span]) {
    let in_order = |span: &Span| (span.start, Reverse(span.duration));
    spans.sort_by_key(in_order);
    let mut ends: HashMap<Track, Duration> = HashMap::new();
    for span in &mut *spans {
        if let Track::Stream(_) = span.track {
            let end = ends.entry(span.track).or_default();
            span.start = span.start.max(*end);
            *end = span.start.saturating_add(span.duration);
        }
    }
    spans.sort_by_key(in_order);
}

impl Profile {
    /// A profile of what was recorded. `elapsed` is when the closure returned.
    pub(super) fn new(device: &str, elapsed: Duration, recorded: Recorded) -> Self {
        let Recorded { totals, mut spans, left_out, graphs, end, threads } = recorded;
        let duration = elapsed.max(end);
        let row = |((activity, name), totals): ((Activity, Name), Totals)| {
            let name = graphs.text(&name, activity);
            let Totals { calls, total, min, max, bytes, time_of_bytes } = totals;
            let share = if duration.is_zero() { 0.0 } else { total.as_secs_f64() / duration.as_secs_f64() };
            ProfileRow { name, activity, calls, total, min, max, share, bytes, time_of_bytes }
        };
        let mut rows: Vec<_> = totals.into_iter().map(row).collect();
        rows.sort_by(|a, b| {
            let key = |row: &ProfileRow| (!row.activity.is_on_device(), Reverse(row.total));
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        put_in_order(&mut spans);
        Self { device: device.into(), duration, rows, spans, left_out, threads, graphs }
    }

    /// The rows: what the device did, what takes longest first, and behind that what the host did.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|_| stream.synchronize())?;
    /// assert_eq!(profile.rows()[0].activity, gridwright::profile::Activity::Wait);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn rows(&self) -> &[ProfileRow] {
        &self.rows
    }

    /// The row of a name, the first if there are several.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|_| stream.synchronize())?;
    /// assert!(profile.row("synchronize").is_some() && profile.row("saxpy").is_none());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn row(&self, name: &str) -> Option<&ProfileRow> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// The time from the beginning until the closure has returned and what it submitted is done.
    ///
    /// ```
    /// let ((), profile) = gridwright::Device::cpu()?.profile(|_| Ok(()))?;
    /// println!("{:?}", profile.duration());
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn duration(&self) -> Duration {
        self.duration
    }

    /// How many of the calls in the rows aren't in the trace, which has the first 262,144 of them.
    ///
    /// ```
    /// let ((), profile) = gridwright::Device::cpu()?.profile(|_| Ok(()))?;
    /// assert_eq!(profile.left_out(), 0);
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// The name of a span's row.
    pub(super) fn name_of(&self, span: &Span) -> String {
        self.graphs.text(&span.piece.name, span.piece.activity)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Activity, Profile, Recorded};
    use crate::profile::span::{Piece, Span, Track};

    fn span(piece: Piece, start: u64, duration: u64) -> Span {
        let microseconds = Duration::from_micros;
        Span { piece, track: Track::Stream(0), start: microseconds(start), duration: microseconds(duration) }
    }

    #[test]
    fn rows_add_up_and_the_trace_ends_where_it_is_full() {
        let mut recorded = Recorded::default();
        for (bytes, start, duration) in [(100, 7, 2), (50, 0, 4), (30, 20, 6)] {
            let piece = Piece::moves(Activity::Fill, bytes);
            recorded.add(span(piece, start, duration), 2);
        }
        recorded.add(span(Piece { bytes: None, ..Piece::moves(Activity::Fill, 0) }, 26, 8), 2);
        recorded.add(span(Piece::graph(77, 3), 40, 10), 2);
        let profile = Profile::new("a device", Duration::from_micros(10), recorded);
        assert_eq!(profile.duration(), Duration::from_micros(50));
        assert_eq!(profile.left_out(), 3);
        let starts = profile.spans.iter().map(|span| span.start.as_micros());
        assert_eq!(starts.collect::<Vec<_>>(), [0, 7]);
        let fill = profile.row("fill").unwrap();
        let micros = |time: Duration| time.as_micros();
        let times = (micros(fill.total), micros(fill.mean()), micros(fill.min), micros(fill.max));
        assert_eq!((fill.calls, times), (4, (20, 5, 2, 8)));
        assert!((fill.share - 0.4).abs() < 1e-9);
        // Of the calls whose bytes are known: 180 in 12 microseconds.
        assert_eq!((fill.bytes, fill.bytes_per_second()), (Some(180), Some(15e6)));
        let graph = profile.row("graph 0 (3 operations)").unwrap();
        assert_eq!((graph.calls, graph.bytes, graph.bytes_per_second()), (1, None, None));
        assert_eq!(profile.rows()[0].name, "fill");
    }

    #[test]
    fn work_of_one_stream_does_not_overlap() {
        let mut recorded = Recorded::default();
        for (start, duration) in [(10, 5), (0, 11), (14, 1)] {
            recorded.add(span(Piece::host_function(), start, duration), 10);
        }
        let profile = Profile::new("a device", Duration::ZERO, recorded);
        let starts = profile.spans.iter().map(|span| span.start.as_micros());
        assert_eq!(starts.collect::<Vec<_>>(), [0, 11, 16]);
    }
}
