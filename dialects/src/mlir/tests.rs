//! The wrapper does what melior and the C API do not: each known hole of theirs has a test here.

use super::*;
use crate::{pto, ttcore, ttnn};

fn source(text: &str) -> Source {
    Source::new("test.mlir", text.as_bytes().to_vec()).expect("a text the parser survives")
}

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    match Module::parse(context, &source(text)) {
        Ok(module) => module,
        Err(_) => panic!("{:?}", context.diagnostics().take()),
    }
}

fn errors(context: &Context) -> Vec<String> {
    context
        .diagnostics()
        .take()
        .iter()
        .map(ToString::to_string)
        .collect()
}

const TWO_RELUS: &str = r#"
func.func @f(%a: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %0 = "ttir.relu"(%a) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  %1 = "ttir.relu"(%0) : (tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return %1 : tensor<4x4xbf16>
}"#;

#[test]
fn diagnostics_carry_the_file_name_and_place() {
    let rows = [
        (
            "foo",
            "test.mlir:1:1: error: custom op 'foo' is unknown (tried 'builtin.foo' as well)",
        ),
        (
            "\n  \"a.b\"() : () -> ()",
            "test.mlir:2:8: error: operation being parsed with an unregistered dialect.",
        ),
        (
            "func.func @f(",
            "test.mlir:1:13: error: expected non-function type",
        ),
        (
            "module {} garbage",
            "test.mlir:1:11: error: custom op 'garbage' is unknown",
        ),
    ];
    for (text, expected) in rows {
        let context = Context::new();
        assert!(Module::parse(&context, &source(text)).is_err(), "{text}");
        let found = errors(&context);
        assert!(
            found.iter().any(|found| found.starts_with(expected)),
            "{text}: {found:?}"
        );
    }
}

/// The parser of MLIR reads up to a NUL byte, whatever the length says.
#[test]
fn the_text_ends_where_it_ends() {
    let context = Context::new();
    let module = parse(&context, "func.func private @f()");
    assert_eq!(module.op().children().len(), 1);
    assert_eq!(module.op().children()[0].symbol(), Some("f"));
}

#[test]
fn nesting_up_to_the_limit_is_handled() {
    let nested = |depth: usize| format!("{}{}", "module {".repeat(depth), "}".repeat(depth));
    let context = Context::new();
    let module = parse(&context, &nested(DEEPEST));
    assert!(module.verify().is_ok());
    assert!(module.op().print(PrintOptions::default()).len() > DEEPEST);
    assert!(Source::new("test.mlir", nested(100_000).into_bytes()).is_err());
    assert!(context
        .as_ref()
        .parse_type(&"tuple<".repeat(20_000))
        .is_none());
    assert!(context.as_ref().parse_attribute("1\0").is_none());
}

#[test]
fn diagnostics_outlive_their_context() {
    let diagnostics = {
        let context = Context::new();
        let _ = Module::parse(&context, &source("foo"));
        context.diagnostics().clone()
    };
    assert_eq!(diagnostics.errors(), 1);
}

#[test]
fn erased_operations_stay_readable_until_the_edit_ends() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| {
        for relu in root.find_all("ttir.relu") {
            let input = relu.operand(0).expect("relu has an operand");
            rewriter.replace(relu, &[input]);
            rewriter.erase(relu);
            assert!(rewriter.is_erased(relu));
            assert_eq!((relu.name(), relu.operand_count()), ("ttir.relu", 0));
            assert!(relu.block().is_none() && relu.parent().is_none() && relu.next().is_none());
        }
    });
    assert!(module.verify().is_ok());
    assert!(module.op().find_all("ttir.relu").is_empty());
}

#[test]
#[should_panic(expected = "cannot erase an operation whose result is read")]
fn an_operation_that_is_read_is_not_erased() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| rewriter.erase(root.find_all("ttir.relu")[0]));
}

#[test]
#[should_panic(expected = "no dialect registers the operation 'ttir.nonsense'")]
fn an_unknown_operation_is_a_panic_not_an_abort() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| {
        let at = At::End(root.body().expect("a module has a body"));
        rewriter.insert(at, NewOp::new("ttir.nonsense", root.location()));
    });
}

