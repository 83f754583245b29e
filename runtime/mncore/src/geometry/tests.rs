use super::*;

#[test]
fn blocks_are_numbered_from_the_group_down() {
    let board = Geometry::BOARD;
    assert_eq!(board.block_count() * board.lanes(), 4096);
    for (index, text) in [(0, "n0c0b0"), (7, "n0c0b7"), (8, "n0c1b0"), (63, "n3c1b7")] {
        let id = board.block_id(index);
        assert_eq!(id.to_string(), text);
        let l2 = board.l2_index(id.group, id.l2b);
        assert!(board.blocks_of(l2).contains(&index), "{index}");
    }
}

#[test]
fn no_machine_is_larger_than_the_board_or_empty() {
    let valid = |groups, l2bs, l1bs, mabs| {
        Geometry {
            groups,
            l2bs,
            l1bs,
            mabs,
        }
        .is_valid()
    };
    assert!(valid(4, 2, 8, 16) && valid(1, 1, 1, 1));
    assert!(!valid(5, 2, 8, 16) && !valid(4, 2, 8, 17) && !valid(0, 1, 1, 1));
}
