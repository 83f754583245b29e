use super::super::expr::Expr;
use super::super::plan::{Block, Math, SrcA, Tensor, TensorMemory, VectorProgram};
use super::*;

/// Returns a product of `m` x `k` and `k` x `n` tiles of which each piece makes `shape`.
fn rings([m, k, n]: [u32; 3], shape: [u32; 2]) -> OperandRings {
    let (row, column, depth) = (0, 1, 2);
    let tiles = |arg, [rows, columns]: [u32; 2], of: [Var; 2], shape| TileRect {
        tensor: Tensor {
            memory: TensorMemory::Argument(arg),
            matrices: 1,
            rows: 32 * rows,
            columns: 32 * columns,
            element: Element::Bf16,
        },
        row: Expr::Var(of[0]),
        column: Expr::Var(of[1]),
        shape,
    };
    let step = Step {
        math: Math::Matmul,
        srca: SrcA::Tiles(Operand::Memory(tiles(
            1,
            [k, n],
            [depth, column],
            [1, shape[1]],
        ))),
        srcb: Some(Operand::Memory(tiles(
            0,
            [m, k],
            [row, depth],
            [shape[0], 1],
        ))),
        dst: 0,
        shape,
        location: 0,
    };
    fn turns<T>(var: Var, high: u32, body: Vec<T>) -> Loop<T> {
        Loop {
            var,
            low: 0.into(),
            high: high.into(),
            step: 1,
            body,
            location: 0,
        }
    }
    let block = Block {
        items: vec![BlockItem::Loop(turns(
            depth,
            k,
            vec![BlockItem::Step(step)],
        ))],
        broadcasts: Vec::new(),
        vector: VectorProgram::default(),
        fold: None,
        stores: Vec::new(),
        shape,
        location: 0,
    };
    let columns = turns(column, n / shape[1], vec![Node::Block(block)]);
    let rows = turns(row, m / shape[0], Vec::new());
    OperandRings::choose(
        Arch::WormholeB0,
        &[&rows, &columns],
        &columns.body,
        Some(1 << 20),
        PieceOrder::Strips,
    )
}

#[test]
fn what_reads_least_is_kept() {
    use Retention::{Row, Step, Strip};
    for (extents, shape, srca, srcb, strip) in [
        // Four pieces a worker: two columns of two rows.
        ([32, 32, 32], [2, 2], (Strip, 128), (Row, 64), 2),
        // Deeper, there are fewer slots than the counter can tell apart: one column at a time,
        // or one row.
        ([32, 128, 32], [2, 2], (Step, 8), (Row, 256), 16),
        ([32, 256, 32], [2, 2], (Step, 8), (Step, 8), 16),
        // Three steps are too few slots, those of two columns are not.
        ([32, 3, 32], [2, 2], (Strip, 12), (Step, 8), 2),
        // One column, one row, one piece.
        ([64, 8, 1], [1, 1], (Strip, 8), (Step, 4), 1),
        ([1, 8, 64], [1, 1], (Step, 4), (Row, 8), 64),
        ([1, 8, 1], [1, 1], (Step, 4), (Step, 4), 1),
    ] {
        let rings = rings(extents, shape);
        let of = rings
            .by_unpacker
            .map(|ring| (ring.retention, ring.slots * ring.tiles));
        assert_eq!((of, rings.strip), ([srca, srcb], strip), "{extents:?}");
    }
}

#[test]
fn more_turns_than_a_core_counts_are_not_known() {
    let most = u64::from(u32::MAX);
    for (times, expect) in [
        (1, Some(most / 3)),
        (3, Some(most)),
        (4, None),
        (1 << 40, None),
    ] {
        let inner: Loop<BlockItem> = Loop {
            var: 0,
            low: 0.into(),
            high: (u32::MAX / 3).into(),
            step: 1,
            body: vec![],
            location: 0,
        };
        assert_eq!(total_trips(&inner, times), expect, "{times}");
    }
}
