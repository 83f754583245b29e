//! The wrapper does what melior and the C API do not: each known hole of theirs has a test here.

use super::*;
use crate::builtin::ModuleOp;
use crate::func::FuncOp;
use crate::ttnn::KernelRegionOp;
use crate::{arith, mncore, pto, scf, ttcore, ttir, ttnn};

fn source(text: &str) -> Source {
    Source::new("test.mlir", text.as_bytes().to_vec()).expect("a text the parser survives")
}

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    match Module::parse(context, &source(text)) {
        Ok(module) => module,
        Err(_) => panic!("{:?}", context.diagnostics().drain()),
    }
}

fn errors(context: &Context) -> Vec<String> {
    context
        .diagnostics()
        .drain()
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
        for relu in root.find_all::<ttir::ReluOp>() {
            let input = relu.operand(0).expect("relu has an operand");
            rewriter.replace(*relu, &[input]);
            rewriter.erase(*relu);
            assert!(rewriter.is_erased(*relu));
            assert_eq!((relu.name(), relu.operand_count()), (ttir::ReluOp::NAME, 0));
            assert!(relu.block().is_none() && relu.parent().is_none() && relu.next().is_none());
        }
    });
    assert!(module.verify().is_ok());
    assert!(module.op().find_all::<ttir::ReluOp>().is_empty());
}

