//! The original's output, for people and as CSV.

use super::benchmark::Benchmark;

/// What bandwidths are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Megabytes,
    Mebibytes,
    Gigabytes,
    Gibibytes,
    Terabytes,
    Tebibytes,
}

impl Unit {
    pub(super) fn symbol(self) -> &'static str {
        match self {
            Self::Megabytes => "MB",
            Self::Mebibytes => "MiB",
            Self::Gigabytes => "GB",
            Self::Gibibytes => "GiB",
            Self::Terabytes => "TB",
            Self::Tebibytes => "TiB",
        }
    }

    /// What the header of the CSV calls it. Published results have the first two.
    fn csv_name(self) -> &'static str {
        match self {
            Self::Megabytes => "mbytes",
            Self::Mebibytes => "mibytes",
            _ => self.symbol(),
        }
    }

    pub(super) fn of(self, bytes: f64) -> f64 {
        bytes
            / match self {
                Self::Megabytes => 1e6,
                Self::Mebibytes => f64::from(1 << 20),
                Self::Gigabytes => 1e9,
                Self::Gibibytes => f64::from(1 << 30),
                Self::Terabytes => 1e12,
                Self::Tebibytes => f64::from(1 << 20) * f64::from(1 << 20),
            }
    }
}

/// A benchmark's times, in seconds, without that of the first run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Times {
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) mean: f64,
}

impl Times {
    /// Of at least two runs.
    pub(super) fn of(runs: &[f64]) -> Self {
        let runs = runs.get(1..).unwrap_or_default();
        Self {
            min: runs.iter().copied().fold(f64::INFINITY, f64::min),
            max: runs.iter().copied().fold(0.0, f64::max),
            mean: runs.iter().sum::<f64>() / runs.len() as f64,
        }
    }
}

/// What is printed, and how.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub(super) as_csv: bool,
    pub(super) unit: Unit,
    pub(super) times: usize,
    pub(super) len: usize,
    /// Bytes of an element.
    pub(super) element: usize,
}

impl Report {
    pub(super) fn header(&self) -> String {
        if self.as_csv {
            return format!(
                "function,num_times,n_elements,sizeof,max_{}_per_sec,min_runtime,max_runtime,avg_runtime",
                self.unit.csv_name()
            );
        }
        let rate = self.unit.symbol().replacen('B', "Bytes", 1) + "/sec";
        format!("{:<12}{rate:<12}{:<12}{:<12}{:<12}", "Function", "Min (sec)", "Max", "Average")
    }

    pub(super) fn row(&self, benchmark: Benchmark, times: Times) -> String {
        let Self { times: runs, len, element, .. } = *self;
        let (name, Times { min, max, mean }) = (benchmark.name(), times);
        let bytes = benchmark.moved() as f64 * element as f64 * len as f64;
        let rate = self.unit.of(bytes / min);
        if self.as_csv {
            return format!("{name},{runs},{len},{element},{rate:.3},{min:.9},{max:.9},{mean:.9}");
        }
        format!("{name:<12}{rate:<12.3}{min:<12.5}{max:<12.5}{mean:<12.5}")
    }
}