#[test]
fn operations_are_made_with_attributes_and_regions() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| {
        let cx = rewriter.context();
        let relu = root.find_all("ttir.relu")[1];
        let (input, result) = (relu.operands()[0], relu.results()[0]);
        let region = rewriter.insert(
            At::Before(relu),
            NewOp::new("ttnn.kernel_region", relu.location())
                .operands([input])
                .results([result.r#type()])
                .attribute("kernel", cx.symbol_attribute("k"))
                .attribute("target", cx.string_attribute("tensix"))
                .region([(input.r#type(), relu.location())]),
        );
        let body = region.body().expect("the region was made with a block");
        rewriter.move_to(relu, At::Start(body));
        rewriter.replace_all_uses(result, region.results()[0]);
        rewriter.set_operand(relu, 0, body.arguments()[0]);
        rewriter.insert(
            At::End(body),
            NewOp::new("ttnn.yield", relu.location()).operands([result]),
        );
        assert_eq!(
            region
                .attribute("kernel")
                .and_then(AttributeValue::symbol_name),
            Some("k")
        );
        assert_eq!(relu.parent(), Some(region));
        assert_eq!(result.uses().len(), 1);
    });
    assert!(module.verify().is_ok(), "{:?}", errors(&context));
}

#[test]
fn many_operations_are_walked_without_recursion() {
    let count = 100_000;
    let context = Context::new();
    let text = "%0 = arith.constant 0 : i32\n".replace("%0 = ", "");
    let module = parse(&context, &text.repeat(count));
    assert_eq!(module.op().walk(WalkOrder::Post).len(), count + 1);
    assert_eq!(module.op().children().len(), count);
}

struct Closure<F>(F);

impl<F> Pass for Closure<F>
where
    F: for<'a> Fn(Op<'a>, &Rewriter<'a>) -> Result<(), Reported> + Send + Sync,
{
    fn name(&self) -> &str {
        "closure"
    }

    fn run<'a>(&self, op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        (self.0)(op, rewriter)
    }
}

fn run<F>(module: &mut Module, pass: F) -> Result<(), Stopped>
where
    F: for<'a> Fn(Op<'a>, &Rewriter<'a>) -> Result<(), Reported> + Send + Sync + 'static,
{
    let mut pipeline = Pipeline::new("builtin.module");
    pipeline.steps.push(Step::Rust(Box::new(Closure(pass))));
    pipeline.run(module, true, &mut Silent)
}

#[test]
fn what_passes_do_wrong_is_an_error() {
    let context = Context::new();
    let stopped = |pass: fn(Op) -> Result<(), Reported>| {
        let mut module = parse(&context, TWO_RELUS);
        let stopped = run(&mut module, move |op, _| pass(op)).expect_err("the pass fails");
        (stopped.to_string(), errors(&context))
    };
    assert_eq!(
        stopped(|op| Err(op.find_all("ttir.relu")[0].error("is too dull"))),
        (
            "pass 'closure' failed".to_owned(),
            vec!["test.mlir:3:8: error: 'ttir.relu' op is too dull".to_owned()]
        )
    );
    let (text, found) = stopped(|_| panic!("oh no"));
    assert_eq!(text, "pass 'closure' panicked; this is a bug in it");
    assert!(
        found[0].ends_with("internal error: pass 'closure' panicked: oh no"),
        "{found:?}"
    );
}

#[test]
fn a_pass_that_breaks_the_ir_is_named() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    let stopped = run(&mut module, |op, rewriter| {
        let relu = op.find_all("ttir.relu")[0];
        rewriter.set_operands(relu, &[]);
        Ok(())
    });
    assert_eq!(
        stopped.map_err(|stopped| stopped.to_string()),
        Err("pass 'closure' left invalid IR behind".into())
    );
    assert_eq!(
        errors(&context),
        ["test.mlir:3:8: error: 'ttir.relu' op requires a single operand"]
    );
}

#[test]
fn a_pass_that_breaks_symbols_is_named_at_the_end() {
    const CALL: &str = "func.func private @called()\n\
                        func.func @calls() {\n  func.call @called() : () -> ()\n  return\n}\n";
    fn erases<'a>(op: Op<'a>, rewriter: &Rewriter<'a>) -> Result<(), Reported> {
        rewriter.erase(op.children()[0]);
        Ok(())
    }
    let context = Context::new();
    let mut module = parse(&context, CALL);
    let mut pipeline = Pipeline::new("builtin.module");
    pipeline.steps.push(Step::Rust(Box::new(Closure(erases))));
    let nothing = |_: Op, _: &Rewriter| Ok(());
    pipeline.steps.push(Step::Rust(Box::new(Closure(nothing))));
    let stopped = pipeline.run(&mut module, true, &mut Silent);
    assert_eq!(
        stopped.map_err(|stopped| stopped.to_string()),
        Err("pass 'closure' left invalid IR behind".into())
    );
    assert_eq!(
        errors(&context),
        ["test.mlir:3:3: error: 'func.call' op 'called' does not reference a valid function"]
    );
}

