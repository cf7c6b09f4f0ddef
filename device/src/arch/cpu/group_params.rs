use gridwright_core::ParamList;

use super::group_shape::GroupShape;
use super::group_view::GroupView;
use crate::Group;

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

gridwright_core::for_tuples!(24, parameters, values);
