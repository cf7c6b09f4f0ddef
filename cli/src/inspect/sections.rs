//! The parts of what is shown: PTX, NVIDIA's machine code, AMD's, the CPU's assembly.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, ensure};
use gridwright::Device;
use gridwright_build::inspect::{AmdTools, BuiltImage, CpuListing, NvidiaTools, Resources};
use gridwright_build::{Family, find_toolchain};
use gridwright_image::ptx::Module;

use super::Options;
use super::built::Built;
use super::table::ResourceTable;
use crate::cargo::{self, Found};
use crate::style::{self, TITLE};

pub(super) struct Sections<'o> {
    options: &'o Options,
    found: &'o Found,
    scratch: tempfile::TempDir,
    table: ResourceTable,
    /// The text that is shown, so far.
    text: String,
}

impl<'o> Sections<'o> {
    /// # Errors
    /// Where no folder can be made for machine code.
    pub(super) fn new(options: &'o Options, found: &'o Found) -> anyhow::Result<Self> {
        let scratch = tempfile::tempdir().context("can't make a folder for machine code")?;
        Ok(Self { options, found, scratch, table: ResourceTable::new(options), text: String::new() })
    }

    /// Shows PTX, and what is assembled of it.
    ///
    /// # Errors
    /// Where something was asked for by name and can't be had, or a file can't be read.
    pub(super) fn nvidia(&mut self, built: &Built) -> anyhow::Result<()> {
        let Some(images) = self.images(built, Family::Nvidia)? else { return Ok(()) };
        if !self.options.sass {
            for image in &images {
                let text = fs::read_to_string(&image.path)
                    .with_context(|| format!("can't read {}", image.path.display()))?;
                let module = Module::read(&text).with_context(|| format!("{}", image.path.display()))?;
                let entry = module.entries.iter().find(|entry| entry.name == self.options.kernel());
                let entry = entry.with_context(|| format!("{} has no such kernel", image.path.display()))?;
                self.title(&format!("PTX for {}", image.architecture.name()));
                self.line(text.get(entry.place.clone()).unwrap_or_default());
            }
        }
        if self.options.ptx {
            return Ok(());
        }
        let tools = NvidiaTools::find();
        for (image, architecture) in self.to_assemble(&images)? {
            let cubin = self.scratch.path().join(format!("{architecture}.cubin"));
            self.title(&format!("machine code for {architecture}"));
            let assembled = tools.assemble(&image.path, architecture, &cubin);
            let shown = match assembled {
                Ok(resources) => {
                    if let Some(resources) = resources.get(self.options.kernel()) {
                        self.table.add(architecture, resources);
                    }
                    tools.disassemble(&cubin, self.options.kernel())
                }
                Err(error) => {
                    self.table.add_unknown(architecture, "needs ptxas");
                    Err(error)
                }
            };
            self.show(shown.map_err(Into::into))?;
        }
        Ok(())
    }

