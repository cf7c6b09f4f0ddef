const _: () = {
    const _: () = ::core::assert!(
        ::core::mem::size_of::<Body>()
            == 0 + ::core::mem::size_of::<[f32; 3]>() + ::core::mem::size_of::<f32>(),
        "`Body` has padding between or behind its fields: order the fields from the largest to the smallest, or fill the gap with a field such as `_pad: u32`"
    );
    const _: () = ::core::assert!(
        ::core::mem::size_of::<Body>() > 0,
        "`Body` has no bytes: give it a field that has some"
    );
    const _: () = ::core::assert!(
        ::core::mem::align_of::<Body>() <= ::gridwright::__private::MOST_ALIGNMENT,
        "`Body` is aligned to more than 64 bytes, and a buffer needn't begin at a multiple of more: take a smaller `align`"
    );
    unsafe impl ::gridwright::__private::bytemuck::Zeroable for Body {}
    unsafe impl ::gridwright::__private::bytemuck::Pod for Body {}
    unsafe impl ::gridwright::__private::KernelArg for Body {
        const LAYOUT: ::gridwright::__private::Layout = ::gridwright::__private::Layout::structure(
            ::core::mem::size_of::<Body>(),
            ::core::mem::align_of::<Body>(),
        )
        .field(::core::mem::offset_of!(Body, position), ::gridwright::__private::Layout::of::<[f32; 3]>())
        .field(::core::mem::offset_of!(Body, mass), ::gridwright::__private::Layout::of::<f32>());
    }
    unsafe impl ::gridwright::__private::ArrayElement for Body {}
};
