use super::*;

/// Share of the greatest that a factor loses and share that a sum loses, in units of 2^-24.
#[test]
fn precisions_differ() {
    let units = |precision| {
        let blocks = blocks(precision);
        let losses = [blocks.factor, blocks.sum, blocks.result];
        (
            losses.map(|loss| (loss / bits(24)).round()),
            blocks.network_roundings,
        )
    };
    for (precision, losses, network_roundings) in [
        (Precision::Half, [50_472.0, 1.0, 0.0], Some(10.0)),
        (Precision::Pseudo, [64.0, 1.0, 0.0], Some(10.0)),
        (Precision::Single, [2.0, 1.0, 0.0], Some(10.0)),
        (Precision::Double, [0.0, 0.0, 1.0], None),
    ] {
        assert_eq!(
            units(precision),
            (losses, network_roundings),
            "{precision:?}"
        );
    }
}