    /// The architectures that PTX is assembled for, each with the newest image for it.
    fn to_assemble<'b>(&self, images: &[&'b BuiltImage]) -> anyhow::Result<Vec<(&'b BuiltImage, &'b str)>>
    where
        'o: 'b,
    {
        let options = self.options;
        let mut all: Vec<_> = images.iter().map(|&image| (image, image.architecture.name())).collect();
        for architecture in &options.assemble_for {
            let name = architecture.name();
            ensure!(
                architecture.family() == Family::Nvidia,
                "{name}: PTX is assembled for NVIDIA's architectures only"
            );
            // PTX for an architecture with a letter runs on no other one.
            let number = |name: &str| name.strip_prefix("sm_").and_then(|number| number.parse::<u32>().ok());
            let wanted = number(name.trim_end_matches(['a', 'f']));
            let older = images.iter().filter(|image| {
                number(image.architecture.name())
                    .is_some_and(|image| wanted.is_some_and(|wanted| image <= wanted))
            });
            let image = older.max_by_key(|image| number(image.architecture.name()));
            let image = image.with_context(|| format!("there is no PTX that {name} could run"))?;
            if all.iter().all(|(_, other)| *other != name) {
                all.push((image, name));
            }
        }
        Ok(all)
    }

    /// Shows code objects, disassembled.
    ///
    /// # Errors
    /// As of [`nvidia`](Self::nvidia).
    pub(super) fn amd(&mut self, built: &Built) -> anyhow::Result<()> {
        let Some(images) = self.images(built, Family::Amd)? else { return Ok(()) };
        let scratch = self.scratch.path().join("sources");
        let tools =
            AmdTools::find(find_toolchain(&scratch).ok().map(|toolchain| toolchain.sysroot).as_deref());
        for image in images {
            let architecture = image.architecture.name();
            let bytes =
                fs::read(&image.path).with_context(|| format!("can't read {}", image.path.display()))?;
            let resources = Resources::of_code_object(&bytes)
                .with_context(|| format!("can't read {}", image.path.display()))?;
            if let Some(resources) = resources.get(self.options.kernel()) {
                self.table.add(architecture, resources);
            }
            self.title(&format!("machine code for {architecture}"));
            self.show(tools.disassemble(&image.path, self.options.kernel()).map_err(Into::into))?;
        }
        Ok(())
    }

    /// Shows what the host's compiler makes of the kernel, for each instruction set.
    ///
    /// # Errors
    /// Where the target doesn't build, or has no such kernel.
    pub(super) fn cpu(&mut self, built: &Built) -> anyhow::Result<()> {
        let package = &self.found.package;
        // Cargo compiles the crate anew only if something changed, and then the file is still there.
        let file = self.assembly_file(&built.target.to_string());
        let emit = format!("asm={}", file.display());
        let mut words = vec!["rustc"];
        words.extend(self.options.of_cargo(&package.name));
        words.extend(built.target.arguments());
        let words: Vec<&OsStr> = words.into_iter().map(OsStr::new).collect();
        // Names in full, and everything in one file.
        let flags = ["--emit", &emit, "-Csymbol-mangling-version=v0", "-Ccodegen-units=1"].map(OsStr::new);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("can't make {}", folder.display()))?;
        }
        cargo::build(&words, &flags, "compiling for the CPU")?;
        let text = fs::read_to_string(&file).with_context(|| {
            format!(
                "can't read {}: `cargo clean --release --package {}` has it made anew",
                file.display(),
                package.name
            )
        })?;
        let listing = CpuListing::read(&text);
        let kernel = self.options.kernel();
        ensure!(
            listing.kernels().iter().any(|name| name == kernel),
            "there is no kernel `{kernel}` in {}. There are: {}",
            built.target,
            listing.kernels().join(", ")
        );
        // Programs here take this one, or the one that GRIDWRIGHT_CPU_ISA names.
        let set = Device::cpu()?.info()?.architecture;
        let mut loops = listing.of_kernel(kernel);
        loops.retain(|function| function.instruction_set == set);
        if loops.is_empty() {
            self.title("CPU");
            let text = format!(
                "the assembly in {} has no loop over the threads of `{kernel}` for {set}",
                file.display()
            );
            return self.show(Err(anyhow::anyhow!(text)));
        }
        loops.sort_by_key(|function| !function.is_interior);
        for function in loops {
            let place = if function.is_interior { ", away from the edges" } else { "" };
            self.title(&format!("CPU, {set}{place}: {} instructions", function.instructions()));
            self.line(&format!("# {}\n{}", function.name, function.text));
        }
        Ok(())
    }

    /// The file with a target's assembly: cargo has one for each package, target and set of features.
    fn assembly_file(&self, target: &str) -> PathBuf {
        let features = self.options.features.as_deref().unwrap_or_default();
        let all = if self.options.all_features { "all" } else { "" };
        let name = format!("{} {target} {features} {all}", self.found.package.name);
        let name = name.trim().replace(|letter: char| !letter.is_alphanumeric(), "-");
        self.found.target_folder.join("gridwright").join("inspect").join(format!("{name}.s"))
    }

    /// Prints the whole text, with what every architecture takes at the end unless one part was asked for.
    ///
    /// # Errors
    /// Where it can't be written.
    pub(super) fn print(mut self) -> anyhow::Result<()> {
        if self.options.all() {
            self.title("what it takes");
            self.line(&self.table.to_string());
        }
        Ok(style::print(&self.text)?)
    }

    /// The images of a family. Having none is an error where they were asked for by name, and else a word.
    fn images<'b>(
        &mut self,
        built: &'b Built,
        family: Family,
    ) -> anyhow::Result<Option<Vec<&'b BuiltImage>>> {
        match built.images(family) {
            Ok(images) => Ok(Some(images)),
            Err(error) if self.options.all() => {
                self.title(match family {
                    Family::Nvidia => "NVIDIA",
                    Family::Amd => "AMD",
                });
                self.line(&format!("{error:#}"));
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Shows a listing, or why there is none: an error where it was asked for by name.
    fn show(&mut self, listing: anyhow::Result<String>) -> anyhow::Result<()> {
        match listing {
            Ok(listing) => self.line(listing.trim_end()),
            Err(error) if self.options.all() => self.line(&format!("{error:#}")),
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Adds a line above a part. Where only one was asked for, its text may be for another program.
    fn title(&mut self, title: &str) {
        if self.options.all() {
            self.line(&format!("\n{TITLE}{title}{TITLE:#}"));
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}
