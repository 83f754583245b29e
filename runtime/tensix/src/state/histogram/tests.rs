use super::*;

#[test]
fn exponents_are_counted() {
    let mut h = Histogram::default();
    h.update(
        DatumKind::Exponent8,
        &[0x3F80_0000, 0x4000_0000, 0xC000_0001],
        true,
    );
    assert_eq!(h.greatest(), Ok(128));
    let bins = h.bins().unwrap();
    assert_eq!((bins[31], bins[0], bins[1]), (1, 2, 0));
    h.update(DatumKind::Exponent5, &[0x3C00; 300], true);
    assert_eq!((h.bins().unwrap()[15], h.greatest()), (255, Ok(128)));
    h.update(DatumKind::Int16, &[0xABFF], false);
    assert_eq!((h.greatest(), h.bins().unwrap()[31]), (Ok(255), 1));
    h.update(DatumKind::Int8, &[], true);
    h.update(DatumKind::Int8, &[1], false);
    assert!(h.greatest().is_err() && h.bins().is_ok());
    h.update(DatumKind::Int8, &[1], true);
    assert_eq!(
        h.bins().unwrap_err().to_string(),
        "undefined behaviour: reads an exponent histogram that INT8 datums have gone into; put \
         CLREXPHIST after them"
    );
}
