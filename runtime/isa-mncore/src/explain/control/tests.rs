use super::*;

#[test]
fn every_example_is_a_control_statement() {
    for control in &CONTROL {
        let program = crate::parse(control.example)
            .unwrap_or_else(|errors| panic!("{}", errors[0].render(control.name, control.example)));
        let expect = usize::from(control.name != "quit");
        assert_eq!(program.statements.len(), expect, "{}", control.example);
        assert!(control.example.starts_with(control.name));
    }
}

#[test]
fn formats_are_those_of_the_parser() {
    for format in FORMATS {
        let line = format!("d get{format} $lm0 1");
        assert!(crate::parse(&line).is_ok(), "{line}");
    }
}

#[test]
fn pages() {
    let get = page("get").expect("it has one");
    assert!(get.starts_with("d get: Prints what memories hold, a line for each access.\n"));
    assert!(get.contains("manual   3.4.3\ngroup    control statement\n"));
    for same in ["d get", "d  get", "getf", "d getbh"] {
        assert_eq!(page(same).as_ref(), Some(&get), "{same}");
    }
    assert!(page("set").is_some_and(|page| page.starts_with("d set: ")));
    assert!(page("c").is_some_and(|page| page.contains("manual   not described")));
    assert!(page("quit").is_some_and(|page| page.contains("manual   3.4\n")));
    for none in ["", "d", "d quit", "getx", "d get $lm0"] {
        assert_eq!(page(none), None, "{none}");
    }
}
