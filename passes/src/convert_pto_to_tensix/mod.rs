//! `convert-pto-to-tensix`.

mod address_mode;
mod math;
mod movement;
mod pack;
pub mod plan;
mod thread;
mod tile_math;
mod unpack;

use tessera_isa_tensix::list::Lists;

/// The four lists of a kernel.
pub fn lower(plan: &plan::Plan) -> Lists {
    Lists {
        unpack: unpack::lower(plan),
        math: math::lower(plan),
        pack: pack::lower(plan),
        dm: movement::lower(plan),
    }
}

#[cfg(test)]
mod tests {
    use super::plan::*;
    use super::*;

    const fn page(arg: u16, page: u32) -> Page {
        Page { arg, page }
    }

    fn product(t: u32, depth: u32) -> OutTile {
        let step = |k| Step {
            srca: SrcA::Tile(page(1, k)),
            srcb: Some(page(0, k)),
            math: MathOp::Matmul,
        };
        OutTile {
            steps: (0..depth).map(step).collect(),
            negate: false,
            relu: false,
            store: page(2, t),
            valid: (32, 32),
        }
    }

    fn difference(t: u32) -> OutTile {
        let math = MathOp::Elementwise {
            op: Elementwise::Subtract,
            broadcast: Broadcast::Row,
            accumulate: false,
        };
        OutTile {
            steps: vec![Step {
                srca: SrcA::Tile(page(0, t)),
                srcb: Some(page(1, t)),
                math,
            }],
            negate: t == 1,
            relu: t == 2,
            store: page(2, t),
            valid: (32, 31 - t),
        }
    }

    /// The lists are word for word the programs that the model is tested with, whose comments explain every word.
    #[test]
    fn lists_are_the_written_programs() {
        let plan = |tiles| Plan { tiles, phases: 4 };
        let programs = "../runtime/tensix/tests/programs";
        for (file, plan) in [
            ("matmul_one_tile", plan(vec![product(0, 1)])),
            (
                "matmul_three_tiles",
                plan((0..3).map(|t| product(t, 2)).collect()),
            ),
            ("subtract_row", plan((0..3).map(difference).collect())),
        ] {
            let text = std::fs::read_to_string(format!("{programs}/{file}.tensix")).expect(file);
            let written: Lists = text.parse().expect(file);
            assert_eq!(lower(&plan).to_string(), written.to_string(), "{file}");
        }
    }
}
