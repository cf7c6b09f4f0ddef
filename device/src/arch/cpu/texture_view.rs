//! Textures and surfaces as parameters.

use gridwright_core::{RawTexture, Texel};

use super::group_view::{GroupPlace, GroupView};
use super::thread_view::ThreadView;
use super::{Chunk, Facts, Identity, LaunchId, Rect, Texels};
use crate::texture::{Dimension, OwnTexels, ReadTexture, Surface, Texture};

// SAFETY: no facts.
unsafe impl<T: Texel, D: Dimension> ThreadView for ReadTexture<T, D> {
    type Raw = RawTexture;
    type Arg = RawTexture;
    type Sizes = ();
    type Item<'i> = &'i Texture<T, D>;
    type Open = Texture<T, D>;

    #[inline(always)]
    unsafe fn window(raw: &RawTexture, _: &Chunk<'_>) -> (RawTexture, ()) {
        (*raw, ())
    }

    fn interior(_: &RawTexture, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: RawTexture, (): ()) -> Texture<T, D> {
        // SAFETY: the texels are live, and nobody writes them while the argument lives, as `window` asks.
        unsafe { Texture::new(Texels::of(&arg), arg.extent, arg.sampling) }
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut Texture<T, D>, _: Identity<'_>) -> &'i Texture<T, D> {
        let pointer: *const Texture<T, D> = open;
        // SAFETY: the texture outlives the body's call, which is all that 'i stands for.
        unsafe { &*pointer }
    }

    #[inline(always)]
    unsafe fn assume(_: &Texture<T, D>, _: Identity<'_>, _: Facts) {}
}

// SAFETY: no facts.
unsafe impl<T: Texel, D: Dimension> ThreadView for OwnTexels<T, D> {
    type Raw = RawTexture;
    type Arg = RawTexture;
    type Sizes = ();
    type Item<'i> = Surface<'i, T, D>;
    type Open = RawTexture;

    #[inline(always)]
    unsafe fn window(raw: &RawTexture, _: &Chunk<'_>) -> (RawTexture, ()) {
        (*raw, ())
    }

    fn interior(_: &RawTexture, _: &Chunk<'_>) -> Rect {
        Rect::ALL
    }

    #[inline(always)]
    fn open(arg: RawTexture, (): ()) -> RawTexture {
        arg
    }

    #[inline(always)]
    unsafe fn item<'i>(open: &mut RawTexture, thread: Identity<'_>) -> Surface<'i, T, D> {
        // SAFETY: the texels are live, and the launch's threads alone access them, as `window` asks. The launcher refused a launch
        // of more dimensions, so that each thread has its own.
        unsafe { Surface::new(Texels::of(open), open.extent, thread.launch_id()) }
    }

    #[inline(always)]
    unsafe fn assume(_: &RawTexture, _: Identity<'_>, _: Facts) {}
}

// SAFETY: it is only read.
unsafe impl<T: Texel, D: Dimension> GroupView for ReadTexture<T, D> {
    type Raw = RawTexture;
    type Held = Texture<T, D>;
    type GroupItem<'k> = &'k Texture<T, D>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawTexture, _: &GroupPlace) -> Texture<T, D> {
        // SAFETY: the texels are live, and nobody writes them while the body runs, as this function asks.
        unsafe { Texture::new(Texels::of(raw), raw.extent, raw.sampling) }
    }

    #[inline(always)]
    unsafe fn group_item<'k>(held: &Texture<T, D>) -> &'k Texture<T, D> {
        let pointer: *const _ = held;
        // SAFETY: the texture outlives 'k, as this function asks, and nobody changes it.
        unsafe { &*pointer }
    }
}

// SAFETY: a thread's position is its own in a launch of the surface's dimensions.
unsafe impl<T: Texel, D: Dimension> GroupView for OwnTexels<T, D> {
    type Raw = RawTexture;
    type Held = (RawTexture, LaunchId);
    type GroupItem<'k> = Surface<'k, T, D>;

    #[inline(always)]
    unsafe fn of_group(raw: &RawTexture, place: &GroupPlace) -> Self::Held {
        (*raw, place.launch)
    }

    #[inline(always)]
    unsafe fn group_item<'k>((raw, launch): &Self::Held) -> Surface<'k, T, D> {
        // SAFETY: it lets threads write their own texels only.
        unsafe { Surface::new(Texels::of(raw), raw.extent, *launch) }
    }
}
