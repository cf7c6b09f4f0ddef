//! What is known of the driver's compiler of PTX, said when it is asked to compile for the first time.

use std::sync::atomic::{AtomicBool, Ordering};

use gridwright_image::ptxas::Release;

use crate::Error;
use crate::environment;

/// Whether the warning was written in this process.
static IS_SAID: AtomicBool = AtomicBool::new(false);

/// `GRIDWRIGHT_LOG`: whether what may surprise is written to standard error. Nothing is where it says nothing.
pub(super) fn logs() -> Result<bool, Error> {
    environment::parse(
        "GRIDWRIGHT_LOG",
        false,
        |value| match value {
            "0" | "off" => Some(false),
            "1" | "warn" => Some(true),
            _ => None,
        },
        || "`warn` or `off`".into(),
    )
}

/// Writes what a driver of such a version is known to compile wrong for a chip, once in a process.
pub(super) fn tell(driver_version: usize, capability: usize) {
    if let Some(text) = known(driver_version, capability)
        && !IS_SAID.swap(true, Ordering::Relaxed)
    {
        eprintln!("warning: {text}");
    }
}

/// What a driver of such a version is known to compile wrong for a chip, if anything is known.
fn known(driver_version: usize, capability: usize) -> Option<String> {
    let release = Release::of_driver(u32::try_from(driver_version).ok()?)?;
    let chip = u32::try_from(capability).ok()?;
    let faults: Vec<_> = release.faults().filter(|fault| fault.chips.contains(&chip)).collect();
    let avoided = faults.iter().filter(|fault| fault.instead.is_some()).count();
    let mut text = format!("the driver compiles PTX with ptxas {release}, which is known to compile ");
    match avoided {
        0 => text.push_str("some code wrong"),
        1 => text.push_str("a form wrong: PTX of gridwright's builds avoids it, that of others may not"),
        _ => text.push_str(&format!(
            "{avoided} forms wrong: PTX of gridwright's builds avoids them, that of others may not"
        )),
    }
    for fault in faults.iter().filter(|fault| fault.instead.is_none()) {
        text.push_str(&format!("; nothing avoids {}: {}", fault.form, fault.wrong));
    }
    text.push_str("; `cargo gridwright doctor` lists what is known");
    (!faults.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::known;

    #[test]
    fn a_driver_that_is_known_to_be_wrong_is_named() {
        let text = known(12080, 90).unwrap();
        assert!(
            text.contains("ptxas 12.8") && text.contains("7 forms wrong") && text.contains("nothing avoids"),
            "{text}"
        );
        let text = known(13030, 90).unwrap();
        assert!(
            text.contains("ptxas 13.3") && text.contains("4 forms wrong") && !text.contains("nothing avoids"),
            "{text}"
        );
    }

    #[test]
    fn of_other_drivers_and_chips_nothing_is_said() {
        assert!(
            known(13030, 80).is_some_and(|text| text.contains("3 forms wrong")),
            "the fourth is of few chips"
        );
        assert_eq!(known(13060, 90), None);
        assert_eq!(known(0, 90), None, "the driver doesn't say");
    }
}
