//! What this crate leaves out of PTX, and why: the one list, from which errors about unknown instructions are made.
//!
//! An instruction that isn't in the list and isn't understood has a form that PTX doesn't have, or that nobody thought of.

/// Instructions that begin in one way.
struct LeftOut {
    /// What the opcode begins with, up to a dot or its end.
    begins: &'static str,
    /// A modifier that it has, or nothing.
    with: &'static str,
    why: &'static str,
}

const NEEDS_BLACKWELL: &str = "it needs a target that isn't emulated: sm_100a, sm_120a or their families";
const NO_DYNAMIC_STACK: &str = "local memory of a size that is known at run time only isn't emulated";

const IM2COL: &str = "tiles of tensors are rectangles; windows of convolutions (im2col) aren't emulated";

/// In the order in which they are looked at: the first that fits is told.
const LIST: &[LeftOut] = &[
    LeftOut { begins: "tcgen05", with: "", why: NEEDS_BLACKWELL },
    LeftOut { begins: "clusterlaunchcontrol", with: "", why: NEEDS_BLACKWELL },
    LeftOut { begins: "st.bulk", with: "", why: NEEDS_BLACKWELL },
    LeftOut { begins: "alloca", with: "", why: NO_DYNAMIC_STACK },
    LeftOut { begins: "stacksave", with: "", why: NO_DYNAMIC_STACK },
    LeftOut { begins: "stackrestore", with: "", why: NO_DYNAMIC_STACK },
    LeftOut {
        begins: "fma",
        with: "oob",
        why: "what a tensor's bounds leave behind isn't told from other numbers",
    },
    LeftOut { begins: "atom", with: "b128", why: "the host has no atomic operation of 128 bits" },
    LeftOut { begins: "cp.async.bulk.tensor.3d.shared::cluster.global.im2col", with: "", why: IM2COL },
    LeftOut { begins: "cp.async.bulk.tensor.4d.shared::cluster.global.im2col", with: "", why: IM2COL },
    LeftOut { begins: "cp.async.bulk.tensor.5d.shared::cluster.global.im2col", with: "", why: IM2COL },
    LeftOut { begins: "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs", with: "", why: IM2COL },
    LeftOut { begins: "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs", with: "", why: IM2COL },
    LeftOut { begins: "cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs", with: "", why: IM2COL },
    LeftOut {
        begins: "multimem",
        with: "",
        why: "memory of several devices under one address isn't emulated",
    },
];

/// Why a texture isn't compared with a depth.
pub(crate) const DEPTHS: &str = "textures of depths come from graphics libraries only";

/// Why an opcode isn't understood, if it is left out on purpose.
pub(crate) fn reason(opcode: &str) -> Option<&'static str> {
    let fits = |begins: &str| {
        opcode.strip_prefix(begins).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let has = |modifier: &str| modifier.is_empty() || opcode.split('.').any(|part| part == modifier);
    LIST.iter().find(|entry| fits(entry.begins) && has(entry.with)).map(|entry| entry.why)
}

#[cfg(test)]
mod tests {
    use super::reason;

    #[test]
    fn an_instruction_is_left_out_with_all_its_modifiers() {
        assert!(reason("tcgen05.mma.cta_group::1.kind::f16").is_some());
        assert!(reason("st.bulk").is_some());
        assert!(reason("st.bulky").is_none());
        assert!(reason("st.global.u32").is_none());
        assert!(reason("fma.rn.oob.f16").is_some());
        assert!(reason("fma.rn.f16").is_none());
    }
}
