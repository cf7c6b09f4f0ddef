//! What is known of NVIDIA's compiler of PTX, ptxas: which releases compile which forms wrong.
//!
//! A driver has a copy of its own, of the release that belongs to the CUDA that it is for. So PTX is compiled by whatever release the
//! user's driver has, and a program can't choose.
//!
//! The table was found by executing the machine code of thirteen releases, from 12.0 to 13.5, for sm_80, sm_90 and sm_120, of some for others too, and comparing with the
//! same functions on the CPU. Each form that our builds write otherwise was wrong as it stands here, and right as they write it. What they
//! don't, its maker has told.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A release of CUDA, and of the ptxas that belongs to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Release {
    /// The major number: 12 of 12.8.
    pub major: u32,
    /// The minor number: 8 of 12.8.
    pub minor: u32,
}

impl Release {
    /// The newest release that was tried.
    ///
    /// ```
    /// use gridwright_image::ptxas::Release;
    ///
    /// assert!(Release::NEWEST >= Release::new(13, 5));
    /// ```
    pub const NEWEST: Self = Self::new(13, 5);

    /// The release of two numbers.
    ///
    /// ```
    /// use gridwright_image::ptxas::Release;
    ///
    /// assert_eq!(Release::new(12, 8).to_string(), "12.8");
    /// assert!(Release::new(12, 8) < Release::new(13, 0));
    /// ```
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// The release that a driver has, by the number that `cuDriverGetVersion` gives.
    ///
    /// ```
    /// use gridwright_image::ptxas::Release;
    ///
    /// assert_eq!(Release::of_driver(12080), Some(Release::new(12, 8)));
    /// assert_eq!(Release::of_driver(0), None);
    /// ```
    pub fn of_driver(version: u32) -> Option<Self> {
        (version >= 1000).then(|| Self::new(version / 1000, version % 1000 / 10))
    }

    /// The release of a program that says `Cuda compilation tools, release 12.8, V12.8.93` when it is asked for its version.
    ///
    /// ```
    /// use gridwright_image::ptxas::Release;
    ///
    /// let said = "ptxas: NVIDIA (R) Ptx optimizing assembler\nCuda compilation tools, release 13.2, V13.2.86\n";
    /// assert_eq!(Release::of_program(said), Some(Release::new(13, 2)));
    /// ```
    pub fn of_program(said: &str) -> Option<Self> {
        said.split("release ").nth(1)?.split(',').next()?.parse().ok()
    }

    /// What this release is known to compile wrong.
    ///
    /// ```
    /// use gridwright_image::ptxas::Release;
    ///
    /// assert!(Release::new(12, 8).faults().count() > 0);
    /// assert_eq!(Release::new(13, 6).faults().count(), 0);
    /// ```
    pub fn faults(self) -> impl Iterator<Item = &'static Fault> {
        FAULTS.iter().filter(move |fault| fault.is_in(self))
    }
}

impl fmt::Display for Release {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl FromStr for Release {
    type Err = NoRelease;

    fn from_str(text: &str) -> Result<Self, NoRelease> {
        let mut numbers = text.trim().split('.').map(str::parse);
        match (numbers.next(), numbers.next()) {
            (Some(Ok(major)), Some(Ok(minor))) => Ok(Self::new(major, minor)),
            _ => Err(NoRelease),
        }
    }
}

/// The error of a text that is no release.
///
/// ```
/// use gridwright_image::ptxas::Release;
///
/// assert_eq!("new".parse::<Release>().unwrap_err().to_string(), "it is no release of CUDA, such as 12.8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NoRelease;

impl fmt::Display for NoRelease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is no release of CUDA, such as 12.8")
    }
}

impl std::error::Error for NoRelease {}

/// A form that some releases compile wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The form, as Rust has it.
    pub form: &'static str,
    /// What becomes of the form.
    pub wrong: &'static str,
    /// The first release that is wrong; none where the oldest that was tried is.
    pub first: Option<Release>,
    /// The last release that is wrong.
    pub last: Release,
    /// The chips that the form is compiled wrong for: 90 is sm_90.
    pub chips: RangeInclusive<u32>,
    /// What the build writes instead; none where nothing avoids it.
    pub instead: Option<&'static str>,
}

impl Fault {
    /// Whether the form is compiled wrong for all chips that kernels are built for.
    ///
    /// ```
    /// use gridwright_image::ptxas::FAULTS;
    ///
    /// assert!(FAULTS[0].is_of_all_chips());
    /// ```
    pub fn is_of_all_chips(&self) -> bool {
        self.chips == ALL
    }

