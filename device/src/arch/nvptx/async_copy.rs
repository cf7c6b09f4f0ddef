//! `cp.async`: from global to workgroup memory, past the registers.

use core::arch::asm;

use super::version;

/// Whether the hardware has copies that it makes by itself.
#[inline(always)]
pub(in crate::arch) fn copies_by_itself() -> bool {
    version() >= 800
}

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.isspacep.global"]
    fn isspacep_global(pointer: *const u8) -> bool;
}

/// Whether a pointer is into global memory. Of a kernel's parameter the compiler knows.
#[inline(always)]
pub(in crate::arch) fn is_global(pointer: *const u8) -> bool {
    // SAFETY: it looks at the address only.
    unsafe { isspacep_global(pointer) }
}

/// Begins to copy so many bytes, or to write as many zeros if they aren't there.
///
/// # Safety
/// `to` is in workgroup memory that nobody accesses until the copy was waited for, `from` in global memory that nobody writes
/// until then; both are multiples of `WIDTH`, which is 4, 8 or 16. The processor is sm_80 or newer.
#[inline(always)]
pub(in crate::arch) unsafe fn copy<const WIDTH: usize>(to: *mut u8, from: *const u8, is_there: bool) {
    let taken = if is_there { WIDTH as u32 } else { 0 };
    // SAFETY: `to` is in workgroup memory that nobody accesses, and `from` in global memory that nobody writes, until the copy was
    // waited for, both at multiples of `WIDTH`, as this function asks. What is written counts as changed by the assembly that
    // waits.
    unsafe {
        match WIDTH {
            16 => asm!(
                "cvta.to.shared.u64 {to}, {to};",
                "cvta.to.global.u64 {from}, {from};",
                "cp.async.cg.shared.global [{to}], [{from}], 16, {taken};",
                to = inout(reg64) to => _,
                from = inout(reg64) from => _,
                taken = in(reg32) taken,
            ),
            8 => asm!(
                "cvta.to.shared.u64 {to}, {to};",
                "cvta.to.global.u64 {from}, {from};",
                "cp.async.ca.shared.global [{to}], [{from}], 8, {taken};",
                to = inout(reg64) to => _,
                from = inout(reg64) from => _,
                taken = in(reg32) taken,
            ),
            _ => asm!(
                "cvta.to.shared.u64 {to}, {to};",
                "cvta.to.global.u64 {from}, {from};",
                "cp.async.ca.shared.global [{to}], [{from}], 4, {taken};",
                to = inout(reg64) to => _,
                from = inout(reg64) from => _,
                taken = in(reg32) taken,
            ),
        }
    }
}

/// Makes one group of the copies that were begun since the last call.
#[inline(always)]
pub(in crate::arch) fn commit_copies() {
    if copies_by_itself() {
        // SAFETY: it changes no memory.
        unsafe { asm!("cp.async.commit_group;") };
    }
}

/// Waits for the groups of copies of this thread, but for the last so many.
#[inline(always)]
pub(in crate::arch) fn wait_for_copies(but: u32) {
    macro_rules! wait {
        ($($number:literal)*) => {
            // SAFETY: it ends copies, and nobody accesses what they write until here, as `copy` asks.
            match but {
                $($number => unsafe { asm!(concat!("cp.async.wait_group ", $number, ";")) },)*
                // Fewer than that go on: nobody has to know which.
                _ => unsafe { asm!("cp.async.wait_group 8;") },
            }
        };
    }
    if copies_by_itself() {
        wait!(0 1 2 3 4 5 6 7);
    }
}