#[test]
fn passes_of_mlir_run_between_ours() {
    let context = Context::new();
    let mut module = parse(&context, &TWO_RELUS.replace("%1 : tensor", "%a : tensor"));
    let mut pipeline = Pipeline::new("builtin.module");
    let mut inner = Pipeline::new("func.func");
    inner.steps.push(Step::Upstream(
        UpstreamPass::new(&context, "func.func", "canonicalize").expect("registered"),
    ));
    pipeline.steps.push(Step::Nested(inner));
    assert_eq!(pipeline.run(&mut module, true, &mut Silent), Ok(()));
    assert!(module.op().find_all("ttir.relu").is_empty());
    assert!(UpstreamPass::new(&context, "builtin.module", "nonsense").is_err());
}

/// A pass can be handed to another thread, so it must be fit for it.
#[test]
fn passes_are_fit_for_threads() {
    fn check<T: Send + Sync + ?Sized>() {}
    check::<dyn Pass>();
}

#[test]
fn words_are_those_of_ods() {
    fn check<T: Copy + std::fmt::Debug + PartialEq>(
        context: &Context,
        all: &[T],
        attribute: impl for<'a> Fn(T, ContextRef<'a>) -> Attribute<'a>,
        of: impl Fn(Attribute) -> Option<T>,
    ) {
        for case in all {
            assert_eq!(of(attribute(*case, context.as_ref())), Some(*case));
        }
    }
    let context = Context::new();
    macro_rules! check_words {
        ($($name:ty)*) => {$(check(&context, <$name>::ALL, |case, cx| case.attribute(cx), |a| <$name>::of(a));)*};
    }
    check_words! {
        ttcore::Arch ttcore::DataType ttcore::ArgumentType
        ttnn::PageLayout ttnn::TensorMemoryLayout ttnn::BufferType ttnn::ShardOrientation
        pto::Kind pto::Fidelity pto::Dst pto::Unit pto::Broadcast pto::Platform pto::Placement pto::Split
    }
    for fidelity in ttnn::MathFidelity::ALL {
        let text = format!(
            "#ttnn.device_compute_kernel_config<math_fidelity = {}>",
            fidelity.name()
        );
        let config = context
            .as_ref()
            .parse_attribute(&text)
            .and_then(ComputeConfig::from_attribute);
        assert_eq!(
            config.and_then(ComputeConfig::math_fidelity),
            Some(fidelity)
        );
    }
    let text =
        "#ttnn.device_compute_kernel_config<fp32_dest_acc_en = true, dst_full_sync_en = false>";
    let config = context
        .as_ref()
        .parse_attribute(text)
        .and_then(ComputeConfig::from_attribute);
    assert_eq!(
        config.map(|config| [config.fp32_dest_acc_en(), config.dst_full_sync_en()]),
        Some([Some(true), Some(false)])
    );
    let row_major = ttnn::PageLayout::RowMajor.attribute(context.as_ref());
    assert_eq!(ttnn::ShardOrientation::of(row_major), None);
}

