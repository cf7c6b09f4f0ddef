use core::ops::Range;
use core::ptr;

use gridwright_core::{COLLECTIVE_BYTES, ParamList};

use super::group_context::{GroupContext, GroupOrigin, GroupShape, Lanes};
use super::group_view::GroupView;
use super::isa::in_isa;
use super::scratch::with_scratch;
use super::signature::GroupKernel;
use super::witness::GroupWitness;
use super::{Isa, LaunchSizes};
use crate::block::Block;
use crate::{Group, Memory};
use gridwright_core::Raw;

/// Byte that fills workgroup memory before a group runs: a float of such bytes is NaN, and an index out of
/// bounds, so that what a kernel forgot to write is seen, and nothing of another group is.
pub(super) const UNWRITTEN: u8 = 0xff;

/// Runs groups one after the other.
///
/// # Safety
/// - `arguments` points at a [`Raw<K>`] of live memory of its types. What is read, nobody writes until this returns;
///   what groups and their threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
/// - This machine has `isa`, and the kernel code for it.
/// - The groups are of the launch, whose geometry and workgroup memory were resolved for this kernel.
pub unsafe fn run_groups<K: GroupKernel>(
    isa: Isa,
    launch: &LaunchSizes,
    groups: Range<usize>,
    arguments: *const (),
) {
    // SAFETY: the pointer is at the kernel's raw arguments, which outlive the call, and this machine has `isa`: this function asks
    // for both, and for arguments and groups that `run` may have.
    unsafe {
        let arguments = &*arguments.cast::<Raw<K>>();
        in_isa!(K, isa, run::<K, ISA>(launch, groups, arguments));
    }
}

/// # Safety
/// As for `run_groups`, and this machine has the instruction set.
unsafe fn run<K: GroupKernel, const ISA: u8>(launch: &LaunchSizes, groups: Range<usize>, arguments: &Raw<K>) {
    let block = K::Block::of(launch.geometry.block);
    // SAFETY: the block is the launch's, which was resolved for this kernel, and this machine has `ISA`, as this function asks.
    let shape = unsafe { Lanes::<K, ISA>::new(block) };
    let bytes = launch.memory.bytes.saturating_sub(COLLECTIVE_BYTES);
    with_scratch(|scratch| {
        for number in groups {
            let origin = GroupOrigin::new(launch, number);
            let witness = GroupWitness::new(origin);
            let memory = scratch.take::<u8>(bytes);
            // SAFETY: there is room for so many bytes.
            unsafe { ptr::write_bytes(memory.as_ptr(), UNWRITTEN, bytes) };
            {
                let group = Group::new(GroupContext::new(shape, origin, scratch));
                // SAFETY: the arguments are at live memory, of which nobody else writes what is read or accesses what is owned, as
                // `run_groups` asks. The scratch aligns workgroup memory to 64 bytes; it is this group's, and as large as resolved.
                unsafe {
                    K::run(&group, arguments, Memory::new(memory.as_ptr(), &launch.memory.lens));
                }
            }
            scratch.reset();
            witness.dismiss();
        }
    });
}

/// The parameters of a group kernel's body: a tuple of [`GroupView`]s.
///
/// # Safety
/// `with` calls the body once.
pub unsafe trait GroupViews {
    /// What crosses from the host for all parameters.
    type Raw: Copy;
    /// What the kernel's body gets of the views.
    type Items<'k>;

    /// Calls the body with a group's parameters.
    ///
    /// # Safety
    /// As for [`with_parameters`].
    unsafe fn with<S: GroupShape>(
        group: &Group<'_, S>,
        raw: &Self::Raw,
        body: impl for<'k> FnOnce(Self::Items<'k>),
    );
}

/// Parameters that a group kernel can have.
pub trait GroupParams: ParamList<Passing: GroupViews<Raw = Self::Raw>> {}

impl<P: ParamList<Passing: GroupViews<Raw = P::Raw>>> GroupParams for P {}

/// Calls a group kernel's body with a group's parameters.
///
/// # Safety
/// `raw` points at live memory of its types. What is read, nobody writes until this returns; what the group and its
/// threads own, nobody else accesses; what is updated atomically, nobody accesses otherwise.
#[inline(always)]
pub unsafe fn with_parameters<P, S, F>(group: &Group<'_, S>, raw: &P::Raw, body: F)
where
    P: GroupParams,
    S: GroupShape,
    F: for<'k> FnOnce(<P::Passing as GroupViews>::Items<'k>),
{
    // SAFETY: `raw` points at live memory; nobody else writes what is read or accesses what is owned, as this function asks.
    unsafe { <P::Passing as GroupViews>::with(group, raw, body) }
}

macro_rules! parameters {
    ($($view:ident $name:ident $i:tt),*) => {
        // SAFETY: it does.
        unsafe impl<$($view: GroupView),*> GroupViews for ($($view,)*) {
            type Raw = ($($view::Raw,)*);
            type Items<'k> = ($($view::GroupItem<'k>,)*);

            #[inline(always)]
            #[allow(unused_unsafe, unused_variables, clippy::unused_unit)] // with no parameters
            unsafe fn with<S: GroupShape>(
                group: &Group<'_, S>,
                raw: &Self::Raw,
                body: impl for<'k> FnOnce(Self::Items<'k>),
            ) {
                let origin = group.context.place();
                // SAFETY: each parameter's memory is live, with its kind of access, while the body runs, as `with_parameters` asks.
                // A group gets an item once, and what is held for it outlives the body.
                unsafe {
                    $(let $name = $view::of_group(&raw.$i, &origin);)*
                    body(($($view::group_item(&$name),)*));
                }
            }
        }
    };
}

gridwright_core::for_tuples!(12, parameters, values);
