//! `convert-pto-to-tensix`: kernels over tiles become programs of a Tensix core.
//!
//! A `pto.func` is followed through its loops ([`trace`]); the plan found is lowered to the four lists of a
//! `tensix.kernel` that implements it and stands beside it, one file per list. Rulings 1.2 to 1.12 say what the instructions must do; the
//! programs in `runtime/tensix/tests/programs` explain them word by word.
//!
//! One core, Wormhole B0, bf16 in memory, fp32 in Dst, one MOP template set up by hand. What does not fit is an error
//! at the operation.

mod address_mode;
mod math;
mod movement;
mod pack;
mod plan;
mod thread;
mod tile_math;
mod trace;
mod unpack;

use tessera_dialects::mlir::{At, Op, Pass, Reported, Rewriter};
use tessera_dialects::tensix::Writer;
use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;

use crate::registry::PassInfo;

/// How the registry knows the pass.
pub const INFO: PassInfo = PassInfo {
    name: "convert-pto-to-tensix",
    description: "Lowers kernels over tiles to programs of a Tensix core",
    anchor: Some("builtin.module"),
    options: &[],
    make: |_| Ok(Box::new(ConvertPtoToTensix)),
};

struct ConvertPtoToTensix;

impl Pass for ConvertPtoToTensix {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        module
            .find_all("pto.func")
            .into_iter()
            .try_for_each(|func| convert(func, rewriter))
    }
}

fn convert<'a>(func: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
    let plan = trace::trace(func)?;
    let name = func.symbol().unwrap_or_default();
    let arguments = func.body().map_or(0, |body| body.arguments().len()) as u32;
    let kernel = Writer::new(rewriter)
        .kernel(
            At::After(func),
            func.location(),
            &format!("{name}_tensix"),
            Arch::WormholeB0,
            arguments,
            &lower(&plan),
        )
        .map_err(|error| func.error(error))?;
    let implements = rewriter.context().symbol_attribute(name);
    rewriter.set_attribute(kernel, "implements", implements);
    Ok(())
}

/// The four lists of a kernel.
fn lower(plan: &plan::Plan) -> Lists {
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
            srca: SrcA::Tile(page(1, t * depth + k)),
            srcb: Some(page(0, t * depth + k)),
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