#[test]
fn layouts_are_made_and_taken_apart() {
    let context = Context::new();
    let cx = context.as_ref();
    let tile = Tile {
        height: 32,
        width: 32,
        data_type: ttcore::DataType::BFloat16,
    };
    let parts = |grid: &[u64]| LayoutParts {
        collapse: vec![64, 1],
        grid: grid.to_vec(),
        shard: vec![4, 3],
        element: tile.r#type(cx).expect("a tile type"),
        buffer_type: ttnn::BufferType::Dram,
        memory_layout: Some(ttnn::TensorMemoryLayout::Interleaved),
    };
    let layout = Layout::new(cx, cx.unknown_location(), &parts(&[1, 1])).expect("the parts fit");
    assert_eq!(
        layout.attribute().to_string(),
        "#ttnn.ttnn_layout<(d0, d1, d2) -> (d0 * 64 + d1, d2), <1x1>, memref<4x3x!ttcore.tile<32x32, bf16>, \
         #ttnn.buffer_type<dram>>, <interleaved>>"
    );
    assert_eq!(layout.linear(), "(d0, d1, d2) -> (d0 * 64 + d1, d2)");
    assert_eq!((layout.grid(), layout.shard()), (vec![1, 1], vec![4, 3]));
    assert_eq!(
        (layout.tile(), layout.scalar()),
        (Some(tile), Some(ttcore::DataType::BFloat16))
    );
    assert_eq!(layout.buffer_type(), ttnn::BufferType::Dram);
    assert_eq!(
        layout.memory_layout(),
        Some(ttnn::TensorMemoryLayout::Interleaved)
    );
    assert_eq!(
        Layout::new(cx, cx.unknown_location(), &parts(&[2, 2])),
        None
    );
    assert_eq!(
        errors(&context),
        ["error: expected (1, 1) grid shape for dram buffer type with interleaved memory layout, got (2, 2)"]
    );
    assert_eq!(Shape::new(cx, &[2, 3]).extents(), [2, 3]);
}

#[test]
fn types_of_pto_are_made_and_taken_apart() {
    let context = Context::new();
    let context = context.as_ref();
    let parse = |text: &str| context.parse_type(text).expect(text);
    let mut rows = vec![
        ("f32", vec![8, 8], vec![8, 8], Some(256)),
        ("f64", vec![8, 8], vec![0, 8], Some(512)),
        ("i1", vec![8, 8], vec![8, 8], Some(64)),
        ("ui16", vec![8, 8], vec![8, 7], Some(128)),
        ("index", vec![8, 8], vec![8, 8], None),
    ];
    for space in pto::Space::ALL {
        for layout in pto::Layout::ALL {
            rows.push(("bf16", vec![32, 16], vec![8, 16], Some(1024)));
            for (element, shape, valid, bytes) in rows.drain(..) {
                let (element, space, layout) = (parse(element), *space, *layout);
                let tile = pto::Tile {
                    shape,
                    valid,
                    element,
                    space,
                    layout,
                };
                let r#type = tile.to_type(context).expect("a tile type");
                assert_eq!(r#type.to_string(), tile.to_string());
                assert_eq!(tile.bytes(), bytes, "{tile}");
                assert_eq!(pto::tile(r#type), Some(tile));
            }
        }
    }
    for direction in pto::Direction::ALL {
        for split in pto::Split::ALL {
            let pipe = pto::Pipe {
                direction: *direction,
                slot_num: 3,
                slot_size: 640,
                split: *split,
            };
            let r#type = pipe.to_type(context).expect("a pipe type");
            assert_eq!(r#type.to_string(), pipe.to_string());
            assert_eq!(pto::pipe(r#type), Some(pipe));
            assert_eq!(pipe.bytes(), 1920);
            assert_ne!(direction.producer(), direction.consumer());
            assert_eq!(direction.ring().side(), direction.consumer());
        }
    }
    let masks = pto::Direction::ALL.iter().map(|one| one.mask());
    assert_eq!(masks.collect::<Vec<_>>(), [1, 2]);
    let buffer = |bytes, space| pto::Buffer { bytes, space };
    let ring = buffer(64, pto::Space::Vec);
    assert_eq!(ring.to_type(context).and_then(pto::buffer), Some(ring));
    assert_eq!(buffer(64, pto::Space::Acc).to_type(context), None);
    for (text, bytes) in [
        ("memref<96xi8>", Some(96)),
        ("memref<96xui8>", Some(96)),
        ("memref<96xf32>", None),
        ("memref<?xi8>", None),
        ("memref<3x32xi8>", None),
        ("tensor<96xi8>", None),
    ] {
        assert_eq!(pto::slot_buffer(parse(text)), bytes, "{text}");
    }
    let none = parse("f32");
    assert!(pto::tile(none).is_none() && pto::pipe(none).is_none() && pto::buffer(none).is_none());
}
