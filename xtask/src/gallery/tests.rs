use fs_err as fs;

use super::{FOLDER, MOST, PAGE, PICTURES, page};
use crate::workspace::Workspace;

#[test]
fn the_book_has_the_page_and_the_pictures() {
    let workspace = Workspace::find().expect("the workspace");
    let written = fs::read_to_string(workspace.root.join(PAGE)).expect("the page");
    assert_eq!(written, page(), "run `cargo xtask gallery`");
    for picture in PICTURES {
        let bytes = fs::read(workspace.root.join(FOLDER).join(picture.file())).expect("a picture");
        assert!(bytes.starts_with(b"\x89PNG"), "{} isn't a PNG file", picture.file());
        assert!(bytes.len() as u64 <= MOST, "{} has {} bytes", picture.file(), bytes.len());
    }
    let kept = fs::read_dir(workspace.root.join(FOLDER)).expect("the folder").count();
    assert_eq!(kept, PICTURES.len(), "pictures that nobody makes");
}

#[test]
fn a_section_has_the_picture_and_its_command() {
    let page = page();
    assert!(page.contains("![sobel](gallery/sobel.png)"));
    assert!(page.contains("--bin sobel -- \\\n    --most 240 --output sobel.png"));
}
