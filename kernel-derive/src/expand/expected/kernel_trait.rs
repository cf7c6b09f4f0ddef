#[doc = r" Sorted by it."]
pub trait Sort<V: Value>: gridwright::__private::core::marker::Sized + Key
where
    V: Copy,
{
    #[doc = r" Counts digits."]
    type Count: gridwright::__private::Instance<crate::radix::count<Self, crate::Wide<[crate::Digit; 2], V>>>;
}
#[doc(hidden)]
#[allow(unused_macros)]
#[macro_export]
macro_rules ! __gridwright_Sort_0 { ([$ ($ callback : tt) *] $ given : tt) => { $ ($ callback) * ! { $ given { (V) Count [$ crate :: radix :: count] [< Self , $ crate :: Wide < [$ crate :: Digit ; 2] , V > >] } } } ; }
#[doc(hidden)]
#[allow(unused_imports)]
pub use __gridwright_Sort_0 as Sort;
const _: () = {
    type __Implementor = Colour<f32>;
    #[allow(dead_code)]
    type __Argument0 = u32;
    const _: () = {
        #[allow(dead_code)]
        type V = __Argument0;
        library::radix::count! { [gridwright :: __private :: instance_of] { [gridwright] pub Sort_u32_Count_Colour_f32 library :: radix :: count < __Implementor , V > } }
        #[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
        impl library::Sort<u32> for __Implementor {
            type Count = Sort_u32_Count_Colour_f32;
        }
    };
};
