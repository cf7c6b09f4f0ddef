//! A profile as a trace: the JSON of the [Trace Event Format], which Perfetto and Chrome show.
//!
//! [Trace Event Format]: https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io;
use std::time::Duration;

use super::Profile;
use super::span::{Span, Track};

/// The two groups of lines.
const HOST: u32 = 0;
const DEVICE: u32 = 1;

impl Profile {
    /// The trace, which [Perfetto](https://ui.perfetto.dev) and `chrome://tracing` open: a line for each stream, on the CPU
    /// for each thread that launched, and a line for each thread of the host that waited or has ranges. An event is a call: its
    /// name is the row's, its category the activity.
    ///
    /// Times are microseconds since the profile began. Those of a GPU and those of the host are two clocks, which are set once,
    /// to some ten microseconds; where a piece of work is in the trace comes from the driver as a number of 24 bits, so that
    /// after a minute it is known to four microseconds. How long it took is exact.
    ///
    /// ```
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|p| p.range("wait", || stream.synchronize()))?;
    /// assert!(profile.to_chrome_trace().contains(r#""name":"wait""#));
    /// # Ok::<(), gridwright::Error>(())
    /// ```
    ///
    /// # From CUDA
    /// The timeline of Nsight Systems, as a file for a browser.
    pub fn to_chrome_trace(&self) -> String {
        self.lines().collect()
    }

    /// Writes the trace, as [`to_chrome_trace`](Self::to_chrome_trace) gives it.
    ///
    /// # Errors
    /// Those of `to`.
    ///
    /// ```no_run
    /// # let device = gridwright::Device::cpu()?;
    /// # let stream = device.stream()?;
    /// let ((), profile) = device.profile(|_| stream.synchronize())?;
    /// profile.write_chrome_trace(std::fs::File::create("trace.json")?)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_chrome_trace(&self, to: impl io::Write) -> io::Result<()> {
        let mut to = io::BufWriter::new(to);
        self.lines().try_for_each(|line| io::Write::write_all(&mut to, line.as_bytes()))?;
        io::Write::flush(&mut to)
    }

    fn lines(&self) -> impl Iterator<Item = String> {
        let named = self.named().into_iter();
        let events = named.chain(self.spans.iter().map(|span| self.event(span)));
        let events = events.enumerate().map(|(i, event)| if i == 0 { event } else { format!(",\n{event}") });
        let (start, end) = ("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", "\n]}\n");
        std::iter::once(start.to_owned()).chain(events).chain([end.to_owned()])
    }

    /// What the groups and the lines are called.
    fn named(&self) -> Vec<String> {
        let name = |what: &str, group: u32, line: u32, name: &str| {
            let name = quoted(name);
            format!(r#"{{"name":"{what}","ph":"M","pid":{group},"tid":{line},"args":{{"name":{name}}}}}"#)
        };
        let mut names =
            vec![name("process_name", HOST, 0, "host"), name("process_name", DEVICE, 0, &self.device)];
        let lines: BTreeSet<_> = self.spans.iter().map(place).collect();
        names.extend(lines.into_iter().map(|(group, track)| {
            let (line, text) = match track {
                Track::Stream(number) => (number, format!("stream {number}")),
                Track::Thread(number) => {
                    let known = self.threads.get(number as usize).and_then(Option::as_deref);
                    (number, known.map_or_else(|| format!("thread {number}"), Into::into))
                }
            };
            name("thread_name", group, line, &text)
        }));
        names
    }

    fn event(&self, span: &Span) -> String {
        let (group, Track::Stream(line) | Track::Thread(line)) = place(span);
        let (name, category) = (quoted(&self.name_of(span)), span.piece.activity.name());
        let (start, duration) = (microseconds(span.start), microseconds(span.duration));
        let bytes =
            span.piece.bytes.map(|bytes| format!(r#","args":{{"bytes":{bytes}}}"#)).unwrap_or_default();
        format!(
            r#"{{"name":{name},"cat":"{category}","ph":"X","ts":{start},"dur":{duration},"pid":{group},"tid":{line}{bytes}}}"#
        )
    }
}

fn place(span: &Span) -> (u32, Track) {
    (if span.piece.activity.is_on_device() { DEVICE } else { HOST }, span.track)
}

fn microseconds(time: Duration) -> String {
    format!("{}.{:03}", time.as_micros(), time.subsec_nanos() % 1000)
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            // A `String` takes all that is written.
            c if c < ' ' => drop(write!(quoted, "\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    #[test]
    fn strings_are_escaped() {
        assert_eq!(super::quoted("a \"b\" \\ c\n\u{1}é"), r#""a \"b\" \\ c\u000a\u0001é""#);
    }

    #[test]
    fn times_have_three_digits() {
        assert_eq!(super::microseconds(Duration::from_nanos(1_002_003_004)), "1002003.004");
    }
}
