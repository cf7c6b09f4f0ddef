const _: () = {
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::size_of::<Body>()
            == 0 + ::gridwright::__private::core::mem::size_of::<[f32; 3]>()
                + ::gridwright::__private::core::mem::size_of::<f32>(),
        "`Body` has padding between or behind its fields: order the fields from the largest to the smallest, or fill the gap with a field such as `_pad: u32`"
    );
    const _: () = ::gridwright::__private::core::assert!(
        ::gridwright::__private::core::mem::align_of::<Body>() <= ::gridwright::__private::MOST_ALIGNMENT,
        "`Body` is aligned to more than 64 bytes, and a buffer needn't begin at a multiple of more: take a smaller `align`"
    );
    #[allow(dead_code)]
    fn __fields(__struct: &Body) {
        let Body { position: field_0, mass: field_1 } = __struct;
        ::gridwright::__private::field::<[f32; 3], _>(field_0);
        ::gridwright::__private::field::<f32, _>(field_1);
    }
    unsafe impl ::gridwright::__private::bytemuck::Zeroable for Body {}
    unsafe impl ::gridwright::__private::bytemuck::Pod for Body {}
    unsafe impl ::gridwright::__private::KernelArg for Body {
        const LAYOUT: ::gridwright::__private::Layout = ::gridwright::__private::Layout::field(
            ::gridwright::__private::Layout::field(
                ::gridwright::__private::Layout::structure(
                    ::gridwright::__private::core::mem::size_of::<Body>(),
                    ::gridwright::__private::core::mem::align_of::<Body>(),
                ),
                ::gridwright::__private::core::mem::offset_of!(Body, position),
                ::gridwright::__private::Layout::of::<[f32; 3]>(),
            ),
            ::gridwright::__private::core::mem::offset_of!(Body, mass),
            ::gridwright::__private::Layout::of::<f32>(),
        );
    }
    unsafe impl ::gridwright::__private::ArrayElement for Body {}
};
