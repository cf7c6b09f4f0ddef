//! Linking of PTX: an image that has all that was added, as text.

use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::fmt::Write as _;
use std::sync::Mutex;

use gridwright_emulator::Module;

use crate::abi::{In, InOut, Out, Text, Untyped};
use crate::context::current;
use crate::error::Error;
use crate::locks::lock;
use crate::ptx_link;
use crate::registry::{Handle, Registry};

/// What was added to a link, and what became of it.
struct Link {
    parts: Vec<String>,
    most_registers: Option<u32>,
    error_log: Log,
    /// The image, which lives as long as the link.
    image: Option<CString>,
}

/// A buffer of the caller's that lives as long as the link: its address and its size.
#[derive(Clone, Copy, Default)]
struct Log {
    buffer: usize,
    size: usize,
}

static LINKS: Registry<Mutex<Link>> = Registry::new(32);

/// What the first line of an image says, if a link was asked for few registers.
const MOST_REGISTERS: &str = "// linked for at most this many registers a thread: ";

const PTX: c_int = 1;
const LIBRARY: c_int = 4;

/// The functions of `libcudadevrt.a` with which grids synchronise; the library itself has machine code.
const DEVICE_RUNTIME: &str = include_str!("device_runtime.ptx");

/// What a link that made an image was told of registers.
pub(crate) fn most_registers(image: &str) -> Option<u32> {
    image.strip_prefix(MOST_REGISTERS)?.lines().next()?.parse().ok()
}

impl Link {
    fn new(count: c_uint, options: InOut<c_int>, values: InOut<Untyped>) -> Result<Self, Error> {
        let mut link =
            Self { parts: Vec::new(), most_registers: None, error_log: Log::default(), image: None };
        for index in 0..count as usize {
            let value = |index| values.at(index).map(Untyped::address);
            match options.at(index)? {
                0 => link.most_registers = Some(value(index)? as u32).filter(|most| *most > 0),
                5 => link.error_log.buffer = value(index)?,
                6 => link.error_log.size = value(index)? & 0xffff_ffff,
                1..=33 => {}
                _ => return Err(Error::INVALID_VALUE),
            }
        }
        Ok(link)
    }

    /// Refuses with a text for the log.
    fn refuse(&self, error: Error, text: &str) -> Result<(), Error> {
        let Log { buffer, size } = self.error_log;
        if buffer != 0 && size > 0 {
            let buffer: Out<c_char> = Untyped::from_number(buffer).out();
            buffer.put_text(text, size)?;
        }
        Err(error)
    }

    fn add(&mut self, kind: c_int, data: &[u8], name: &str) -> Result<(), Error> {
        if kind == LIBRARY && name.contains("cudadevrt") {
            self.parts.push(DEVICE_RUNTIME.to_owned());
            return Ok(());
        }
        if kind != PTX {
            let text = format!(
                "{name} is compiled for hardware, or an intermediate form; the emulator links PTX only"
            );
            return self.refuse(Error::NO_BINARY_FOR_GPU, &text);
        }
        let end = data.iter().position(|byte| *byte == 0).unwrap_or(data.len());
        match std::str::from_utf8(&data[..end]) {
            Ok(text) => {
                self.parts.push(text.to_owned());
                Ok(())
            }
            Err(error) => self.refuse(Error::INVALID_PTX, &format!("ptxas {name}, {error}")),
        }
    }

    fn complete(&mut self) -> Result<&CString, Error> {
        let linked = ptx_link::link(&self.parts).and_then(|text| match Module::parse(&text) {
            Ok(_) => Ok(text),
            Err(error) => Err(format!("ptxas application ptx input, {error}")),
        });
        let text = match linked {
            Ok(text) => text,
            Err(text) => {
                self.refuse(Error::INVALID_PTX, &text)?;
                return Err(Error::INVALID_PTX);
            }
        };
        let mut image = String::new();
        if let Some(most) = self.most_registers {
            _ = writeln!(image, "{MOST_REGISTERS}{most}");
        }
        image.push_str(&text);
        let image = CString::new(image).map_err(|_| Error::INVALID_PTX)?;
        Ok(self.image.insert(image))
    }
}

fn with<R>(link: Handle, run: impl FnOnce(&mut Link) -> Result<R, Error>) -> Result<R, Error> {
    current()?;
    let found = LINKS.get(link).ok_or(Error::INVALID_HANDLE)?;
    let mut found = lock(&found);
    run(&mut found)
}

driver! {
    fn cuLinkCreate_v2(count: c_uint, options: InOut<c_int>, values: InOut<Untyped>, link: Out<Handle>) {
        current()?;
        let made = Link::new(count, options, values)?;
        link.put(LINKS.insert(Mutex::new(made)))
    }

    /// PTX, with or without a zero behind it. Options of a single part change nothing.
    fn cuLinkAddData_v2(link: Handle, kind: c_int, data: In<u8>, size: usize, name: Text, _count: c_uint, _options: InOut<c_int>, _values: InOut<Untyped>) {
        let bytes = (0..size).map(|index| data.at(index)).collect::<Result<Vec<u8>, _>>()?;
        let name = name.get().unwrap_or("application ptx input");
        with(link, |link| link.add(kind, &bytes, name))
    }

    fn cuLinkAddFile_v2(link: Handle, kind: c_int, path: Text, _count: c_uint, _options: InOut<c_int>, _values: InOut<Untyped>) {
        let path = path.get()?;
        let data = std::fs::read(path).map_err(|_| Error::FILE_NOT_FOUND)?;
        with(link, |link| link.add(kind, &data, path))
    }

    /// The image is the link's, and goes with it. Its size has the zero behind the text.
    fn cuLinkComplete(link: Handle, image: Out<*const c_void>, size: Out<usize>) {
        with(link, |link| {
            let made = link.complete()?;
            image.put(made.as_ptr().cast())?;
            size.put_if_asked(made.as_bytes_with_nul().len());
            Ok(())
        })
    }

    fn cuLinkDestroy(link: Handle) {
        LINKS.remove(link).map(drop).ok_or(Error::INVALID_HANDLE)
    }
}
