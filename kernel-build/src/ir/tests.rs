use std::borrow::Cow;

use super::*;

const PROGRAM: &str = "declare void @f(i32) #0
define ptx_kernel void @k(ptr noundef nonnull align 4 captures(address, read_provenance) %p, i32 %n, ptr %q) #1 {
start:
  ret void
}

define internal void @\"g.1\"(i32 %n) {
  ret void
}
";

#[test]
fn functions_have_names_bodies_and_pointers() {
    let read: Vec<_> = functions(PROGRAM).collect();
    assert_eq!(read.iter().map(|(head, _)| name(head).unwrap()).collect::<Vec<_>>(), ["k", "g.1"]);
    assert_eq!(body(PROGRAM, "k").unwrap(), ["start:", "  ret void"]);
    assert_eq!(body(PROGRAM, "f"), None, "it is declared only");
    assert_eq!(read.iter().map(|(head, _)| is_kernel(head)).collect::<Vec<_>>(), [true, false]);
    let said: Vec<_> = pointers(read[0].0).collect();
    assert_eq!(said.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["%p", "%q"]);
    assert!(said[0].1.contains("align 4") && said[1].1.is_empty());
}

#[test]
fn bodies_are_rewritten_and_the_rest_stays() {
    assert!(matches!(rewritten(PROGRAM, |_, _| None), Cow::Borrowed(PROGRAM)));
    let other = rewritten(PROGRAM, |head, body| is_kernel(head).then(|| format!("; {} lines\n", body.len())));
    assert_eq!(other, PROGRAM.replacen("start:\n  ret void\n", "; 2 lines\n", 1));
    for end in (0..PROGRAM.len()).step_by(7) {
        let _ = rewritten(&PROGRAM[..end], |_, _| Some(String::new()));
    }
}
