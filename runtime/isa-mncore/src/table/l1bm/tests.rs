use super::*;

#[test]
fn spellings() {
    for (text, kind, narrow) in [
        ("l1bmp", L1bmKind::PeBroadcast, false),
        ("l1bmm", L1bmKind::Broadcast, false),
        ("l1bmrffaddr", L1bmKind::Reduce, true),
        ("l1bmrlor", L1bmKind::Reduce, false),
        ("l1bmr4hmax", L1bmKind::Reduce4, false),
        ("l1bmd", L1bmKind::Distribute, false),
    ] {
        let Some(Opcode::L1bm(found, _, round)) = find(text) else {
            panic!("{text}")
        };
        assert_eq!((found, round), (kind, narrow), "{text}");
    }
    assert_eq!(find("l1bmrdfaddr"), None);
    assert_eq!(reversed(L1bmKind::Broadcast), Some(L1bmKind::Pick));
    assert_eq!(reversed(L1bmKind::Reduce), None);
}

#[test]
fn rates_are_those_of_the_table() {
    for (kind, wide, rate) in [
        (L1bmKind::PeBroadcast, true, 2),
        (L1bmKind::Broadcast, false, 4),
        (L1bmKind::Pick, true, 8),
        (L1bmKind::Broadcast4, true, 32),
        (L1bmKind::Collect, false, 64),
    ] {
        assert_eq!(L1bmOp::new(kind, wide).l1_rate(), rate);
    }
}

#[test]
fn the_number_fits_eight_bits() {
    assert!(L1bmOp::all().len() < 256, "{}", L1bmOp::all().len());
}
