//! Calls: frames, and functions that the system provides.

use std::sync::Arc;

use super::state::{Core, GroupMemory, Warp};
use crate::instruction::{Action, CallSite, Callee, FunctionCode, ParameterSlot};
use crate::machine::{Done, FUNCTION_WINDOW, Fault, Frame, Lane, Start, Stopped, lanes_of};
use crate::report::FindingKind;

/// Frames of a thread, at most: more is a stack overflow, however small they are.
const DEEPEST: usize = 4096;

impl Warp {
    pub(super) fn call(
        &mut self,
        index: usize,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> Result<(), Stopped> {
        let image = Arc::clone(&core.shared.image);
        let frame = self.fragments[index].frame();
        let code = &image.functions[frame.function as usize];
        let Some(Action::Call(site)) = code.ops.get(frame.pc as usize).map(|op| &op.action) else {
            return Ok(());
        };
        let called = match &site.callee {
            Callee::Function(number) => Ok((index, *number)),
            Callee::Indirect(slot) => {
                let mask = self.fragments[index].mask;
                let row = u64::read(&self.lanes(index, core, group), *slot);
                let first = mask.trailing_zeros() as usize % 32;
                let address = row[first];
                let same = lanes_of(mask)
                    .filter(|&lane| row[lane] == address)
                    .fold(0, |same, lane| same | 1 << lane);
                let own = if same == mask { index } else { self.split(index, same) };
                match indirect(&image.functions, site, address) {
                    Some(number) => Ok((own, number)),
                    None => Err(Fault::new(first, FindingKind::IllegalCall { address })),
                }
            }
            _ => {
                let done = self.provided(index, site, frame, core, group);
                if let Err(fault) = done {
                    self.lanes(index, core, group).fault(*fault);
                    return Err(Stopped);
                }
                self.fragments[index].advance();
                return Ok(());
            }
        };
        let called = called.and_then(|(own, number)| self.enter(own, number, site, code, frame, core));
        called.map_err(|fault| {
            self.lanes(index, core, group).fault(*fault);
            Stopped
        })
    }

    fn enter(
        &mut self,
        index: usize,
        number: u32,
        site: &CallSite,
        caller: &FunctionCode,
        frame: Frame,
        core: &Core,
    ) -> Done {
        let code = &core.shared.image.functions[number as usize];
        let limit = core.shared.stack_limit;
        let local = (frame.start.local + caller.frame_bytes).next_multiple_of(16);
        let first = self.fragments[index].mask.trailing_zeros() as usize;
        if local.saturating_add(code.frame_bytes) > limit || self.fragments[index].stack.len() >= DEEPEST {
            return Err(Fault::new(first, FindingKind::StackOverflow { limit: limit.into() }));
        }
        let start = Start {
            narrow: frame.start.narrow + caller.narrow_rows,
            wide: frame.start.wide + caller.wide_rows,
            predicates: frame.start.predicates + caller.predicates,
            local,
        };
        self.make_room(start, code);
        for lane in lanes_of(self.fragments[index].mask) {
            for (&(from, bytes), parameter) in site.arguments.iter().zip(&code.parameters) {
                self.local.copy(lane, frame.start.local + from, local + parameter.offset, bytes);
            }
        }
        self.fragments[index].advance();
        self.fragments[index].stack.push(Frame { function: number, pc: 0, start });
        Ok(())
    }

    /// Goes back to the caller, or out of the kernel.
    pub(super) fn leave(&mut self, index: usize, core: &Core) {
        if self.fragments[index].stack.len() == 1 {
            return self.exit(index);
        }
        let own = self.fragments[index].frame();
        self.fragments[index].stack.pop();
        let caller = self.fragments[index].frame();
        let functions = &core.shared.image.functions;
        let code = &functions[own.function as usize];
        let site = functions[caller.function as usize].ops.get(caller.pc.wrapping_sub(1) as usize);
        let Some(Action::Call(site)) = site.map(|op| &op.action) else { return };
        for lane in lanes_of(self.fragments[index].mask) {
            for (&(to, bytes), result) in site.results.iter().zip(&code.results) {
                self.local.copy(lane, own.start.local + result.offset, caller.start.local + to, bytes);
            }
        }
    }

    fn argument(&self, lane: usize, frame: Frame, (offset, bytes): (u32, u32)) -> u64 {
        let mut value = [0; 8];
        let length = (bytes as usize).min(8);
        self.local.read(lane, frame.start.local + offset, &mut value[..length]);
        u64::from_le_bytes(value)
    }

    fn provided(
        &mut self,
        index: usize,
        site: &CallSite,
        frame: Frame,
        core: &mut Core,
        group: &mut GroupMemory,
    ) -> Done {
        for lane in lanes_of(self.fragments[index].mask) {
            let arguments: Vec<u64> =
                site.arguments.iter().map(|&slot| self.argument(lane, frame, slot)).collect();
            let result = match (&site.callee, arguments.as_slice()) {
                (Callee::Vprintf, &[format, values]) => {
                    let (text, count) = self.lanes(index, core, group).formatted(lane, format, values)?;
                    core.print(&text);
                    u64::from(count)
                }
                (Callee::AssertFail, &[message, file, line, function, _]) => {
                    let mut lanes = self.lanes(index, core, group);
                    let texts = [message, file, function].map(|address| lanes.text(lane, address));
                    let [message, file, function] = texts;
                    let (message, file, function) = (message?, file?, function?);
                    let message = format!("{message}, at {file}:{}, in {function}", line as u32);
                    return Err(Fault::new(lane, FindingKind::Assertion { message }));
                }
                // A kernel sees null where there is no memory.
                (Callee::Malloc, &[bytes]) => core.shared.memory.allocate(bytes, None, false).unwrap_or(0),
                (Callee::Free, &[address]) => {
                    if address != 0 && core.shared.memory.free(address).is_err() {
                        return Err(Fault::new(lane, FindingKind::IllegalCall { address }));
                    }
                    0
                }
                _ => 0,
            };
            if let Some(&(offset, bytes)) = site.results.first() {
                let length = (bytes as usize).min(8);
                self.local.write(lane, frame.start.local + offset, &result.to_le_bytes()[..length]);
            }
        }
        Ok(())
    }
}

/// The function at an address, if it takes what the call gives.
fn indirect(functions: &[FunctionCode], site: &CallSite, address: u64) -> Option<u32> {
    let offset = address.checked_sub(FUNCTION_WINDOW)?;
    let number = (offset / 256).checked_sub(1).filter(|_| offset.is_multiple_of(256))?;
    let code = functions.get(usize::try_from(number).ok()?)?;
    let fits = |slots: &[ParameterSlot], given: &[(u32, u32)]| {
        slots.len() == given.len() && slots.iter().zip(given).all(|(slot, given)| slot.bytes == given.1)
    };
    let is_callable = code.is_defined && !code.is_entry;
    (is_callable && fits(&code.parameters, &site.arguments) && fits(&code.results, &site.results))
        .then_some(number as u32)
}
