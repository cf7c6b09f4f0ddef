/// A picture that an example makes.
pub(super) struct Picture {
    pub(super) example: &'static str,
    /// Folder of the example's file, below the examples' sources.
    pub(super) folder: &'static str,
    /// Arguments of the example, without that of the file.
    pub(super) arguments: &'static [&'static str],
    /// A sentence or two on what the picture shows.
    pub(super) shows: &'static str,
}

impl Picture {
    pub(super) fn file(&self) -> String {
        format!("{}.png", self.example)
    }
}

/// The pictures, in the order of the page.
pub(super) const PICTURES: &[Picture] = &[
    Picture {
        example: "sobel",
        folder: "samples",
        arguments: &["--most", "240"],
        shows: "The edges of a photograph: how steeply the brightness changes at each pixel.",
    },
    Picture {
        example: "mandelbrot",
        folder: "samples",
        arguments: &["--rows", "150", "--cols", "200"],
        shows: "A part of the Mandelbrot set, coloured by how soon z² + c runs away.",
    },
    Picture {
        example: "nbody",
        folder: "samples",
        arguments: &["--len", "4096", "--steps", "100"],
        shows: "Two discs of 2048 bodies each after a hundred steps of pulling on each other.",
    },
    Picture {
        example: "particles",
        folder: "bin",
        arguments: &["--len", "3000", "--steps", "170", "--cells", "32"],
        shows: "Three thousand balls in a box, as their column falls apart; the nearer ones are brighter.",
    },
    Picture {
        example: "bilateral_filter",
        folder: "bin",
        arguments: &["--most", "180", "--radius", "8"],
        shows: "A blur that stops at edges: the fur is smooth, and the eyes are still sharp.",
    },
    Picture {
        example: "image_denoising",
        folder: "bin",
        arguments: &["--most", "90"],
        shows: "A noisy photograph, what the nearest neighbours in colour make of it (KNN), and what patches that look alike do \
                (NLM).",
    },
    Picture {
        example: "recursive_gaussian",
        folder: "bin",
        arguments: &["--most", "190", "--sigma", "3", "--order", "1"],
        shows: "The photograph's mixed first derivative at a scale of three pixels, by Deriche's recursive filter; grey is zero.",
    },
    Picture {
        example: "box_filter",
        folder: "bin",
        arguments: &["--most", "220", "--radius", "4", "--times", "3"],
        shows: "The mean over a square, three times over, which comes near to a Gaussian blur.",
    },
    Picture {
        example: "simple_texture",
        folder: "bin",
        arguments: &["--most", "180"],
        shows: "The photograph rotated by half a radian; the texture filters between pixels and repeats beyond its edges.",
    },
    Picture {
        example: "convolution_separable",
        folder: "bin",
        arguments: &["--rows", "240", "--cols", "240"],
        shows: "Rings that get finer away from the corner, blurred along rows and then along columns: the fine ones are gone.",
    },
    Picture {
        example: "dct8x8",
        folder: "bin",
        arguments: &["--rows", "200", "--cols", "200"],
        shows: "Rings that went through JPEG's cosine transform and back: where they are fine, the blocks of 8 × 8 pixels show.",
    },
    Picture {
        example: "fdtd3d",
        folder: "bin",
        arguments: &["--size", "96", "--steps", "12"],
        shows: "The middle plane of a volume after twelve steps of a stencil that reaches four elements along each axis.",
    },
];
