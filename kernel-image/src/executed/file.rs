//! The file: its parts as text, and read again.

use std::collections::BTreeMap;
use std::fmt;
use std::str::{FromStr, Lines};

use super::{Counts, LineCounts, sum};

/// PTX of which kernels were launched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedImage {
    /// The architecture that the PTX was compiled for: `sm_80`.
    pub architecture: String,
    /// The text, whose first line is line 1.
    pub ptx: String,
}

/// A launch, and what it executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutedLaunch {
    /// The kernel's name in the PTX.
    pub kernel: String,
    /// Groups along x, y and z.
    pub groups: [u32; 3],
    /// Threads of a group along x, y and z.
    pub block: [u32; 3],
    /// What each line cost.
    pub lines: LineCounts,
}

/// All that a file says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Executed {
    /// Images by their IDs.
    images: BTreeMap<String, ExecutedImage>,
    /// Launches in their order, each with the ID of its image.
    launches: Vec<(String, ExecutedLaunch)>,
}

/// A line of a file of counts that isn't what it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnreadableLine {
    /// The line's number in the file; the first is 1.
    pub line: usize,
    /// What should stand there.
    pub expected: &'static str,
}

impl fmt::Display for UnreadableLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the counts should be {}", self.line, self.expected)
    }
}

impl std::error::Error for UnreadableLine {}

impl ExecutedImage {
    /// The part of a file that tells of the image, once, before its launches. The ID has no space.
    ///
    /// ```
    /// use gridwright_image::executed::ExecutedImage;
    ///
    /// let image = ExecutedImage { architecture: "sm_80".into(), ptx: ".version 8.3\n.target sm_80".into() };
    /// assert_eq!(image.to_part("7"), "image 7 sm_80 2\n.version 8.3\n.target sm_80\n");
    /// ```
    #[must_use]
    pub fn to_part(&self, id: &str) -> String {
        let mut part = format!("image {id} {} {}\n", self.architecture, self.ptx.lines().count());
        self.ptx.lines().for_each(|line| part.extend([line, "\n"]));
        part
    }
}

impl ExecutedLaunch {
    /// The part of a file that tells of the launch, with the ID of its image.
    ///
    /// ```
    /// use gridwright_image::executed::{ExecutedLaunch, LineCounts};
    ///
    /// let launch =
    ///     ExecutedLaunch { kernel: "k".into(), groups: [2, 1, 1], block: [64, 1, 1], lines: LineCounts::new() };
    /// assert_eq!(launch.to_part("7"), "launch 7 k 2,1,1 64,1,1 0\n");
    /// ```
    #[must_use]
    pub fn to_part(&self, id: &str) -> String {
        let Self { kernel, groups: [x, y, z], block: [bx, by, bz], lines } = self;
        let mut part = format!("launch {id} {kernel} {x},{y},{z} {bx},{by},{bz} {}\n", lines.len());
        for (line, counts) in lines {
            let Counts { warp_instructions, thread_instructions, sectors, bank_passes, local_accesses } =
                counts;
            part += &format!(
                "{line} {warp_instructions} {thread_instructions} {sectors} {bank_passes} {local_accesses}\n"
            );
        }
        part
    }

    /// What the whole launch cost.
    ///
    /// ```
    /// use gridwright_image::executed::{Counts, ExecutedLaunch, LineCounts};
    ///
    /// let lines = LineCounts::from([(5, Counts { sectors: 4, ..Counts::default() })]);
    /// let launch = ExecutedLaunch { kernel: "k".into(), groups: [1; 3], block: [32, 1, 1], lines };
    /// assert_eq!(launch.total().sectors, 4);
    /// ```
    #[must_use]
    pub fn total(&self) -> Counts {
        sum(&self.lines)
    }
}

