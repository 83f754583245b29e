use super::*;

const CHIP: Arch = Arch::WormholeB0;

#[test]
fn grids_divide_pieces_evenly() {
    for (pieces, workers, grid) in [
        ([8, 8], 64, [8, 8]),
        ([16, 8], 64, [8, 8]),
        ([16, 16], 13, [4, 2]),
        ([12, 11], 64, [6, 1]),
        ([1, 1], 64, [1, 1]),
    ] {
        assert_eq!(even_grid(CHIP, pieces, workers), grid, "{pieces:?}");
    }
    assert_eq!(even_grid(Arch::Blackhole, [20, 26], 130), [10, 13]);
}

/// Every column and every row has one sender, and no worker is both.
#[test]
fn senders_are_distinct() {
    for arch in Arch::ALL {
        let [most_rows, most_columns] = worker_grid(arch);
        for rows in 2..=most_rows {
            for columns in 2..=most_columns {
                let size = [rows, columns];
                let of_columns = (0..columns).map(|column| sender(0, size, [0, column]));
                let of_rows: Vec<_> = (0..rows).map(|row| sender(1, size, [row, 0])).collect();
                for at in of_columns {
                    assert!(!of_rows.contains(&at), "{size:?}: {at:?}");
                    assert_eq!(sender(0, size, at), at);
                }
                for at in of_rows {
                    assert_eq!(sender(1, size, at), at);
                }
            }
        }
    }
}
