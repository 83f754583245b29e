use super::*;

/// A file with two functions and the output of the first one.
const FILE: &str = "\
// RUN: tool %s > %output

// Negates.

func @neg(%a) {
  a {
  }
}
// OUTPUT @neg:
//   load
//     loop 1
//
//   store

// Halves, as @half does.

func @half_of_it(%a) {
}

func @half(%a) {
}
";

const NEG: &str = "@neg:\nload\n  loop 1\n\nstore\n";

/// Accepting `output` turns the first text into the second, which it leaves as it is.
#[track_caller]
fn check(text: &str, output: &str, expect: &str) {
    assert_eq!(accept(text, output).as_deref(), Ok(expect));
    assert_eq!(accept(expect, output).as_deref(), Ok(expect));
}

#[test]
fn an_equal_output_changes_nothing() {
    check(FILE, NEG, FILE);
    check(FILE, "@neg: \nload  \n  loop 1\n \nstore", FILE);
}

#[test]
fn a_different_line_is_replaced() {
    for (line, other) in [
        ("load", "load 1"),
        ("  loop 1", "  loop 10"),
        ("  loop 1", "loop 1"),
        ("store", ""),
    ] {
        let output = NEG.replace(line, other);
        let comment = |line: &str| format!("//   {line}").trim_end().to_owned() + "\n";
        check(
            FILE,
            &output,
            &FILE.replace(&comment(line), &comment(other)),
        );
    }
}

#[test]
fn missing_lines_are_removed_and_others_added() {
    let longer = FILE.replace("//   store\n", "//   store\n//   last\n");
    let shorter = FILE.replace("//   load\n", "");
    check(FILE, "@neg:\nload\n  loop 1\n\nstore\nlast\n", &longer);
    check(FILE, "@neg:\n  loop 1\n\nstore\n", &shorter);
    check(&longer, NEG, FILE);
    check(&shorter, NEG, FILE);
}

#[test]
fn a_new_section_stands_below_the_operation_of_its_name() {
    let expect = format!("{FILE}// OUTPUT @half:\n//   mul\n");
    check(FILE, &format!("{NEG}@half:\nmul\n"), &expect);
    // The last line may lack its end.
    check(FILE.trim_end(), &format!("{NEG}@half:\nmul\n"), &expect);
    let function = "func @half_of_it(%a) {\n}\n";
    check(
        FILE,
        &format!("{NEG}@half_of_it:\n"),
        &FILE.replace(function, &format!("{function}// OUTPUT @half_of_it:\n")),
    );
}

#[test]
fn a_new_section_of_no_operation_stands_at_the_end() {
    check(
        FILE,
        &format!("{NEG}@a:\nmul\n"),
        &format!("{FILE}\n// OUTPUT @a:\n//   mul\n"),
    );
}

#[test]
fn a_section_without_output_is_removed() {
    let start = FILE.find("// OUTPUT").expect("there is one");
    let end = FILE.find("\n// Halves,").expect("there is one");
    let half = "func @half(%a) {\n}\n";
    let without = format!("{}{}", &FILE[..start], &FILE[end..]);
    check(
        FILE,
        "@half:\n",
        &without.replace(half, &format!("{half}// OUTPUT @half:\n")),
    );
}

#[test]
fn sections_can_follow_each_other() {
    let text = "// OUTPUT @a:\n//   1\n// OUTPUT @b:\n//   2\n";
    check(text, "@a:\n1\n@b:\n2\n", text);
    check(text, "@b:\n2\n@a:\n3\n", &text.replace('1', "3"));
}

#[test]
fn what_cannot_be_placed_is_an_error() {
    let check = |text: &str, output: &str, expect: &str| {
        assert_eq!(
            accept(text, output).map_err(|e| e.to_string()),
            Err(expect.to_owned())
        );
    };
    check(FILE, "", "nothing was written to %output");
    check(
        FILE,
        "module {\n@a:\n",
        "the output begins with 'module {'; expected a line '@name:', which begins a section",
    );
    check(FILE, "@a:\n@b:\n@a:\n", "the output has two sections '@a'");
    check(
        &format!("{FILE}// OUTPUT @neg:\n"),
        NEG,
        "line 22: second section '@neg'",
    );
}

#[test]
fn a_section_that_is_not_compared_is_an_error() {
    assert_eq!(check_absent("// RUN: a\n// OUTPUT of a\n"), Ok(()));
    let error = check_absent(FILE).map_err(|e| e.to_string());
    let expect = "line 9: nothing is compared with this section; write to %output in a RUN: line";
    assert_eq!(error, Err(expect.to_owned()));
}