    /// Whether a release compiles the form wrong.
    ///
    /// ```
    /// use gridwright_image::ptxas::{FAULTS, Release};
    ///
    /// assert!(FAULTS.iter().all(|fault| fault.is_in(fault.last)));
    /// ```
    pub fn is_in(&self, release: Release) -> bool {
        self.first.is_none_or(|first| release >= first) && release <= self.last
    }
}

/// All chips that kernels are built for.
const ALL: RangeInclusive<u32> = 70..=u32::MAX;

/// Forms that are known to be wrong. Our builds write all of them otherwise, so that kernels are right with
/// each release; PTX of other compilers may have the forms.
///
/// ```
/// for fault in gridwright_image::ptxas::FAULTS {
///     println!("{}: {}", fault.form, fault.wrong);
/// }
/// ```
pub static FAULTS: &[Fault] = &[
    Fault {
        form: "(a << 31).wrapping_sub(a >> 33) of u64, and (a << 8).wrapping_add(a >> 56) of i64",
        wrong: "it becomes a rotation",
        first: None,
        last: Release::new(13, 2),
        chips: ALL,
        instead: Some("a subtraction or addition of 32-bit halves with a carry"),
    },
    Fault {
        form: "wrapping_neg and wrapping_abs of i16",
        wrong: "the result for -32768 is used as 32768",
        first: None,
        last: Release::new(13, 2),
        chips: ALL,
        instead: Some("the same of i32, cut to 16 bits"),
    },
    Fault {
        form: "y.max(x.wrapping_neg()).max(z) of i32, and of min",
        wrong: "the negation is lost",
        first: Some(Release::new(12, 6)),
        last: Release::new(13, 3),
        chips: 90..=103,
        instead: Some("!(x - 1), which is the negation"),
    },
    Fault {
        form: "1.0_f32.to_bits() on one way and u32::MAX on the other, of a branch",
        wrong: "either way gives what is written first",
        first: None,
        last: Release::new(13, 3),
        chips: ALL,
        instead: Some("all ones that are made by a permutation of bytes"),
    },
    Fault {
        form: "a signed shift to the right of an i32 whose sign is known to be set, and a comparison of the result",
        wrong: "the comparison is answered as if zeros were shifted in",
        first: None,
        last: Release::new(13, 3),
        chips: ALL,
        instead: Some("an extraction of the upper bits"),
    },
    Fault {
        form: "x.saturating_sub(i32::MIN) as one instruction",
        wrong: "it becomes an addition",
        first: None,
        last: Release::new(12, 9),
        chips: ALL,
        instead: Some("a minimum of the sum without a sign"),
    },
    Fault {
        form: "x.min(1.0).max(0.0) of an f32",
        wrong: "it becomes an instruction that gives 0.0 for NaN, and not 1.0",
        first: None,
        last: Release::NEWEST,
        chips: ALL,
        instead: Some("a maximum of the bits"),
    },
    Fault {
        form: "two and more levels of branches in which threads of a warp part",
        wrong: "threads may go on with values of others, by NVIDIA's notes to CUDA 13.3; not seen by us",
        first: Some(Release::new(12, 8)),
        last: Release::new(13, 2),
        chips: ALL,
        instead: None,
    },
];

#[cfg(test)]
mod tests {
    use super::{FAULTS, Release};

    #[test]
    fn releases_are_read_from_what_drivers_and_programs_say() {
        assert_eq!(Release::of_driver(13000), Some(Release::new(13, 0)));
        assert_eq!(Release::of_driver(12090), Some(Release::new(12, 9)));
        assert_eq!(Release::of_driver(7), None);
        assert_eq!("12.8".parse(), Ok(Release::new(12, 8)));
        assert_eq!("13.2.86".parse(), Ok(Release::new(13, 2)));
        for text in ["", "12", "an unknown version", "x.y"] {
            assert!(text.parse::<Release>().is_err(), "{text}");
        }
        assert_eq!(Release::of_program("no such option"), None);
    }

    #[test]
    fn a_release_has_the_faults_of_its_time() {
        let forms = |major, minor| Release::new(major, minor).faults().count();
        assert_eq!(forms(12, 4), 6);
        assert_eq!(forms(12, 6), 7);
        assert_eq!(forms(12, 8), 8);
        assert_eq!(forms(13, 0), 7, "a saturating subtraction is mended");
        assert_eq!(forms(13, 3), 4);
        assert_eq!(forms(13, 4), 1);
    }

    #[test]
    fn spans_are_in_order() {
        assert!(FAULTS.iter().all(|fault| fault.first.is_none_or(|first| first <= fault.last)));
    }
}
