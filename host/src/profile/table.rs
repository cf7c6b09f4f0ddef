//! A profile as a table.

use std::fmt;

use super::{Profile, ProfileRow};

const COLUMNS: [&str; 9] = ["", "activity", "calls", "total", "mean", "min", "max", "share", "bytes/s"];

/// The first columns, which are words: the others are numbers, and stand to the right.
const WORDS: usize = 2;

impl fmt::Display for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells: Vec<_> =
            std::iter::once(COLUMNS.map(Into::into)).chain(self.rows().iter().map(cells)).collect();
        let width = |column: usize| {
            cells.iter().filter_map(|row| Some(row.get(column)?.chars().count())).max().unwrap_or(0)
        };
        let widths: Vec<_> = (0..COLUMNS.len()).map(width).collect();
        write!(f, "{}, {:.3?}", self.device, self.duration())?;
        for row in &cells {
            let mut line = String::new();
            for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
                let room = " ".repeat(width.saturating_sub(cell.chars().count()));
                let (before, after) = if column < WORDS { ("", room.as_str()) } else { (room.as_str(), "") };
                line += &format!("{}{before}{cell}{after}", if column == 0 { "" } else { "  " });
            }
            write!(f, "\n{}", line.trim_end())?;
        }
        Ok(())
    }
}

fn cells(row: &ProfileRow) -> [String; COLUMNS.len()] {
    let times = [row.total, row.mean(), row.min, row.max].map(|time| format!("{time:.2?}"));
    let [total, mean, min, max] = times;
    let share = format!("{:.1}%", row.share * 100.0);
    let rate = row.bytes_per_second().map(rate).unwrap_or_default();
    // A name with a line's end would break the table.
    let name = row.name.replace(|c: char| c.is_control(), " ");
    [name, row.activity.to_string(), row.calls.to_string(), total, mean, min, max, share, rate]
}

/// A rate of bytes, with a prefix of powers of 1000.
fn rate(bytes_per_second: f64) -> String {
    let mut scaled = bytes_per_second;
    for unit in ["B/s", "kB/s", "MB/s", "GB/s"] {
        if scaled < 999.95 {
            return format!("{scaled:.1} {unit}");
        }
        scaled /= 1000.0;
    }
    format!("{scaled:.1} TB/s")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::profile::report::Recorded;
    use crate::profile::span::{Piece, Span, Track};
    use crate::{Activity, Profile};

    #[test]
    fn columns_stand_below_each_other() {
        let mut recorded = Recorded::default();
        let micros = Duration::from_micros;
        let pieces = [
            (Piece::moves(Activity::CopyToHost, 3_000_000), 1000),
            (Piece::wait("synchronize"), 1500),
            (Piece::range("a\nrange"), 20),
        ];
        for (piece, time) in pieces {
            let (start, duration) = (Duration::ZERO, micros(time));
            recorded.add(Span { piece, track: Track::Thread(0), start, duration }, 10);
        }
        let profile = Profile::new("a device", micros(2000), recorded);
        let expected = "\
a device, 2.000ms
              activity      calls    total     mean      min      max  share   bytes/s
copy to host  copy to host      1   1.00ms   1.00ms   1.00ms   1.00ms  50.0%  3.0 GB/s
synchronize   wait              1   1.50ms   1.50ms   1.50ms   1.50ms  75.0%
a range       range             1  20.00µs  20.00µs  20.00µs  20.00µs   1.0%";
        assert_eq!(profile.to_string(), expected);
    }

    #[test]
    fn rates_have_prefixes() {
        let rates = [0.0, 999.0, 999.96, 1.5e6, 2e12, 3e15].map(super::rate);
        assert_eq!(rates, ["0.0 B/s", "999.0 B/s", "1.0 kB/s", "1.5 MB/s", "2.0 TB/s", "3000.0 TB/s"]);
    }
}
