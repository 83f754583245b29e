//! `tensix-form-mop`: replaces loops that push one or two words by a MOP instruction, which the
//! thread's expander unrolls.
//!
//! A MOP (template 1) repeats `outer` times: `inner` times one word or two alternating words, then
//! up to two end words (`MOPExpander.md`). A thread's MopCfg is written once, at its start, while
//! its expander is idle. So only loops with the same template become MOPs; the pass picks the
//! template that saves most pushes. The executed words stay the same, one by one.
//!
//! Constraints: counts are at most 127. A NOP as the alternate or an end word means "none". A MOP
//! may contain a REPLAY, but neither MOP nor MOP_CFG: an expander does not expand its own output.

use std::collections::HashMap;

use tessera_dialects::builtin;
use tessera_dialects::mlir::{At, Block, Op, Pass, Reported, Rewriter};
use tessera_dialects::tensix::program::Builder;
use tessera_dialects::tensix::ProgramOp;
use tessera_isa_tensix::table::{Mop, Nop};
use tessera_isa_tensix::{Arch, Instruction, Opcode};

use crate::driver::registry::PassInfo;
use crate::targets::tensix::tensix_words::{arch, parts, threads, weight, Part};

/// The pass's entry in the registry.
pub const INFO: PassInfo = PassInfo {
    name: "tensix-form-mop",
    description: "Moves the loops that push the most instruction words to the MOP expander",
    anchor: Some(builtin::ModuleOp::NAME),
    options: &[],
    make: |_| Ok(Box::new(TensixFormMop)),
};

/// The maximum of both counts.
const MAX_COUNT: u64 = 127;
/// Cost of setting MopCfg, in pushes: nine stores of constants.
const CONFIGURATION: u64 = 27;
/// Cost of an iteration of a RISC-V loop besides its pushes, in pushes.
const ITERATION: u64 = 2;

struct TensixFormMop;

impl Pass for TensixFormMop {
    fn name(&self) -> &str {
        INFO.name
    }

    fn run<'a>(&self, module: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        for (program, block) in threads(module) {
            form(program, block, rewriter);
        }
        Ok(())
    }
}

/// A MOP of template 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Template {
    outer: u64,
    inner: u64,
    /// One word, or two that alternate.
    body: Vec<Instruction>,
    /// The end words: none, one or two.
    end: Vec<Instruction>,
}

impl Template {
    /// Returns the nine words of MopCfg.
    fn words(&self, arch: Arch) -> [u32; 9] {
        let word = |instruction: Option<&Instruction>| {
            let instruction = instruction.copied().unwrap_or(Nop {}.into());
            instruction
                .encode(arch)
                .expect("what was decoded can be encoded")
        };
        let body = |number: usize| word(self.body.get(number));
        let (last, nop) = (word(self.body.last()), word(None));
        let (outer, inner) = (self.outer as u32, self.inner as u32);
        let end = |number: usize| word(self.end.get(number));
        [
            outer,
            inner,
            nop,
            end(0),
            end(1),
            body(0),
            body(1),
            last,
            last,
        ]
    }

    /// Instructions that a core saves by pushing a MOP instead.
    fn saves(&self) -> u64 {
        let body = self.inner * (self.body.len() as u64 + ITERATION);
        self.outer * (body + self.end.len() as u64) - 1
    }
}

/// Consecutive operations that a MOP with this template can replace.
struct Site<'a> {
    template: Template,
    ops: Vec<Op<'a>>,
    weight: u64,
}

fn form<'a>(program: ProgramOp<'a>, block: Block<'a>, rewriter: &Rewriter<'a>) {
    let Some(arch) = arch(program) else {
        return;
    };
    let mut sites = Vec::new();
    collect(&parts(block), 1, &mut sites);
    let mut value: HashMap<&Template, u64> = HashMap::new();
    for site in &sites {
        *value.entry(&site.template).or_default() +=
            site.weight.saturating_mul(site.template.saves());
    }
    let best = value
        .into_iter()
        .filter(|(_, value)| *value > CONFIGURATION)
        .max_by_key(|(template, value)| (*value, template.words(arch)));
    let (Some((best, _)), Some(first)) = (best, block.ops().first().copied()) else {
        return;
    };
    let best = best.clone();
    for (index, word) in best.words(arch).into_iter().enumerate() {
        let build = Builder::new(rewriter, program.location());
        rewriter.insert(At::Before(first), build.store_mop_cfg(index as u8, word));
    }
    for site in sites.iter().filter(|site| site.template == best) {
        let first = site.ops[0];
        let mop = Mop {
            mop_type: 1,
            ..Mop::default()
        };
        let build = Builder::new(rewriter, first.location());
        rewriter.insert(At::Before(first), build.instruction(mop));
        for op in &site.ops {
            rewriter.erase(*op);
        }
    }
}

