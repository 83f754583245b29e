use super::*;

#[test]
fn programs_and_their_dumps_are_found() {
    let text = "a\n```\nlinc $lr0 $lr0\nd get $lr0n0c0b0m0p0 1\n```\nb\n```\n\
                DEBUG-GREG0(n0c0b0m0p0,0):(f:0, i:{{0x0,0x0},{0x0,0x1}}, v:0x1) #d get \
                $lr0n0c0b0m0p0 1  a remark\n```\n```\nd get $lr0n0c0b0m0p0 1\n```\n```\n\
                DEBUG-GREG0 #d get $lr0n0c0b0m0p0 1\n```\n";
    let cases = cases(Path::new("a.md"), text);
    let names: Vec<_> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["a.md:3", "a.md:11"]);
    assert_eq!(cases[0].outcome, Ok(()));
    let task = "```\nd set $lm0n0c0b0m0p0 1 3E003E003E003E00\n# (optional: try)\n```\n\
                ```\nDEBUG-GREG1\n```\nor\n```\nDEBUG-GREG1\n```\n";
    let names = super::cases(Path::new("b.md"), task);
    let names: Vec<_> = names.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names, ["b.md:2", "b.md:2, dump 2"]);
    let why = cases[1].outcome.as_ref().unwrap_err();
    assert!(
        why.starts_with("prints\n  DEBUG-GREG0(n0c0b0m0p0,0)"),
        "{why}"
    );
}
