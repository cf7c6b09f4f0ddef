//! `cp.async.bulk`: from global to workgroup memory, by one thread for the whole group.

use core::arch::asm;

use super::async_copy::is_global;
use super::version;

#[allow(improper_ctypes)]
unsafe extern "C" {
    #[link_name = "llvm.nvvm.barrier.cta.red.or.aligned.all"]
    fn barrier_any(number: u32, value: bool) -> bool;
}

/// Has the hardware copy, from sm_90 on, while the threads do something else; all is there behind the next barrier. Or says to all
/// threads that it can't.
///
/// One thread begins and waits, with nothing in between that could panic: a copy doesn't outlive its group. It may have left before,
/// which a barrier tells the others.
///
/// # Safety
/// Called by all threads of the group with the same values, but for `leads`, which one has. Nobody accesses the eight bytes at
/// `counter` and the bytes at `to`, all of them in workgroup memory, until the next barrier. So many bytes can be read at `from`.
/// All are multiples of 16.
#[inline(always)]
pub(in crate::arch) unsafe fn copy_in_bulk(
    leads: bool,
    counter: *mut u8,
    to: *mut u8,
    from: *const u8,
    bytes: u32,
    meanwhile: impl FnOnce(),
) -> bool {
    // SAFETY: at group level.
    if version() < 900 || !is_global(from) || !unsafe { barrier_any(0, leads) } {
        return false;
    }
    if leads {
        // SAFETY: counter and target are workgroup memory that nobody accesses until the next barrier, and so much can be read at
        // `from`, as this function asks; the one thread that leads is here, and `from` was just seen to be global.
        unsafe { begin(counter, to, from, bytes) };
    }
    meanwhile();
    if leads {
        // SAFETY: it was begun.
        unsafe { wait(counter) };
    }
    true
}

/// # Safety
/// As above, on one thread.
#[inline(always)]
unsafe fn begin(counter: *mut u8, to: *mut u8, from: *const u8, bytes: u32) {
    // The fence lets the copy come behind what the threads did with both memories before the barrier, and behind the first line.
    // SAFETY: counter and target are workgroup memory that nobody accesses until the next barrier, and so much can be read at
    // `from`, as this function asks. What is written counts as changed by the assembly that waits.
    unsafe {
        asm!(
            "cvta.to.shared.u64 {counter}, {counter};",
            "cvta.to.shared.u64 {to}, {to};",
            "cvta.to.global.u64 {from}, {from};",
            "mbarrier.init.shared.b64 [{counter}], 1;",
            "fence.proxy.async;",
            "mbarrier.arrive.expect_tx.shared.b64 _, [{counter}], {bytes};",
            "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [{to}], [{from}], {bytes}, [{counter}];",
            counter = inout(reg64) counter => _,
            to = inout(reg64) to => _,
            from = inout(reg64) from => _,
            bytes = in(reg32) bytes,
        );
    }
}

/// # Safety
/// On the thread that began.
#[inline(always)]
unsafe fn wait(counter: *mut u8) {
    let mut is_done = 0_u32;
    while is_done == 0 {
        // SAFETY: it looks at the counter, for a while.
        unsafe {
            asm!(
                "{{ .reg .pred is_done; .reg .b64 counter;",
                "cvta.to.shared.u64 counter, {counter};",
                "mbarrier.try_wait.parity.shared.b64 is_done, [counter], 0;",
                "selp.u32 {is_done}, 1, 0, is_done; }}",
                counter = in(reg64) counter,
                is_done = out(reg32) is_done,
            );
        }
    }
    // SAFETY: the copy has ended, and no other thread knows the counter: its bytes are memory again.
    unsafe {
        asm!(
            "cvta.to.shared.u64 {counter}, {counter};",
            "mbarrier.inval.shared.b64 [{counter}];",
            counter = inout(reg64) counter => _,
        );
    }
}