#[test]
#[should_panic(expected = "cannot erase an operation whose result is read")]
fn an_operation_that_is_read_is_not_erased() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| rewriter.erase(*root.find_all::<ttir::ReluOp>()[0]));
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
        let relu = *root.find_all::<ttir::ReluOp>()[1];
        let (input, result) = (relu.operands()[0], relu.results()[0]);
        let region = rewriter.insert(
            At::Before(relu),
            KernelRegionOp::build(relu.location())
                .operands([input])
                .results([result.r#type()])
                .with(cx, KernelRegionOp::KERNEL, "k")
                .with(cx, KernelRegionOp::TARGET, "tensix")
                .region([(input.r#type(), relu.location())]),
        );
        let body = region.body().expect("the region was made with a block");
        rewriter.move_to(relu, At::Start(body));
        rewriter.replace_all_uses(result, region.results()[0]);
        rewriter.set_operand(relu, 0, body.arguments()[0]);
        rewriter.insert(
            At::End(body),
            ttnn::YieldOp::build(relu.location()).operands([result]),
        );
        let view = region.dyn_cast::<KernelRegionOp>().expect("it is one");
        assert_eq!((view.kernel(), view.arch()), (Some("k"), None));
        assert_eq!(
            (view.inputs(), view.results()),
            (vec![input], region.results())
        );
        assert_eq!(relu.parent(), Some(region));
        assert_eq!(result.uses().len(), 1);
    });
    assert!(module.verify().is_ok(), "{:?}", errors(&context));
}

/// An operation that no verifier has seen may lack everything, or have attributes of other kinds.
#[test]
fn views_find_nothing_where_it_is_not() {
    let context = Context::new();
    let mut module = parse(&context, TWO_RELUS);
    module.edit(|root, rewriter| {
        let cx = rewriter.context();
        let at = At::End(root.body().expect("a module has a body"));
        let insert = |new| rewriter.insert(at, new);
        let load = insert(pto::TLoadOp::build(root.location()));
        let load = load.dyn_cast::<pto::TLoadOp>().expect("it is one");
        assert_eq!(
            (load.source(), load.column(), load.result()),
            (None, None, None)
        );
        // MLIR drops an attribute of another kind than is declared.
        let pipeline = mncore::PipelineOp::build(root.location())
            .attribute(mncore::PipelineOp::II.name(), cx.string_attribute("two"))
            .with(cx, mncore::PipelineOp::MIN_II, 3);
        let pipeline = insert(pipeline).dyn_cast::<mncore::PipelineOp>();
        let pipeline = pipeline.expect("it is one");
        assert_eq!((pipeline.ii(), pipeline.min_ii()), (None, Some(3)));
        assert!(mncore::PipelineOp::MIN_II.is_in(*pipeline));
        assert_eq!((pipeline.body_region(), pipeline.constants()), (None, None));
        let full = insert(ttnn::FullOp::build(root.location()));
        let full = full.dyn_cast::<ttnn::FullOp>().expect("it is one");
        assert_eq!((full.device(), full.shape()), (None, None));
        assert!(full.dyn_cast::<ttnn::OnesOp>().is_none());
        assert!(full.isa::<ttnn::ShapedOp>() && !load.isa::<ttnn::ShapedOp>());
        for made in [*load, *pipeline, *full] {
            rewriter.erase(made);
        }
    });
}

#[test]
fn views_tell_groups_of_operands_apart() {
    let context = Context::new();
    let text = r#"
func.func @f(%n: index, %m: index, %c: i1, %x: i32) {
  %0 = scf.for %i = %n to %m step %n iter_args(%y = %x) -> i32 { scf.yield %y : i32 }
  scf.parallel (%i, %j) = (%n, %n) to (%m, %n) step (%m, %m) { }
  return
}"#;
    let module = parse(&context, text);
    let function = module.op().find_all::<FuncOp>()[0];
    let arguments = function.body().map(Block::arguments).unwrap_or_default();
    let [n, m, _, x] = arguments[..] else {
        panic!("{arguments:?}")
    };
    let r#for = module.op().find_all::<scf::ForOp>()[0];
    assert_eq!((r#for.step(), r#for.init_args()), (Some(n), vec![x]));
    assert_eq!(r#for.results(), r#for.op().results());
    let parallel = function.children()[1];
    let groups = [0, 1, 2, 3, 4].map(|group| parallel.operand_segment(group));
    assert_eq!(groups, [vec![n, n], vec![m, n], vec![m, m], vec![], vec![]]);
    assert_eq!(parallel.operand_from_end(1), Some(m));
    assert_eq!(parallel.operand_from_end(6), None);
    assert_eq!(parallel.operands_between(1, 4), [n]);
    assert_eq!(parallel.operands_between(5, 5), []);
    assert_eq!(
        (r#for.result_from_end(0), r#for.result_from_end(1)),
        (r#for.result(0), None)
    );
    assert_eq!(parallel.results_between(0, 0), []);
}

/// Every kind of attribute is written and read back by its key.
#[test]
fn keys_read_what_they_make() {
    use attribute_key::*;
    fn check<'a, K>(cx: ContextRef<'a>, given: K::Given<'a, '_>, expect: K::Value<'a>, text: &str)
    where
        K: AttributeKind,
        K::Value<'a>: PartialEq + std::fmt::Debug,
    {
        let made = K::write(cx, given);
        assert_eq!(made.to_string(), text);
        assert_eq!(K::read(made), Some(expect));
    }
    let context = Context::new();
    let cx = context.as_ref();
    check::<Text>(cx, "x", "x", "\"x\"");
    check::<Symbol>(cx, "x", "x", "@x");
    check::<Symbols>(cx, &["x", "y"], vec!["x", "y"], "[@x, @y]");
    check::<Int<32>>(cx, 7, 7, "7 : i32");
    check::<Int<64>>(cx, -7, -7, "-7 : i64");
    check::<SignedInt<32>>(cx, -7, -7, "-7 : si32");
    check::<Float<32>>(cx, 0.5, 0.5, "5.000000e-01 : f32");
    check::<Float<64>>(cx, 0.5, 0.5, "5.000000e-01 : f64");
    check::<Bool>(cx, true, true, "true");
    check::<Unit>(cx, (), (), "unit");
    check::<TypeValue>(cx, cx.bf16(), cx.bf16(), "bf16");
    check::<Ints<32>>(cx, &[1, 2], vec![1, 2], "[1 : i32, 2 : i32]");
    check::<DenseInts<32>>(cx, &[1, 2], vec![1, 2], "array<i32: 1, 2>");
    check::<DenseInts<64>>(cx, &[1, 2], vec![1, 2], "array<i64: 1, 2>");
    let (one, unit) = (cx.bool_attribute(true), cx.unit_attribute());
    check::<List>(cx, &[one, unit], vec![one, unit], "[true, unit]");
    check::<Dictionary>(cx, &[("a", one)], vec![("a", one)], "{a = true}");
    check::<Any>(cx, one, one, "true");
    check::<pto::Kind>(cx, pto::Kind::Cube, pto::Kind::Cube, "#pto.kind<cube>");
    let shape = ttnn::Shape::new(cx, &[2, 3]);
    check::<ttnn::Shape>(cx, &[2, 3], shape, "#ttnn.shape<2x3>");
    // Another kind is no value.
    assert_eq!(Text::read(one), None);
    assert_eq!(Symbols::read(cx.array_attribute(&[one])), None);
    assert_eq!(Ints::<32>::read(cx.array_attribute(&[unit])), None);
    assert_eq!(pto::Kind::read(one), None);
    assert_eq!(arith::ConstantOp::VALUE.name(), "value");
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
    let mut pipeline = Pipeline::new(ModuleOp::NAME);
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
        stopped(|op| Err(op.find_all::<ttir::ReluOp>()[0].error("is too dull"))),
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
        let relu = op.find_all::<ttir::ReluOp>()[0];
        rewriter.set_operands(*relu, &[]);
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
    let mut pipeline = Pipeline::new(ModuleOp::NAME);
    let mut inner = Pipeline::new(FuncOp::NAME);
    inner.steps.push(Step::Upstream(
        UpstreamPass::new(&context, FuncOp::NAME, "canonicalize").expect("registered"),
    ));
    pipeline.steps.push(Step::Nested(inner));
    assert_eq!(pipeline.run(&mut module, true, &mut Silent), Ok(()));
    assert!(module.op().find_all::<ttir::ReluOp>().is_empty());
    assert!(UpstreamPass::new(&context, ModuleOp::NAME, "nonsense").is_err());
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
        ($($name:ty)*) => {$(
            check(
                &context,
                <$name>::ALL,
                |case, cx| case.attribute(cx),
                |a| <$name>::from_attribute(a),
            );
        )*};
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
    assert_eq!(ttnn::ShardOrientation::from_attribute(row_major), None);
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
