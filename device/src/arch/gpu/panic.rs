use core::panic::PanicInfo;

use crate::arch::hardware;

/// Ends the thread. What it would have said is lost for now; its memory and the device stay usable.
#[panic_handler]
fn end_thread(_: &PanicInfo<'_>) -> ! {
    hardware::end_thread()
}
