use super::*;

#[test]
fn names_round_trip() {
    for arch in Arch::ALL {
        assert_eq!(arch.name().parse(), Ok(arch));
    }
    let err = "grayskull".parse::<Arch>().unwrap_err();
    assert_eq!(
        err.to_string(),
        "unknown architecture `grayskull`; known are wormhole_b0 and blackhole"
    );
}
