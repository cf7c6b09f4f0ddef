//! How long processors have worked for this program and for those that it waited for.

use std::time::Duration;

/// Time that processors have worked until now. `None` where the system doesn't say it.
#[cfg(unix)]
pub(super) fn time() -> Option<Duration> {
    use nix::sys::resource::{UsageWho, getrusage};

    let of = |who| {
        let usage = getrusage(who).ok()?;
        let part = |time: nix::sys::time::TimeVal| {
            let seconds = Duration::from_secs(u64::try_from(time.tv_sec()).ok()?);
            Some(seconds + Duration::from_micros(u64::try_from(time.tv_usec()).ok()?))
        };
        Some(part(usage.user_time())? + part(usage.system_time())?)
    };
    Some(of(UsageWho::RUSAGE_SELF)? + of(UsageWho::RUSAGE_CHILDREN)?)
}

/// Time that processors have worked until now. `None` where the system doesn't say it.
#[cfg(not(unix))]
pub(super) fn time() -> Option<Duration> {
    None
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::Command;

    use super::time;

    #[test]
    fn what_a_child_did_counts_once_it_has_ended() {
        let before = time().unwrap();
        let script = "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done";
        assert!(Command::new("sh").args(["-c", script]).status().unwrap().success());
        assert!((time().unwrap() - before).as_micros() > 1000);
    }
}
