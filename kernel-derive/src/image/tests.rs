use super::{Entry, Image, Kind, read};

const PTX: &[u8] = include_bytes!("samples/two.ptx");
const CUBINS: [(&str, &[u8]); 2] = [
    ("sm_80", include_bytes!("samples/two.sm_80.cubin")),
    ("sm_100", include_bytes!("samples/two.sm_100.cubin")),
];

fn entry(name: &str, sizes: &[u64]) -> Entry {
    Entry { name: name.to_owned(), sizes: sizes.to_vec() }
}

/// The entries of `samples/two.cu`, by name.
fn entries(mut image: Image) -> Vec<Entry> {
    image.entries.sort_by(|a, b| a.name.cmp(&b.name));
    image.entries
}

fn expected() -> Vec<Entry> {
    vec![entry("_Z7mangled4PairhPf", &[16, 1, 8]), entry("saxpy", &[4, 4, 8, 8])]
}

#[test]
fn nvccs_ptx_is_read() {
    let image = read(PTX).unwrap();
    assert_eq!((image.kind, &*image.architecture), (Kind::Ptx, "sm_80"));
    assert_eq!(entries(image), expected());
}

#[test]
fn nvccs_cubins_are_read() {
    for (architecture, bytes) in CUBINS {
        let image = read(bytes).unwrap();
        assert_eq!((image.kind, &*image.architecture), (Kind::Cubin, architecture));
        assert_eq!(entries(image), expected());
    }
}

#[test]
fn ptx_is_read_however_it_is_written() {
    let image = read(
        b"// .version 1.0 .entry no(\n.version 8.7\n.target sm_90a, debug\n.address_size 64\n\
          .global .align 1 .b8 text[9] = {1};\n/* .entry no() */ .visible .entry none\n{ ret; }\n\
          .entry all(.param .u64 .ptr .global .align 4 a, .param .align 8 .b8 b[24], .param.f64 c,\n\t.param .b8 d)\n\
          .maxntid 32, 1, 1\n{ .loc 1 2 3 \"a .entry no(\" ret; }\n.visible .entry empty() { ret; }",
    );
    let image = image.unwrap();
    assert_eq!(image.architecture, "sm_90a");
    assert_eq!(image.entries, [entry("none", &[]), entry("all", &[8, 24, 8, 1]), entry("empty", &[])]);
}

#[test]
fn what_is_no_image_is_said() {
    for (bytes, said) in [
        (&b""[..], "no `.version`"),
        (b"fn main() {}", "no `.version`"),
        (b".version 8.0 .target sm_80 .entry k(.param .what x) {}", "can't be read"),
        (b".version 8.0 .target sm_80 .entry k(.param .u32 x", "can't be read"),
        (b"\x7fELF", "not a whole cubin"),
        (&[0xff, 0xfe, 0], "neither PTX nor a cubin"),
    ] {
        let reason = read(bytes).unwrap_err();
        assert!(reason.contains(said), "{reason}");
    }
}

#[test]
fn damaged_images_never_panic() {
    for bytes in CUBINS.iter().map(|(_, bytes)| *bytes).chain([PTX]) {
        for len in 0..bytes.len() {
            let _ = read(&bytes[..len]);
        }
        let mut damaged = bytes.to_vec();
        for at in 0..damaged.len() {
            for value in [0x00, 0x7f, 0xff] {
                let old = std::mem::replace(&mut damaged[at], value);
                let _ = read(&damaged);
                damaged[at] = old;
            }
        }
    }
}
