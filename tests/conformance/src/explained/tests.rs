use super::*;

#[test]
fn the_list_is_well_formed() {
    let all = entries(LIST).expect("every line is an entry");
    for (group, name, _) in &all {
        assert!(["assemble", "judge", "libmnc2", "tutorial"].contains(group));
        assert_eq!(all.iter().filter(|one| one.1 == *name).count(), 1, "{name}");
    }
    assert_eq!(entries("a b: c\nassemble b"), Err("assemble b"));
}

#[test]
fn names_are_compared_from_their_end() {
    for (group, name, found) in [
        ("assemble", "/home/me/sum_col.vsm", true),
        ("assemble", "sum_col.vsm", true),
        ("assemble", "/home/me/checksum_col.vsm", false),
        ("judge", "/home/me/sum_col.vsm", false),
    ] {
        assert_eq!(reason(group, name).is_some(), found, "{group} {name}");
    }
}
