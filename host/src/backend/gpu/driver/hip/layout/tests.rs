use gridwright_core::{Image, ImageEntry, ImageKind, ImageParameter};

use super::difference;

/// A code object built by clang from C with a struct of 16 bytes by value.
/// The runtime fills in more of `saxpy`'s arguments.
const CLANGS: &[u8] =
    include_bytes!("../../../../../../../kernel-image/src/fixtures/two.gfx11-generic.hsaco");
/// A code object built by rustc from a kernel `demo(f32, *mut f32, usize)`.
const RUSTCS: &[u8] = include_bytes!("../../../../../../../kernel-image/src/fixtures/demo.gfx942.hsaco");

fn differs(bytes: &'static [u8], name: &'static str, table: &[(u32, u32)]) -> Option<String> {
    let parameter = |&(offset, size): &(u32, u32)| ImageParameter { offset, size };
    let parameters = Vec::leak(table.iter().map(parameter).collect());
    let entries = Vec::leak(vec![ImageEntry { name, path: name, parameters, layout: &[], parts: &[] }]);
    difference(
        &Image {
            architecture: "gfx1100",
            compiled_for: "gfx1100",
            kind: ImageKind::CodeObject,
            bytes,
            entries,
            panics: &[],
        },
        name,
    )
}

#[test]
fn parameters_like_those_of_the_table_are_fine() {
    assert_eq!(differs(RUSTCS, "demo", &[(0, 4), (8, 8), (16, 8)]), None);
    assert_eq!(differs(CLANGS, "saxpy", &[(0, 4), (4, 4), (8, 8), (16, 8)]), None);
    assert_eq!(differs(CLANGS, "_Z7mangled4PairhPf", &[(0, 16), (16, 1), (24, 8)]), None);
}

#[test]
fn what_differs_is_told() {
    for (table, said) in [
        (&[(0, 4), (8, 8)][..], "has 3 parameters, not 2"),
        (&[(0, 4), (8, 8), (16, 8), (24, 4)], "has 3 parameters, not 4"),
        (&[], "has 3 parameters, not 0"),
        (&[(0, 8), (8, 8), (16, 8)], "parameter 0 of the image's entry has 4 bytes at offset 0, not 8 at 0"),
        (&[(0, 4), (4, 8), (16, 8)], "parameter 1 of the image's entry has 8 bytes at offset 8, not 8 at 4"),
        (
            &[(0, 4), (8, 8), (16, 4)],
            "parameter 2 of the image's entry has 8 bytes at offset 16, not 4 at 16",
        ),
    ] {
        assert_eq!(
            differs(RUSTCS, "demo", table).as_deref().map(|text| text.contains(said)),
            Some(true),
            "{said}"
        );
    }
}

#[test]
fn another_code_object_is_told() {
    let said = differs(RUSTCS, "saxpy", &[(0, 4)]).unwrap();
    assert!(said.contains("no kernel `saxpy`"), "{said}");
    let said = differs(&RUSTCS[..RUSTCS.len() / 2], "demo", &[(0, 4)]).unwrap();
    assert!(said.contains("corrupted"), "{said}");
    assert!(differs(b"", "demo", &[]).is_some());
}