impl Executed {
    /// Reads a file.
    ///
    /// ```
    /// use gridwright_image::executed::Executed;
    ///
    /// assert_eq!(Executed::read("")?.kernels(), [""; 0]);
    /// assert_eq!(Executed::read("launch 1 k 1,1,1").unwrap_err().line, 1);
    /// # Ok::<(), gridwright_image::executed::UnreadableLine>(())
    /// ```
    ///
    /// # Errors
    /// The first line that can't be read, or that names an image that isn't there.
    pub fn read(text: &str) -> Result<Self, UnreadableLine> {
        let mut reader = Reader { lines: text.lines(), number: 0 };
        let mut executed = Self::default();
        while let Some(line) = reader.next() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["image", id, architecture, lines] => {
                    let lines =
                        reader.number(lines, "`image`, an ID, an architecture and a number of lines")?;
                    let ptx = reader.text(lines)?;
                    let image = ExecutedImage { architecture: architecture.to_owned(), ptx };
                    executed.images.insert(id.to_owned(), image);
                }
                ["launch", id, kernel, groups, block, lines] => {
                    const EXPECTED: &str =
                        "`launch`, an image's ID, a kernel, groups, threads and a number of lines";
                    let known = executed.images.contains_key(id);
                    let mut launch = ExecutedLaunch {
                        kernel: kernel.to_owned(),
                        groups: reader.sizes(groups, EXPECTED)?,
                        block: reader.sizes(block, EXPECTED)?,
                        lines: LineCounts::new(),
                    };
                    let lines: usize = reader.number(lines, EXPECTED)?;
                    if !known {
                        return Err(reader.error("of an image that is told before"));
                    }
                    for _ in 0..lines {
                        let (line, counts) = reader.counts()?;
                        launch.lines.insert(line, counts);
                    }
                    executed.launches.push((id.to_owned(), launch));
                }
                _ => return Err(reader.error("an image or a launch")),
            }
        }
        Ok(executed)
    }

    /// The names of the kernels that were launched, sorted.
    ///
    /// ```
    /// use gridwright_image::executed::Executed;
    ///
    /// let file = "image 1 sm_80 0\nlaunch 1 b 1,1,1 32,1,1 0\nlaunch 1 a 1,1,1 32,1,1 0\n";
    /// assert_eq!(Executed::read(file)?.kernels(), ["a", "b"]);
    /// # Ok::<(), gridwright_image::executed::UnreadableLine>(())
    /// ```
    #[must_use]
    pub fn kernels(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.launches.iter().map(|(_, launch)| launch.kernel.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// The launches of a kernel in their order, by the image that they were of: several where programs have kernels of one name.
    ///
    /// ```
    /// use gridwright_image::executed::Executed;
    ///
    /// let file = "image 1 sm_80 0\nlaunch 1 k 1,1,1 32,1,1 0\nlaunch 1 k 2,1,1 32,1,1 0\n";
    /// let executed = Executed::read(file)?;
    /// let (_, launches) = &executed.of_kernel("k")[0];
    /// assert_eq!(launches.iter().map(|launch| launch.groups[0]).collect::<Vec<_>>(), [1, 2]);
    /// # Ok::<(), gridwright_image::executed::UnreadableLine>(())
    /// ```
    #[must_use]
    pub fn of_kernel(&self, kernel: &str) -> Vec<(&ExecutedImage, Vec<&ExecutedLaunch>)> {
        let mut found: Vec<(&ExecutedImage, Vec<&ExecutedLaunch>)> = Vec::new();
        for (id, launch) in self.launches.iter().filter(|(_, launch)| launch.kernel == kernel) {
            let Some(image) = self.images.get(id) else { continue };
            // Processes of one program have an ID each for the same image.
            match found.iter_mut().find(|(known, _)| *known == image) {
                Some((_, launches)) => launches.push(launch),
                None => found.push((image, vec![launch])),
            }
        }
        found
    }
}

/// The lines of a file, counted.
struct Reader<'t> {
    lines: Lines<'t>,
    number: usize,
}

impl<'t> Reader<'t> {
    fn next(&mut self) -> Option<&'t str> {
        self.number += 1;
        self.lines.next()
    }

    fn error(&self, expected: &'static str) -> UnreadableLine {
        UnreadableLine { line: self.number, expected }
    }

    fn number<T: FromStr>(&self, word: &str, expected: &'static str) -> Result<T, UnreadableLine> {
        word.parse().map_err(|_| self.error(expected))
    }

    fn sizes(&self, word: &str, expected: &'static str) -> Result<[u32; 3], UnreadableLine> {
        let sizes: Vec<u32> =
            word.split(',').map(|size| self.number(size, expected)).collect::<Result<_, _>>()?;
        sizes.try_into().map_err(|_| self.error(expected))
    }

    fn text(&mut self, lines: usize) -> Result<String, UnreadableLine> {
        let mut text = String::new();
        for _ in 0..lines {
            let line = self.next().ok_or_else(|| self.error("a line of PTX"))?;
            text.extend([line, "\n"]);
        }
        Ok(text)
    }

    fn counts(&mut self) -> Result<(u32, Counts), UnreadableLine> {
        const EXPECTED: &str = "the number of a line of PTX and five counts";
        let line = self.next().unwrap_or_default();
        let mut words = line.split(' ');
        let number = self.number(words.next().unwrap_or_default(), EXPECTED)?;
        let counts: Vec<u64> = words.map(|count| self.number(count, EXPECTED)).collect::<Result<_, _>>()?;
        let [warp_instructions, thread_instructions, sectors, bank_passes, local_accesses] = counts[..]
        else {
            return Err(self.error(EXPECTED));
        };
        Ok((number, Counts { warp_instructions, thread_instructions, sectors, bank_passes, local_accesses }))
    }
}
