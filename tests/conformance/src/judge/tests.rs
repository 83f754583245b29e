use super::*;

#[test]
fn values_are_judged_within_their_tolerance() {
    for (expect, line, right) in [
        (
            "expect=[2, 1] / UInt @[0],[1]",
            "D:(0) (0x0000000200000001) #d getd",
            true,
        ),
        (
            "expect=[2, 3] / UInt @[0],[1]",
            "D:(0) (0x0000000200000001) #d getd",
            false,
        ),
        (
            "expect=[-1] / Long @[0]",
            "D:(0) (0xffffffffffffffff) #d getd",
            true,
        ),
        (
            "expect=[1.5, -2] / Float @[0]",
            "D:(1, 2) (0x3fc00000, 0xc0000000) #d getf",
            true,
        ),
        (
            "expect=[1.6, -2] / Float @[0] rtol=0.1",
            "D:(1, 2) (0x3fc00000, 0xc0000000) #d getf",
            true,
        ),
        (
            "expect=[1.6, -2] / Float @[0] atol=0.01",
            "D:(1, 2) (0x3fc00000, 0xc0000000) #d getf",
            false,
        ),
        (
            "expect=[1, 5, 9, 13] / Half",
            "D:(1, 5, 9, 13) (0x3e00, 0x4280, 0x4440, 0x4540) #d geth",
            true,
        ),
        (
            "expect=[0] / Double",
            "D:(0) (0x8000000000000000) #d getd",
            true,
        ),
        (
            "expect=[1] / String",
            "D:(0) (0x8000000000000000) #d getd",
            false,
        ),
    ] {
        let expect = Expect::parse(expect).expect("an expectation");
        assert_eq!(expect.check(line).is_ok(), right, "{line}");
    }
}

#[test]
fn answers_are_inserted_at_the_marker() {
    let test =
        "d set $lm0n0c0b0m0p0 1 l5\n# INSERTED HERE\nd getd $lr0n0c0b0m0p0 1 # expect=[6] / ULong \
         @[0]\n";
    assert_eq!(
        judge("a", test, "d set $lm0n0c0b0m0p0 1 l9\nlinc $lm0 $lr0"),
        Ok(())
    );
    let why = judge("a", test, "lpassa $lm0 $lr0").unwrap_err();
    assert!(why.ends_with("6 is expected"), "{why}");
    assert!(judge("a", test, "lpassa $lm0").is_err());
}
