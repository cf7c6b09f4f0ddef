use std::string::String;
use std::vec::Vec;

use crate::{Argument, Line, write_line};

fn line(format: &str, arguments: &[Argument<'_>]) -> String {
    let mut line = String::new();
    write_line(&mut line, format, arguments).unwrap();
    line
}

#[test]
fn arguments_stand_where_the_braces_were() {
    let arguments = [Argument::Signed(-1), Argument::Str("{}"), Argument::F32(0.5)];
    assert_eq!(line("a {} b {}{}", &arguments), "a -1 b {}0.5");
    assert_eq!(line("{{}} {{{}}}", &arguments[..1]), "{} {-1}");
    assert_eq!(line("ß{}ß", &arguments[2..]), "ß0.5ß");
    assert_eq!(line("", &[]), "");
}

#[test]
fn a_format_that_no_macro_checked_is_written_as_it_is() {
    assert_eq!(line("{} {x} {", &[]), "{} {x} {");
    assert_eq!(line("}é {", &[]), "}é {");
}

#[test]
fn values_are_the_same_behind_their_words() {
    let arguments = [
        Argument::Unsigned(u64::MAX),
        Argument::Signed(i64::MIN),
        Argument::Unsigned128(u128::MAX - 5),
        Argument::Signed128(i128::MIN + 5),
        Argument::F32(-0.0),
        Argument::F64(f64::MAX),
        Argument::Bool(true),
        Argument::Char('😀'),
        Argument::Str("text"),
    ];
    let mut kinds = Vec::new();
    for argument in arguments {
        let (kind, words) = argument.to_words();
        assert!(kind < 16 && !kinds.contains(&kind), "{argument:?}");
        kinds.push(kind);
        assert_eq!(Argument::from_words(kind, words, |_| "text"), Some(argument));
    }
    assert!(Line::MOST_ARGUMENTS * 4 <= u64::BITS as usize);
}

#[test]
fn words_that_no_value_has_are_no_value() {
    for (kind, words) in [(0, [1, 1]), (10, [0, 0]), (15, [0, 0]), (8, [0xd800, 0]), (8, [1 << 32, 0])] {
        assert_eq!(Argument::from_words(kind, words, |_| ""), None, "{kind}");
    }
}
