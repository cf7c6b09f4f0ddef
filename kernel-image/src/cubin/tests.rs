use crate::{Entry, Format, Image, Parameter};

const CUBINS: [(&str, &[u8]); 2] = [
    ("sm_80", include_bytes!("../fixtures/two.sm_80.cubin")),
    ("sm_100", include_bytes!("../fixtures/two.sm_100.cubin")),
];

fn entry(name: &str, parameters: &[(u32, u32)]) -> Entry {
    let parameters = parameters.iter().map(|&(offset, size)| Parameter { offset, size }).collect();
    Entry { name: name.to_owned(), parameters }
}

#[test]
fn nvccs_cubins_are_read() {
    for (architecture, bytes) in CUBINS {
        let mut image = Image::read(bytes).unwrap();
        assert_eq!((image.format, &*image.architecture), (Format::Cubin, architecture));
        image.entries.sort_by(|a, b| a.name.cmp(&b.name));
        // Those of `fixtures/two.cu`.
        let expected = [
            entry("_Z7mangled4PairhPf", &[(0, 16), (16, 1), (24, 8)]),
            entry("saxpy", &[(0, 4), (4, 4), (8, 8), (16, 8)]),
        ];
        assert_eq!(image.entries, expected);
    }
}

#[test]
fn damaged_cubins_never_panic() {
    for (_, bytes) in CUBINS {
        for len in 0..bytes.len() {
            let _ = Image::read(&bytes[..len]);
        }
        let mut damaged = bytes.to_vec();
        for at in 0..damaged.len() {
            for value in [0x00, 0x7f, 0xff] {
                let old = std::mem::replace(&mut damaged[at], value);
                let _ = Image::read(&damaged);
                damaged[at] = old;
            }
        }
    }
}

#[test]
fn sections_whose_heads_overlap_are_malformed() {
    for (_, bytes) in CUBINS {
        let mut damaged = bytes.to_vec();
        for size in [0_u16, 1, 63] {
            damaged[58..60].copy_from_slice(&size.to_le_bytes());
            assert!(Image::read(&damaged).is_err(), "heads of {size} bytes");
        }
    }
}
