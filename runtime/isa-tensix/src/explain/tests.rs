use super::*;

#[test]
fn pages() {
    let shiftxb = "SHIFTXB: Shifts or rotates one SrcB row by one column.\n\n\
        opcode   0x18\nchips    wormhole_b0, blackhole\nunit     Matrix\n\
        cycles   2 (ISA documentation, MatrixUnit.md)\n\n\
        wormhole_b0\n    ttshiftxb addr_mode, rot_shift, shift_row\n\
        \x20   16:15  addr_mode                0 to 3\n\
        \x20      10  rot_shift                0 to 1\n\
        \x20     5:0  shift_row                0 to 63\n\n\
        blackhole\n    ttshiftxb addr_mode, rot_shift, shift_row\n\
        \x20   16:14  addr_mode                0 to 7\n\
        \x20      10  rot_shift                0 to 1\n\
        \x20     5:0  shift_row                0 to 63\n";
    assert_eq!(page("SHIFTXB").as_deref(), Some(shiftxb));
    assert_eq!(page("ttshiftxb").as_deref(), Some(shiftxb));
    assert!(page("SFPARECIP").unwrap().contains("chips    blackhole\n"));
    assert_eq!(page("shift"), None);
}
