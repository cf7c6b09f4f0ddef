//! The order of an opcode's modifiers. An assembler takes them in any order, but for those of types, whose places say what they are
//! of: here they are brought into the one that the families know.

use super::small_float;
use crate::parse::syntax::Type;

const COMPARISONS: &[&str] = &[
    "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs", "equ", "neu", "ltu", "leu", "gtu", "geu",
    "num", "nan", "and", "or", "xor", "ftz",
];
const ARITHMETIC: &[&str] =
    &["lo", "hi", "wide", "cc", "approx", "full", "rn", "rz", "rm", "rp", "ftz", "sat", "relu"];
const FENCES: &[&str] =
    &["proxy", "sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "gl", "sys"];
const BARRIERS: &[&str] = &[
    "cta", "warp", "cluster", "sync", "arrive", "wait", "red", "popc", "and", "or", "release", "relaxed",
    "acquire", "aligned",
];
const MATRICES: &[&str] = &["sync", "aligned", "m8n8", "m8n16", "m16n16", "x1", "x2", "x4", "trans"];

/// The order of the modifiers of an instruction, in front of its types. Those that aren't named stand behind these, in the order of the
/// text. None where the text's order has a meaning, or where the family takes any.
fn order(name: &str) -> Option<&'static [&'static str]> {
    Some(match name {
        "set" | "setp" => COMPARISONS,
        "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "sad" | "div" | "rem" | "abs" | "neg" | "min"
        | "max" | "fma" | "addc" | "subc" | "madc" | "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2"
        | "ex2" | "tanh" | "copysign" | "testp" | "slct" | "selp" => ARITHMETIC,
        "fence" | "membar" => FENCES,
        "bar" | "barrier" => BARRIERS,
        "ldmatrix" | "stmatrix" | "movmatrix" => MATRICES,
        "shfl" | "vote" | "redux" | "elect" => &["sync"],
        "match" => &["any", "all", "sync"],
        "cvta" => &["to"],
        "shf" => &["l", "r", "wrap", "clamp"],
        "cvt" | "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "lop3" | "bfe" | "bfi" | "brev"
        | "clz" | "popc" | "bfind" | "fns" | "prmt" | "bmsk" | "szext" | "ld" | "ldu" | "st" | "atom"
        | "red" | "mov" | "nanosleep" | "alloca" | "mapa" | "getctarank" | "isspacep" | "mbarrier" => &[],
        // In bulk and with tensors the order tells the source from the target.
        _ => return None,
    })
}

/// Brings the parts of an opcode into the order that its family knows.
pub(super) fn arrange(parts: &mut [&str]) {
    let Some((name, modifiers)) = parts.split_first_mut() else { return };
    let Some(order) = order(name) else { return };
    let is_type = |part: &str| Type::parse(part).is_some() || small_float::is_small(part) || part == "tf32";
    let rank = |part: &&str| match order.iter().position(|known| known == part) {
        Some(rank) => rank,
        None if is_type(part) => usize::MAX,
        None => order.len(),
    };
    modifiers.sort_by_key(rank);
}

#[cfg(test)]
mod tests {
    use super::arrange;

    #[test]
    fn modifiers_come_in_front_of_types_and_types_keep_their_order() {
        let arranged = |text: &'static str| {
            let mut parts: Vec<&str> = text.split('.').collect();
            arrange(&mut parts);
            parts.join(".")
        };
        assert_eq!(arranged("cvt.f32.rn.u32"), "cvt.rn.f32.u32");
        assert_eq!(arranged("setp.ftz.f32.and.eq"), "setp.eq.and.ftz.f32");
        assert_eq!(arranged("fence.gpu.sc"), "fence.sc.gpu");
        assert_eq!(arranged("match.sync.any.b32"), "match.any.sync.b32");
        assert_eq!(arranged("ld.u32.global"), "ld.global.u32");
    }
}
