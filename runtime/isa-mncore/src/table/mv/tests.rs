use super::*;

#[test]
fn units() {
    for (mode, unit) in [
        (MvMode::PdmToDram, 64),
        (MvMode::PdmDistribute, 64),
        (MvMode::PdmDramDistribute, 64),
        (MvMode::DramPdmCollect, 64),
        (MvMode::DramBroadcast4, 64),
        (MvMode::DramReduce, 64),
    ] {
        assert_eq!(mode.unit(), unit, "{mode:?}");
    }
}
