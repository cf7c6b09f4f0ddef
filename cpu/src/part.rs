use crate::lines::Lines;
use crate::{KernelPanic, Printer, panic};

/// Runs a part of a kernel on this OS thread: its panic is caught, and what its threads print goes to `printer`.
///
/// # Errors
/// The part's panic. With [`install_hook`](crate::install_hook), it says where that was.
///
/// ```
/// use std::sync::Mutex;
///
/// use gridwright_cpu::{Printer, install_hook, print, run_part};
///
/// #[derive(Default)]
/// struct Kept(Mutex<Vec<String>>);
///
/// impl Printer for Kept {
///     fn room(&self) -> usize {
///         1000
///     }
///
///     fn add(&self, lines: Vec<(usize, String)>, _dropped: u64) {
///         self.0.lock().unwrap().extend(lines.into_iter().map(|(_, line)| line));
///     }
/// }
///
/// install_hook();
/// let kept = Kept::default();
/// let part = || {
///     print("a line", &[]);
///     panic!("no such element");
/// };
/// let panic = run_part(&kept, part).unwrap_err();
/// assert_eq!(panic.message, "no such element");
/// assert!(panic.line > 0);
/// assert_eq!(*kept.0.lock().unwrap(), ["a line"]);
/// ```
pub fn run_part(printer: &dyn Printer, part: impl FnOnce()) -> Result<(), KernelPanic> {
    // A kernel may launch another one: what it printed before is put aside.
    let outer = Lines::with_room(printer.room()).exchange();
    let result = panic::catch(part);
    let Lines { lines, dropped, .. } = outer.exchange();
    if dropped > 0 || !lines.is_empty() {
        printer.add(lines.into_iter().map(|line| (Lines::bytes(&line), line)).collect(), dropped);
    }
    result
}
