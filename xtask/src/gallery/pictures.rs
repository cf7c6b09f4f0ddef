/// A picture that an example makes.
pub(super) struct Picture {
    /// The example's file, below the examples' sources, without its ending.
    pub(super) path: &'static str,
    /// Arguments of the example, without that of the file.
    pub(super) arguments: &'static str,
    /// A sentence or two on what the picture shows.
    pub(super) shows: &'static str,
}

impl Picture {
    pub(super) fn example(&self) -> &'static str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    pub(super) fn file(&self) -> String {
        format!("{}.png", self.example())
    }
}

macro_rules! pictures {
    ($($path:literal $arguments:literal $shows:literal)*) => {
        &[$(Picture { path: $path, arguments: $arguments, shows: $shows }),*]
    };
}

/// The pictures, in the order of the page.
pub(super) const PICTURES: &[Picture] = pictures! {
    "samples/sobel" "--most 240"
        "The edges of a photograph: how steeply the brightness changes at each pixel."
    "samples/mandelbrot" "--rows 150 --cols 200"
        "A part of the Mandelbrot set, coloured by how soon z² + c runs away."
    "samples/nbody" "--len 4096 --steps 100"
        "Two discs of 2048 bodies each after a hundred steps of pulling on each other."
    "bin/particles" "--len 3000 --steps 170 --cells 32"
        "Three thousand balls in a box, as their column falls apart; the nearer ones are brighter."
    "bin/bilateral_filter" "--most 180 --radius 8"
        "A blur that stops at edges: the fur is smooth, and the eyes are still sharp."
    "bin/image_denoising" "--most 90"
        "A noisy photograph, what the nearest neighbours in colour make of it (KNN), and what patches that look alike do (NLM)."
    "bin/recursive_gaussian" "--most 190 --sigma 3 --order 1"
        "The photograph's mixed first derivative at a scale of three pixels, by Deriche's recursive filter; grey is zero."
    "bin/box_filter" "--most 220 --radius 4 --times 3"
        "The mean over a square, three times over, which comes near to a Gaussian blur."
    "bin/simple_texture" "--most 180"
        "The photograph rotated by half a radian; the texture filters between pixels and repeats beyond its edges."
    "bin/convolution_separable" "--rows 240 --cols 240"
        "Rings that get finer away from the corner, blurred along rows and then along columns: the fine ones are gone."
    "bin/dct8x8" "--rows 200 --cols 200"
        "Rings that went through JPEG's cosine transform and back: where they are fine, the blocks of 8 × 8 pixels show."
    "bin/fdtd3d" "--size 96 --steps 12"
        "The middle plane of a volume after twelve steps of a stencil that reaches four elements along each axis."
};
