//! Fences: `membar` and `fence`.

use super::access::Level;
use super::decoder::{Decoded, Decoder};
use super::operation::Action;
use crate::parse::syntax::{Number, Operand};

pub(super) fn decode(decoder: &mut Decoder<'_, '_>) -> Decoded {
    let parts = decoder.parts.clone();
    match parts.as_slice() {
        ["membar", "cta"] => Ok(Action::Fence(Level::Group)),
        ["membar", "gl" | "sys"] => Ok(Action::Fence(Level::Device)),
        ["membar" | "fence", "proxy", rest @ ..] => between_proxies(decoder, rest),
        // Who tests a barrier is ordered behind its initialisation by another barrier.
        ["fence", "release", "cluster", "mbarrier_init"] => Ok(Action::Nothing),
        // It orders workgroup memory and `mbarrier` alone, for what is in them.
        ["fence", "acquire" | "release", "cluster", part] if part.starts_with("sync_restrict::") => {
            Ok(Action::Fence(Level::Group))
        }
        // A fence that only acquires, or only releases, is the stronger one here.
        ["fence", "sc" | "acq_rel" | "acquire" | "release", scope] | ["fence", scope] => match *scope {
            "cta" => Ok(Action::Fence(Level::Group)),
            "cluster" => Ok(Action::Fence(Level::Cluster)),
            "gpu" | "sys" => Ok(Action::Fence(Level::Device)),
            _ => Err(decoder.unknown()),
        },
        _ => Err(decoder.unknown()),
    }
}

/// Fences between ways to reach memory, which are one here. What a map of a tensor is acquired by stands in operands.
fn between_proxies(decoder: &Decoder<'_, '_>, parts: &[&str]) -> Decoded {
    let is_known = |part: &&str| {
        matches!(
            *part,
            "alias" | "async" | "acquire" | "release" | "cta" | "cluster" | "gpu" | "sys" | "global"
        ) || part.starts_with("async::generic")
            || part.starts_with("tensormap::generic")
            || part.starts_with("sync_restrict::")
            || part.starts_with("shared")
    };
    if !parts.iter().all(is_known) {
        return Err(decoder.unknown());
    }
    let acquires_map = parts.contains(&"acquire") && parts.contains(&"tensormap::generic");
    match decoder.operands() {
        [] if !acquires_map => Ok(Action::Nothing),
        [Operand::Address(..), Operand::Number(Number::Integer(128))] if acquires_map => Ok(Action::Nothing),
        _ => Err(decoder.unknown()),
    }
}
