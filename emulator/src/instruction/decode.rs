//! Opcodes to families.

use std::collections::HashMap;

use super::code::{FunctionCode, Names, Pool};
use super::decoder::{Decoded, Decoder};
use super::{
    arithmetic, async_copy, async_store, atomic, bits, bulk_copy, carry, compare, control, convert, fence,
    float, half_float, matrix, mbarrier, memory, modifiers, moves, packed, texture, video, video_vector,
    warp,
};
use crate::parse::ParseError;
use crate::parse::syntax::{Body, Function, Type};

/// Decodes one function.
///
/// # Errors
/// Where an instruction or an operand isn't understood.
pub(crate) fn decode<'s>(
    function: &Function<'s>,
    body: &Body<'s>,
    names: &Names<'s>,
    pool: &mut Pool,
    caches: &mut u32,
    scoped: &HashMap<(&'s str, u32), u32>,
) -> Result<FunctionCode, ParseError> {
    let mut decoder = Decoder::new(function, body, names, pool, caches, scoped)?;
    for instruction in &body.instructions {
        decoder.begin(instruction);
        modifiers::arrange(&mut decoder.parts);
        let action = family(&mut decoder)?;
        decoder.push(action)?;
    }
    decoder.end()
}

fn family(decoder: &mut Decoder<'_, '_>) -> Decoded {
    match decoder.parts[0] {
        "mov" | "cvta" | "isspacep" => moves::decode(decoder),
        "add" | "sub" | "mul" | "mad" | "mul24" | "mad24" | "sad" | "div" | "rem" | "abs" | "neg" | "min"
        | "max" | "fma" => {
            if decoder.parts.contains(&"cc") {
                return carry::decode(decoder);
            }
            match decoder.value_type()? {
                Type::Float(32 | 64) => float::decode(decoder),
                Type::Float(_) | Type::BFloat | Type::HalfPair | Type::BFloatPair => {
                    half_float::decode(decoder)
                }
                Type::UnsignedPair | Type::SignedPair => packed::decode(decoder),
                _ => arithmetic::decode(decoder),
            }
        }
        "addc" | "subc" | "madc" => carry::decode(decoder),
        "and" | "or" | "xor" | "not" | "cnot" | "shl" | "shr" | "shf" | "lop3" | "bfe" | "bfi" | "brev"
        | "clz" | "popc" | "bfind" | "fns" | "prmt" | "bmsk" | "szext" | "dp4a" | "dp2a" => {
            bits::decode(decoder)
        }
        "vadd" | "vsub" | "vabsdiff" | "vmin" | "vmax" | "vshl" | "vshr" | "vmad" | "vset" => {
            video::decode(decoder)
        }
        "vadd2" | "vsub2" | "vavrg2" | "vabsdiff2" | "vmin2" | "vmax2" | "vset2" | "vadd4" | "vsub4"
        | "vavrg4" | "vabsdiff4" | "vmin4" | "vmax4" | "vset4" => video_vector::decode(decoder),
        "rcp" | "sqrt" | "rsqrt" | "sin" | "cos" | "lg2" | "copysign" | "testp" => float::decode(decoder),
        "ex2" | "tanh" => match decoder.value_type()? {
            Type::Float(32) => float::decode(decoder),
            _ => half_float::decode(decoder),
        },
        "set" | "setp" | "selp" | "slct" => compare::decode(decoder),
        "mma" | "wmma" | "wgmma" | "ldmatrix" | "stmatrix" | "movmatrix" => matrix::decode(decoder),
        "cvt" => convert::decode(decoder),
        "st" if decoder.parts.get(1) == Some(&"async") => async_store::decode(decoder),
        "ld" | "ldu" | "st" | "prefetch" | "prefetchu" | "discard" | "applypriority" => {
            memory::decode(decoder)
        }
        "createpolicy" => memory::policy(decoder),
        "tex" | "tld4" | "txq" | "suld" | "sust" | "sured" | "suq" | "istypep" => texture::decode(decoder),
        "red" if decoder.parts.get(1) == Some(&"async") => async_store::decode(decoder),
        "atom" | "red" => atomic::decode(decoder),
        "mapa" | "getctarank" => moves::decode(decoder),
        "cp" if decoder.parts.contains(&"bulk") => bulk_copy::decode(decoder),
        "tensormap" => bulk_copy::decode(decoder),
        "cp" => async_copy::decode(decoder),
        "mbarrier" => mbarrier::decode(decoder),
        "bra" | "brx" | "call" | "ret" | "exit" | "trap" | "brkpt" | "nanosleep" | "pmevent"
        | "griddepcontrol" | "setmaxnreg" | "bar" | "barrier" => control::decode(decoder),
        "fence" | "membar" => fence::decode(decoder),
        "shfl" | "vote" | "match" | "redux" | "elect" | "activemask" => warp::decode(decoder),
        _ => Err(decoder.unknown()),
    }
}
