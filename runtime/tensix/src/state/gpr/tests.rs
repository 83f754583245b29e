use super::*;

fn text<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn halves_and_bytes() {
    let mut g = Gprs::default();
    g.set_half(126, 0x5678);
    assert_eq!(
        text(g.get(63)),
        "undefined behaviour: reads GPR 63, which this kernel has not completely written"
    );
    assert_eq!(
        text(g.get_half(127)),
        "undefined behaviour: reads the high half of GPR 63, which this kernel has not written"
    );
    assert_eq!(g.get_half(126), Ok(0x5678));
    g.set_half(127, 0x1234);
    assert_eq!((g.get(63), g.get_half(127)), (Ok(0x1234_5678), Ok(0x1234)));
    g.set_byte(63, 0xff);
    assert_eq!(g.get(63), Ok(0x1234_56ff));
    (0..4).for_each(|register| g.set(register, 7 + register));
    assert_eq!(g.get_four(2), Ok([7, 8, 9, 10]));
}

#[test]
fn loads_are_waited_for() {
    let mut g = Gprs::default();
    g.set(5, 1);
    g.begin_load(5).unwrap();
    let hazard = "hazard: uses GPR 5, whose load may still be on its way; \
                  put a STALLWAIT or FLUSHDMA with C0 between them";
    assert_eq!(text(g.get(5)), hazard);
    assert_eq!(text(g.get_half(11)), hazard);
    assert_eq!(text(g.begin_load(5)), hazard);
    g.end_loads();
    assert_eq!(g.get(5), Ok(1));
}
