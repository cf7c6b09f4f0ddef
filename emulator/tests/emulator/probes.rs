//! Kernels of one instruction, from the list that [its file](probes/list.txt) describes.

use std::fmt::Write;

use gridwright_emulator::{Device, Launch, Module};

const LIST: &str = include_str!("probes/list.txt");
const REGISTERS: &str = ".reg .pred %p<8>; .reg .b8 %b<4>; .reg .b16 %h<12>; .reg .b32 %r<24>; .reg .b64 %d<12>; \
    .reg .f32 %f<12>; .reg .f64 %g<8>; .reg .b128 %q<4>;";
/// Bytes of the buffer, and where results are in it.
const BYTES: u64 = 256;
const RESULTS: u64 = 128;

/// A line of the list: the text of its module, and the values that it gives.
struct Probe {
    text: String,
    expected: Vec<(String, u64)>,
}

fn probe(line: &str) -> Probe {
    let (declarations, rest) = line.split_once(" ## ").unwrap_or(("", line));
    let (body, values) = rest.split_once(" => ").unwrap_or((rest, ""));
    let expected: Vec<(String, u64)> = values
        .split_whitespace()
        .map(|value| {
            let (register, bits) = value.split_once("=0x").unwrap();
            (register.to_owned(), u64::from_str_radix(bits, 16).unwrap())
        })
        .collect();
    let mut stores = String::new();
    for (index, (register, _)) in expected.iter().enumerate() {
        let at = RESULTS + 8 * index as u64;
        let class = match register.as_bytes()[1] {
            b'p' => {
                write!(stores, "selp.b32 %r23,1,0,{register}; st.global.b32 [%d0+{at}],%r23; ").unwrap();
                continue;
            }
            b'h' => "b16",
            b'r' => "b32",
            b'd' => "b64",
            b'f' => "f32",
            _ => "f64",
        };
        write!(stores, "st.global.{class} [%d0+{at}],{register}; ").unwrap();
    }
    let kernel = if let Some(head) = body.strip_prefix("HEAD ") {
        format!(".visible .entry k(.param .u64 a) {head} {{ ret; }}")
    } else if let Some(parameters) = body.strip_prefix("PARAMS ") {
        format!(".visible .entry k({parameters}) {{ ret; }}")
    } else if let Some(text) = body.strip_prefix("MODULE ") {
        format!("{text}\n.visible .entry k(.param .u64 a) {{ ret; }}")
    } else {
        format!(
            ".visible .entry k(.param .u64 a) {{ {REGISTERS} ld.param.u64 %d0,[a]; {body} {stores} ret; }}"
        )
    };
    Probe {
        text: format!(".version 9.2\n.target sm_90\n.address_size 64\n{declarations}\n{kernel}\n"),
        expected,
    }
}

/// Runs a probe, and says what is wrong with it.
fn run(device: &Device, buffer: u64, probe: &Probe) -> Result<(), String> {
    let module = Module::parse(&probe.text).map_err(|error| format!("refused: {error}"))?;
    if probe.expected.is_empty() && !probe.text.contains("%d0,[a]") {
        return Ok(());
    }
    let loaded = device.load(&module).map_err(|error| format!("not loaded: {error}"))?;
    device.fill(buffer, &[0], BYTES).map_err(|error| error.to_string())?;
    let parameters = buffer.to_le_bytes();
    let mut launch = Launch::new([1; 3], [1; 3], &parameters);
    launch.instruction_limit = 10_000;
    let report = device.launch(&loaded, "k", &launch).map_err(|error| format!("failed: {error}"))?;
    if let Some(finding) = report.findings.first() {
        return Err(format!("finding: {finding}"));
    }
    for (index, (register, wanted)) in probe.expected.iter().enumerate() {
        let mut bytes = [0; 8];
        device.read(buffer + RESULTS + 8 * index as u64, &mut bytes).map_err(|error| error.to_string())?;
        let given = u64::from_le_bytes(bytes);
        if given != *wanted {
            return Err(format!("value: {register} is {given:#x}, not {wanted:#x}"));
        }
    }
    Ok(())
}

#[test]
fn every_instruction_of_the_list_is_taken_and_gives_what_it_should() {
    let device = Device::new();
    let buffer = device.alloc(BYTES).unwrap();
    let lines = LIST.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut total, mut left_out, mut failures) = (0, 0, Vec::new());
    for line in lines {
        total += 1;
        match run(&device, buffer, &probe(line)) {
            Ok(()) => {}
            // It is on the list of what is left out, and the message says why.
            Err(problem) if problem.contains("isn't supported: ") => left_out += 1,
            Err(problem) => failures.push(format!("{line}\n    {problem}")),
        }
    }
    assert!(left_out * 100 < total, "{left_out} of {total} are left out");
    assert!(failures.is_empty(), "{} of {total}:\n{}", failures.len(), failures.join("\n"));
}
