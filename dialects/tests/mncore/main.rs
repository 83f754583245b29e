//! Loops for MN-Core 2 as operations: written, printed, parsed, read, they are what they were.

mod random;

use tessera_dialects::mlir::{
    At, Context, Location, Module, NamedOp, PrintOptions, Rewriter, Source,
};
use tessera_dialects::mncore::kernel::{self, Lines, Loop};
use tessera_dialects::mncore::write::Writer;
use tessera_dialects::mncore::{KernelOp, PipelineOp, RepeatOp};
use tessera_mncore_code::program::{self, IssueOrder};
use tessera_mncore_code::sched::{schedule, Options};
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::program::{Node, Program, ScheduledLoop};
use tessera_mncore_ir::schedule::{Bound, Report, Schedule};
use tessera_test_support::is_long_run;

use random::Random;

fn module<'c>(context: &'c Context, text: &str) -> Module<'c> {
    let source = Source::new("test.mlir", text.as_bytes().to_vec()).expect("text is a source");
    let parsed = Module::parse(context, &source);
    let messages = context.diagnostics().drain();
    parsed.unwrap_or_else(|_| panic!("{text}\n{messages:#?}"))
}

/// The text of a kernel of one loop.
fn written(context: &Context, body: &Body, scheduled: Option<(&Schedule, &Report)>) -> String {
    let mut module = module(context, "module {}");
    module.edit(|root, rewriter| {
        let cx = rewriter.context();
        let lines: Vec<_> = (1..=random::LINES as usize)
            .map(|line| cx.file_location("model.mlir", line, 1))
            .collect();
        let top = root.body().expect("a module has a body");
        let location = cx.unknown_location();
        let kernel = KernelOp::build(location)
            .with(cx, KernelOp::SYM_NAME, "k_mncore")
            .with(cx, KernelOp::IMPLEMENTS, "k")
            .with(cx, KernelOp::INPUTS, 0)
            .with(cx, KernelOp::TENSORS, &[])
            .region([]);
        let mut at = rewriter.insert(At::End(top), kernel);
        for &count in &body.outer {
            at = repeat(rewriter, at, location, count);
        }
        let block = at.body().expect("a kernel has a body");
        Writer::new(rewriter, location, &lines).pipeline(At::End(block), "loop", body, scheduled);
    });
    module.op().print(PrintOptions {
        debug_info: true,
        ..PrintOptions::default()
    })
}

fn repeat<'a>(
    rewriter: &Rewriter<'a>,
    around: tessera_dialects::mlir::Op<'a>,
    location: Location<'a>,
    count: u32,
) -> tessera_dialects::mlir::Op<'a> {
    let cx = rewriter.context();
    let block = around.body().expect("it was made with a body");
    let repeat = RepeatOp::build(location)
        .with(cx, RepeatOp::COUNT, count.into())
        .region([]);
    rewriter.insert(At::End(block), repeat)
}

/// Parses a text with one loop and reads the loop.
fn check(context: &Context, text: &str, body: &Body, scheduled: Option<&Schedule>) {
    let module = module(context, text);
    let pipeline = module.op().find_all::<PipelineOp>()[0];
    let mut lines = Lines::default();
    let Loop {
        body: found,
        schedule,
        ..
    } = kernel::pipeline(pipeline, &mut lines)
        .unwrap_or_else(|(_, error)| panic!("{error}\n{text}"));
    assert_eq!(format!("{found:#?}"), format!("{body:#?}"), "{text}");
    assert_eq!(schedule.as_ref(), scheduled, "{text}");
}

#[test]
fn random_bodies_are_read_as_they_were_written() {
    let context = Context::new();
    let long = is_long_run();
    for seed in 1..=if long { 3000 } else { 60 } {
        let mut random = Random::new(seed);
        let body = random.body();
        body.check().expect("random bodies are bodies");
        let text = written(&context, &body, None);
        check(&context, &text, &body, None);
        let schedule = random.schedule(&body);
        let report = Report {
            ii: schedule.ii,
            mii: 1,
            bound_by: Bound::Nothing,
            length: schedule.length(),
        };
        let text = written(&context, &body, Some((&schedule, &report)));
        check(&context, &text, &body, Some(&schedule));
    }
}

/// A loop that adds numbers from L1BM to those in LM0, with what holds it in order.
fn sums() -> Body {
    use tessera_isa_mncore::memory::{Bank, Width};
    use tessera_isa_mncore::table::{self, L1bmOp, Opcode};
    use tessera_mncore_ir::address::Address;
    use tessera_mncore_ir::body::Home;
    use tessera_mncore_ir::item::{Op, Place};
    let mut body = Body::new(&[2], &[3, 4]);
    let loaded = body.value(Width::Long, Home::Any);
    let doubled = body.value(Width::Long, Home::Any);
    let Some(Opcode::L1bm(kind, ..)) = table::find_opcode("l1bmd") else {
        panic!("l1bmd is an opcode")
    };
    let Some(Opcode::Mau(add)) = table::find_opcode("fvadd") else {
        panic!("fvadd is an opcode")
    };
    let from = Address::affine(0, &[0, 256, 64]);
    body.push(
        Op::L1bm(L1bmOp::new(kind, false), from),
        vec![],
        vec![loaded.into()],
    );
    let sum = body.push(
        Op::Mau(add, None),
        vec![loaded.into(); 2],
        vec![doubled.into()],
    );
    sum.line = 1;
    let place =
        |base| Place::consecutive(Bank::Lm0, Width::Long, Address::affine(base, &[96, 32, 8]));
    let old = place(0);
    let new = Place {
        bank: Bank::Lm1,
        ..place(512)
    };
    body.push(
        Op::Mau(add, None),
        vec![doubled.into(), old.into()],
        vec![new.into()],
    )
    .line = 2;
    body
}

#[test]
fn schedules_are_read_as_they_were_written_and_emit_the_same() {
    let context = Context::new();
    let body = sums();
    let (made, report) = schedule(&body, &Options::default()).expect("sums have a schedule");
    let text = written(&context, &body, Some((&made, &report)));
    check(&context, &text, &body, Some(&made));
    let nodes = vec![Node::Loop(ScheduledLoop {
        name: "loop".into(),
        body,
        schedule: made,
    })];
    let program = Program {
        nodes: vec![Node::Repeat(2, nodes)],
    };
    let expect = emitted(&program);
    let module = module(&context, &text);
    let read = kernel::read(module.op().find_all::<KernelOp>()[0]);
    let read = read.map_err(|(_, error)| error).expect("it is a kernel");
    let program = read
        .program()
        .map_err(|(_, error)| error)
        .expect("it is scheduled");
    let found = emitted(&program);
    assert_eq!(found, expect);
    for line in ["  # line 1\n", "  # line 2\n"] {
        assert!(found.contains(line), "{found}");
    }
}

/// The statements of a program, with lines.
fn emitted(program: &Program) -> String {
    let mut text = String::new();
    let name = |line: u32| format!("line {line}");
    program::text(program, IssueOrder::Scheduled, &name, &mut |line| {
        text.push_str(line)
    })
    .expect("sums are emitted");
    text
}
