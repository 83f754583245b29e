//! Randomised tests: alias analysis and signatures of outer iterations do not change the edges. The
//! reference tracks every access of random transfer loops in every outer iteration.

use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L2bmOp, MvMode};

use super::*;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Test};
use tessera_test_support::random::Rng;

/// Long words of a vector in L2BM, and in DRAM.
const VECTOR: u32 = 256;

/// Returns the edges of a body with every access tracked in every outer iteration.
fn exhaustive(body: &Body) -> Result<Vec<Edge>, DependenceError> {
    let probe = probe::forwarding_schedule(body);
    let mut walk = Walk::new(body, &probe)?;
    walk.alias.track_all();
    for outer in indices(&body.outer) {
        walk.visit_iterations(&outer)?;
    }
    Ok(walk.edges())
}

/// Returns a transfer between DRAM and the L2BM of all groups.
fn transfer(out: bool, tag: Address, l2bm: Address, dram: Address) -> Op {
    let place = |memory, address| MovePlace {
        memory,
        address,
        group: None,
        l2b: None,
    };
    let near = place(MoveMemory::L2bm, l2bm);
    let far = place(MoveMemory::Dram, dram);
    let (mode, source, target) = match out {
        true => (MvMode::L2bmToDram, near, far),
        false => (MvMode::DramToL2bm, far, near),
    };
    let words = VECTOR;
    Op::Mv(Move {
        mode,
        rrn: None,
        words,
        tag,
        source,
        target,
    })
}

/// Returns a loop of a few streams from DRAM to L1BM or back. Occasionally their addresses, tensors
/// or tags overlap, or an item is missing.
fn body(rng: &mut Rng) -> Body {
    let outer: Vec<u32> = (0..rng.below(3)).map(|_| 1 + rng.below(4) as u32).collect();
    let mut body = Body::new(&outer, &[1 + rng.below(6) as u32]);
    for stream in 0..1 + rng.below(3) as u32 {
        let apart = if rng.percent(85) { stream } else { 0 };
        let slots = 1 + rng.below(4) as u32;
        let mut steps = |unit: u32| -> Vec<u32> {
            let dimensions = 0..body.dimensions();
            dimensions
                .map(|_| unit * rng.pick(&[0, 1, 1, 2, 3]))
                .collect()
        };
        let (ring, far) = (steps(1), steps(VECTOR));
        let around = |unit: u32, first: u32| {
            let steps: Vec<u32> = ring.iter().map(|step| step * unit).collect();
            Address::affine(0, &steps).with_ring(first, slots * unit)
        };
        let l2bm = around(VECTOR, apart * 8 * VECTOR);
        let tag = around(1, 16 + apart * 8);
        let dram = Address::affine(stream * 64 * VECTOR + rng.pick(&[0, 0, 8]), &far);
        let out = rng.percent(40);
        let mut ops = vec![
            transfer(out, tag.clone(), l2bm.clone(), dram),
            Op::Wait(tag.clone()),
        ];
        let kind = if out {
            L2bmKind::Collect
        } else {
            L2bmKind::Distribute
        };
        let part = Op::L2bm {
            op: L2bmOp::new(kind),
            l2: l2bm.offset_by(rng.pick(&[0, 0, 16, VECTOR])),
            l1: Address::fixed(stream * 64),
        };
        ops.insert(if out { 0 } else { 2 }, part);
        if rng.percent(50) {
            ops.push(Op::Wait(tag.advanced_by(1)));
        }
        ops.retain(|_| rng.percent(95));
        let dimensions = body.dimensions();
        for op in ops {
            let item = body.push(op, Vec::new(), Vec::new());
            if rng.percent(20) {
                let test = match rng.below(3) {
                    0 => Test::Below(1 + rng.below(3) as u32),
                    1 => Test::From(rng.below(3) as u32),
                    _ => Test::Every(2, rng.below(2) as u32),
                };
                let dimension = rng.below(dimensions);
                item.when.push(Guard { dimension, test });
            }
        }
    }
    body
}

#[test]
fn what_is_left_out_is_no_matter() {
    let mut rng = Rng::new(1);
    let (mut ordered, mut refused, mut fewer) = (0, 0, 0);
    for number in 0..2000 {
        let body = body(&mut rng);
        let (found, expected) = (dependences(&body), exhaustive(&body));
        assert_eq!(found, expected, "body {number}: {body:?}");
        match found {
            Ok(edges) => ordered += usize::from(!edges.is_empty()),
            Err(_) => refused += 1,
        }
        let probe = probe::forwarding_schedule(&body);
        let walk = Walk::new(&body, &probe).expect("its items are emitted");
        let patterns: HashSet<_> = indices(&body.outer)
            .map(|outer| walk.signature(&outer))
            .collect();
        fewer += usize::from(patterns.len() < indices(&body.outer).count());
    }
    assert!(
        ordered > 500 && refused > 100 && fewer > 300,
        "{ordered} {refused} {fewer}"
    );
}