/// Collects the sites of a list and its nested lists.
fn collect<'a>(list: &[Part<'a>], times: u64, sites: &mut Vec<Site<'a>>) {
    for (number, part) in list.iter().enumerate() {
        match part {
            Part::Word(..) => {}
            Part::Loop { trip, body, .. } => {
                for (template, length) in templates(part, &list[number + 1..]) {
                    let ops = list[number..number + 1 + length].iter().map(Part::op);
                    sites.push(Site {
                        template,
                        ops: ops.collect(),
                        weight: times,
                    });
                }
                collect(body, times.saturating_mul(weight(*trip)), sites);
            }
            Part::Other { bodies, .. } => {
                for body in bodies {
                    collect(body, times, sites);
                }
            }
        }
    }
}

/// Returns the templates that are equivalent to a loop and some of the words after it, each with
/// the number of these words.
fn templates(part: &Part, behind: &[Part]) -> Vec<(Template, usize)> {
    let Some((trip, body)) = plain(part) else {
        return Vec::new();
    };
    if let Some(words) = alternating(body) {
        let behind: Vec<Instruction> = behind.iter().map_while(end_word).take(2).collect();
        if trip <= MAX_COUNT {
            let ends = (0..=behind.len()).map(|length| Template {
                outer: 1,
                inner: trip,
                body: words.clone(),
                end: behind[..length].to_vec(),
            });
            return ends.zip(0..).collect();
        }
        let outer = (2..=MAX_COUNT).find(|outer| trip % outer == 0 && trip / outer <= MAX_COUNT);
        let whole = outer.map(|outer| Template {
            outer,
            inner: trip / outer,
            body: words,
            end: Vec::new(),
        });
        return whole.map(|template| (template, 0)).into_iter().collect();
    }
    // A loop of loops, with the same words after each.
    let [inner, end @ ..] = body else {
        return Vec::new();
    };
    let end: Option<Vec<Instruction>> = end.iter().map(end_word).collect();
    match (plain(inner), end) {
        (Some((turns, words)), Some(end))
            if trip <= MAX_COUNT && turns <= MAX_COUNT && end.len() <= 2 =>
        {
            let template = alternating(words).map(|body| Template {
                outer: trip,
                inner: turns,
                body,
                end,
            });
            template.map(|template| (template, 0)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Returns trip count and body of a loop that only repeats its body.
fn plain<'p, 'a>(part: &'p Part<'a>) -> Option<(u64, &'p [Part<'a>])> {
    match part {
        Part::Loop {
            trip: Some(trip),
            plain: true,
            body,
            ..
        } if *trip > 0 => Some((*trip, body)),
        _ => None,
    }
}

fn is_nop(instruction: Instruction) -> bool {
    instruction.opcode() == Opcode::Nop
}

fn is_mop(instruction: Instruction) -> bool {
    matches!(instruction.opcode(), Opcode::Mop | Opcode::MopCfg)
}

/// Returns the one or two words of a body that a MOP can repeat.
fn alternating(body: &[Part]) -> Option<Vec<Instruction>> {
    let words: Option<Vec<Instruction>> = body
        .iter()
        .map(|part| match part {
            Part::Word(word, _) if !is_mop(*word) => Some(*word),
            _ => None,
        })
        .collect();
    words.filter(|words| match words[..] {
        [_] => true,
        [_, second] => !is_nop(second),
        _ => false,
    })
}

/// Returns the word of an operation that can be an end word of a MOP.
fn end_word(part: &Part) -> Option<Instruction> {
    match part {
        Part::Word(word, _) if !is_mop(*word) && !is_nop(*word) => Some(*word),
        _ => None,
    }
}
