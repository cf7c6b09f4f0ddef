//! A kernel's first parameter: the thread, the group, the cluster or the grid whose code the body is.

use syn::{PatType, Safety, Signature, Type};

use super::parameters::name;
use super::types;
use crate::messages;
use crate::model::Level;
use crate::report::Report;

/// What a parameter is, as far as its type's spelling tells.
#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Thread,
    Group,
    Cluster,
    Grid,
    Other,
}

/// Looks for the thread, the group or the grid in front and for others behind it. Returns the level, if there is one,
/// and the parameters that are none of these.
pub(super) fn level<'a>(
    signature: &Signature,
    typed: &[&'a PatType],
    report: &mut Report,
) -> (Option<Level>, Vec<&'a PatType>) {
    let is_unsafe = matches!(signature.safety, Safety::Unsafe(_));
    let mut found = Sort::Other;
    let mut level = None;
    let mut rest = Vec::new();
    for (position, &parameter) in typed.iter().enumerate() {
        let sort = sort(&parameter.ty);
        if sort == Sort::Other {
            rest.push(parameter);
        } else if found == Sort::Other {
            found = sort;
            if spelling(sort, &parameter.ty, report) && position > 0 {
                let message = match sort {
                    Sort::Group => messages::GROUP_NOT_FIRST,
                    Sort::Cluster => messages::CLUSTER_NOT_FIRST,
                    Sort::Grid => messages::GRID_NOT_FIRST,
                    _ => messages::THREAD_NOT_FIRST,
                };
                report.error(parameter, message);
            }
            let name = name(parameter, report);
            level = Some(match sort {
                Sort::Group => Level::Group(name),
                Sort::Cluster => Level::Cluster,
                Sort::Grid => Level::Grid,
                _ if is_unsafe => Level::UnsafeThread,
                _ => Level::Thread,
            });
        } else {
            report.error(
                parameter,
                match (found, sort) {
                    (Sort::Cluster, _) | (_, Sort::Cluster) => messages::CLUSTER_AND_ANOTHER,
                    (Sort::Grid, _) | (_, Sort::Grid) => messages::GRID_AND_ANOTHER,
                    (Sort::Group, Sort::Group) => messages::SECOND_GROUP,
                    (Sort::Group, _) => messages::THREAD_IN_GROUP_KERNEL,
                    (_, Sort::Group) => messages::GROUP_IN_THREAD_KERNEL,
                    _ => messages::SECOND_THREAD,
                },
            );
        }
    }
    if level.is_none() {
        match typed.first() {
            Some(first) => report.error(first, messages::MISSING_FIRST),
            None => report.error_at(signature.ident.span(), messages::MISSING_FIRST),
        }
    }
    (level, rest)
}

fn sort(ty: &Type) -> Sort {
    let ty = types::referent(ty);
    if types::is_thread(ty) {
        Sort::Thread
    } else if types::is_group(ty) {
        Sort::Group
    } else if types::is_cluster(ty) {
        Sort::Cluster
    } else if types::is_grid(ty) {
        Sort::Grid
    } else {
        Sort::Other
    }
}

/// Whether the first parameter's type is `Thread`, `&Group`, `&Cluster` or `&Grid`; otherwise the mistake is reported.
fn spelling(sort: Sort, ty: &Type, report: &mut Report) -> bool {
    let message = match (sort, types::plain(ty)) {
        (Sort::Thread, Type::Reference(_)) => messages::THREAD_REFERENCE,
        (Sort::Group | Sort::Cluster | Sort::Grid, Type::Reference(reference))
            if reference.mutability.is_none() =>
        {
            match types::plain(&reference.elem) {
                Type::Path(path)
                    if path.path.segments.last().is_some_and(|last| last.arguments.is_none()) =>
                {
                    return true;
                }
                _ if sort == Sort::Cluster => messages::CLUSTER_ARGUMENTS,
                _ if sort == Sort::Grid => messages::GRID_ARGUMENTS,
                _ => messages::GROUP_ARGUMENTS,
            }
        }
        (Sort::Group, _) => messages::GROUP_BY_VALUE,
        (Sort::Cluster, _) => messages::CLUSTER_BY_VALUE,
        (Sort::Grid, _) => messages::GRID_BY_VALUE,
        _ => return true,
    };
    report.error(ty, message);
    false
}
