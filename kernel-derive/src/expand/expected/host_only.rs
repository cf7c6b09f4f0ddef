#[cfg(not(any(target_arch = "nvptx64", target_arch = "amdgpu")))]
fn main() {}
