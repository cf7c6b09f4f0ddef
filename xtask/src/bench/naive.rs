//! `cargo xtask bench --naive`: kernels as one writes them the first time, against the loops that one would write with rayon.

use serde::{Deserialize, Serialize};

use super::ratio::Ratio;
use super::record::{Found, Race, Record, Row, race};
use super::{markdown, plot};
use crate::call::Call;
use crate::table::or_empty;
use crate::workspace::Workspace;

/// What the races wrote, as others do.
#[derive(Deserialize, Serialize)]
#[serde(transparent)]
struct Naive(Found);

/// Races all rows, and keeps the record, or some and keeps nothing.
pub(super) fn run(workspace: &Workspace, rows: Vec<String>) -> anyhow::Result<()> {
    let bench = Call::cargo(workspace, "bench --quiet --package gridwright-races --bench naive --");
    // The kernels for GPUs aren't asked for.
    race::<Naive>(workspace, bench.variable("GRIDWRIGHT_SKIP_DEVICE", "1"), rows)
}

impl Race for Naive {
    const NAME: &'static str = "naive";

    fn is_quick(&self) -> bool {
        self.0.quick
    }

    fn markdown(record: &Record<Self>, name: &str) -> String {
        let Record { date, compiler, device, cpu, found: Self(found) } = record;
        format!(
            "# Naive kernels on {cpu}\n\n\
             {date}, {device}, {threads} threads, {compiler}. Measured by `cargo xtask bench --naive`: a kernel as one writes it the first \
             time, and the loop that one would write with rayon, compiled for the target's baseline as programs are. Both in one process, in \
             alternating rounds, results compared first, on arrays that begin at a cache line. Times are of one call, the median of the rounds and in brackets the least. Ratios \
             are rayon's time over ours: above 1, ours is faster. The geometric mean of {count} rows is {mean}, of the medians and in \
             brackets of the minima.\n\n\
             {table}\n\n\
             ![The ratios]({name}.svg)\n",
            threads = found.threads,
            count = found.rows.len(),
            mean = or_empty(Ratio::mean(found.rows.iter().map(Row::ratio)).map(|(mean, _)| mean)),
            table = markdown::table(found),
        )
    }

    fn plot(record: &Record<Self>) -> anyhow::Result<Option<String>> {
        let Record { date, cpu, found: Self(found), .. } = record;
        plot::of(&format!("{cpu}, {} threads", found.threads), date, &found.rows).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn files_are_named_for_the_instructions_and_have_the_mean() {
        let time = |median: f64| json!({ "min_ns": median / 2.0, "median_ns": median });
        let row = |name: &str, ours: f64| {
            json!({
                "name": name, "peer_name": "rayon", "rounds": 9, "calls": 1, "ours": time(ours), "peer": time(100.0), "serial": null
            })
        };
        let found = json!({
            "device": "CPU, 2 threads, avx2", "cpu": "A (TM) CPU", "threads": 2, "quick": false,
            "rows": [row("saxpy", 50.0), row("gather", 200.0)]
        });
        let record: Record<Naive> = serde_json::from_value(found).unwrap();
        let [(json, _), (_, markdown), (_, svg)] = &record.files().unwrap()[..] else { panic!() };
        assert_eq!(json, "naive-a-tm-cpu-avx2.json");
        assert!(markdown.contains("of 2 rows is 1.00 (1.00)") && markdown.contains("gather"), "{markdown}");
        assert!(svg.contains("saxpy"), "{svg}");
    }
}
