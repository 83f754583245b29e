use super::*;

#[test]
fn the_largest_grid_divides_the_pieces() {
    let extents = |arch, workers, pieces| WorkerGrid::largest(arch, workers, pieces).extents();
    let cases = [
        (Arch::WormholeB0, 64, [8, 8], [8, 8]),
        (Arch::WormholeB0, 64, [16, 24], [8, 8]),
        (Arch::WormholeB0, 64, [7, 12], [7, 6]),
        (Arch::WormholeB0, 64, [11, 6], [1, 6]),
        (Arch::WormholeB0, 3, [8, 8], [2, 1]),
        (Arch::WormholeB0, 1, [8, 8], [1, 1]),
        (Arch::Blackhole, 130, [10, 26], [10, 13]),
        (Arch::Blackhole, 130, [8, 8], [8, 8]),
    ];
    for (arch, workers, pieces, expected) in cases {
        assert_eq!(extents(arch, workers, pieces), expected, "{pieces:?}");
    }
}

#[test]
fn all_pieces_are_executed_once() {
    for (workers, pieces) in [(64, [16, 24]), (5, [6, 10]), (1, [3, 2])] {
        let grid = WorkerGrid::largest(Arch::WormholeB0, workers, pieces);
        assert!(grid.tiles() <= workers);
        assert_eq!(grid.tiles() * grid.passes(), pieces[0] * pieces[1]);
    }
}

#[test]
fn every_group_has_one_leader_and_no_tile_leads_two() {
    for (arch, pieces) in [
        (Arch::WormholeB0, [8, 8]),
        (Arch::WormholeB0, [4, 2]),
        (Arch::WormholeB0, [2, 5]),
        (Arch::Blackhole, [10, 13]),
    ] {
        let grid = WorkerGrid::largest(arch, tile::workers(arch), pieces);
        let leads = |tile, group| grid.argument(tile, Argument::Leads(group)) == Some(1);
        for group in 0..GROUPS as u32 {
            let leaders = (0..grid.tiles()).filter(|tile| leads(*tile, group));
            assert_eq!(leaders.count(), pieces[group as usize] as usize);
        }
        assert!(!(0..grid.tiles()).any(|tile| leads(tile, 0) && leads(tile, 1)));
    }
}

#[test]
fn rectangles_span_rows_and_columns_on_their_noc() {
    let grid = WorkerGrid::largest(Arch::WormholeB0, 64, [8, 8]);
    let group = |tile, group| grid.argument(tile, Argument::Group(group));
    // The second row of workers is at Y = 2, from X = 1 to 9.
    assert_eq!(group(8, 0), Some((9 | 2 << 6 | 1 << 12 | 2 << 18) << 4));
    // The second column is at X = 2, which is 7 on NoC 1; Y = 1 to 11 is 10 to 0 there.
    assert_eq!(group(1, 1), Some((7 | 10 << 6 | 7 << 12) << 4));
}
