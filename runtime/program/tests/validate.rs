//! Inconsistent files: each problem is reported with its place.

mod common;

use common::mncore::argument;
use common::{kernel, op, operation, sample, tensor};
use std::sync::Arc;
use tessera_isa_mncore::unit::UNIT_BYTES;
use tessera_isa_tensix::list::Entry;
use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::Arch;
use tessera_ops::{AttributeValue, View};
use tessera_program::*;
use tessera_pto::kernel::{Element, OpKind};
use tessera_pto::rearrange::Rearrangement;

/// Checks the validation error of the sample after `change`.
fn check(change: impl FnOnce(&mut Binary), expected: &str) {
    let mut binary = sample();
    change(&mut binary);
    let error = binary.validate().expect_err(expected);
    assert_eq!(error.to_string(), expected);
    assert_eq!(
        binary.to_bytes().unwrap_err(),
        error,
        "an inconsistent value is not written"
    );
}

/// Checks the sample with one more operation before the end, which defines a new tensor of type
/// `result`.
fn check_op(result: TensorDesc, op: impl FnOnce(GlobalId) -> TensorOp, problem: &str) {
    let mut binary = sample();
    let program = &mut binary.programs[0];
    let out = program.add_tensor(result);
    let op = op(out);
    let name = op.op.name;
    program.operations.push(operation(op));
    let error = binary.validate().expect_err(problem);
    assert_eq!(
        error.to_string(),
        format!("program 'forward', operation 13 ({name}): {problem}")
    );
}

fn host(shape: &[u64]) -> TensorDesc {
    tensor(shape, DataType::BF16, MemorySpace::System)
}

/// Returns parts of the kernel group, operation 4.
fn group(binary: &mut Binary) -> (&mut Vec<Operation>, &mut Vec<GlobalId>, &mut Vec<KernelRef>) {
    match &mut binary.programs[0].operations[4].op {
        Op::Kernel(group) => (
            &mut group.operations,
            &mut group.outputs,
            &mut group.kernels,
        ),
        other => panic!("{other:?}"),
    }
}

#[test]
fn sample_is_consistent() {
    sample().validate().unwrap();
}

#[test]
fn systems() {
    check(
        |b| b.system_desc.chips.clear(),
        "system description: it has no chip",
    );
    check(
        |b| b.system_desc.chips.push(Chip::Tensix(Arch::Blackhole)),
        "system description: it has blackhole beside another chip of its family: a system has one \
         of each",
    );
    let mut binary = sample();
    binary.system_desc.chips.push(Chip::MnCore2);
    assert_eq!(binary.validate(), Ok(()));
}

#[test]
fn programs_and_tensors() {
    check(
        |b| b.programs.push(b.programs[0].clone()),
        "program 'forward': there is another program of this name",
    );
    check(
        |b| b.programs[0].tensors[3].shape = vec![1; 9],
        "program 'forward', tensor 3: it has rank 9, more than the limit of 8",
    );
    check(
        |b| b.programs[0].tensors[3].shape = vec![5, 0],
        "program 'forward', tensor 3: its shape 5x0 has an extent of 0",
    );
    for shape in [vec![1 << 31], vec![u64::MAX, 2], vec![1 << 15, 1 << 16]] {
        let text = shape
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join("x");
        check(
            |b| b.programs[0].tensors[3].shape = shape,
            &format!(
                "program 'forward', tensor 3: a tensor of shape {text} is larger than the limit of \
                 2147483648 bytes"
            ),
        );
    }
}

#[test]
fn definitions_and_uses() {
    check(
        |b| b.programs[0].inputs.push(99),
        "program 'forward', inputs: tensor 99 is not declared",
    );
    check(
        |b| b.programs[0].inputs.push(0),
        "program 'forward', inputs: tensor 0 is defined a second time",
    );
    check(
        |b| b.programs[0].outputs.push(2),
        "program 'forward', outputs: tensor 2 is used but not defined before, or was deallocated",
    );
    check(
        |b| b.programs[0].operations.swap(1, 4),
        "program 'forward', operation 1 (kernel): tensor 2 is used but not defined before, or was \
         deallocated",
    );
    check_op(
        host(&[2, 5]),
        |_| op("typecast", &[10], &[10]),
        "tensor 10 is defined a second time",
    );
    check_op(
        host(&[2, 5]),
        |out| op("typecast", &[5], &[out]),
        "tensor 5 is used but not defined before, or was deallocated",
    );
}

#[test]
fn results() {
    let binary = |name, lhs, rhs| move |out| op(name, &[lhs, rhs], &[out]);
    check_op(
        host(&[2, 4]),
        binary("multiply", 10, 9),
        "result shape (2, 4) doesn't match expected shape after broadcasting (2, 5)",
    );
    check_op(
        host(&[2, 5]),
        binary("subtract", 10, 0),
        "operand shape (2, 3) is not broadcast compatible with inferred operand shapes (2, 5)",
    );
    check_op(
        host(&[2, 5]),
        binary("add", 10, 12),
        "'add' has element type 'i32' where 'bf16' is needed; insert a typecast",
    );
    check_op(
        host(&[2, 5]),
        binary("bitwise_and", 10, 10),
        "'bitwise_and' does not support element type 'bf16'; cast to 'i32' first",
    );
    check_op(
        host(&[2, 5]),
        binary("lt", 10, 12),
        "'lt' has element type 'bf16' where 'i32' is needed; insert a typecast",
    );
    check_op(
        host(&[2, 5]),
        |out| op("exp", &[12], &[out]),
        "'exp' does not support element type 'i32'; cast to 'f32' first",
    );
    check_op(
        host(&[2, 5]),
        |out| op("softmax", &[12], &[out]).with("dimension", AttributeValue::Int(1)),
        "'softmax' does not support element type 'i32'; cast to 'f32' first",
    );
    check_op(
        host(&[2, 5]),
        |out| op("where", &[12, 10], &[out]),
        "'where' takes 3 operands, but has 2",
    );
    check_op(
        host(&[2, 5]),
        |out| op("where", &[12, 10, 12], &[out]),
        "'where' has element type 'i32' where 'bf16' is needed; insert a typecast",
    );
    check_op(
        host(&[2]),
        |out| op("neg", &[9], &[out]),
        "result shape (2) doesn't match expected shape after broadcasting ()",
    );
    check_op(
        host(&[3]),
        |out| op("constant", &[], &[out]).with("value", AttributeValue::Bytes(vec![0; 5])),
        "the constant has 5 bytes, its tensor 6",
    );
    check_op(
        host(&[2, 2]),
        binary("matmul", 0, 0),
        "Input A[-1](3) and B[-2](2) must have matching inner dimensions",
    );
    check_op(
        host(&[2]),
        binary("matmul", 0, 9),
        "Input B must be at least a 1D tensor",
    );
    check_op(
        host(&[2, 2]),
        |out| op("add", &[0, 0], &[out, out]),
        "'add' has 1 results, but defines 2 tensors",
    );
    check_op(
        host(&[2, 2]),
        |out| op("deallocate", &[0], &[out]),
        "'deallocate' has 0 results, but defines 1 tensors",
    );
    // Unsigned integers: functions that every arithmetic has.
    let unsigned = |b: &mut Binary| b.programs[0].tensors[13].data_type = DataType::UI8;
    check(
        |b| {
            unsigned(b);
            let op = op("bitwise_not", &[13], &[13]);
            b.programs[0].operations.push(operation(op));
        },
        "program 'forward', operation 13 (bitwise_not): 'bitwise_not' does not support element \
         type 'ui8'; cast to 'i32' first",
    );
}

#[test]
fn attributes() {
    let (flag, int) = (AttributeValue::Bool(true), AttributeValue::Int(1));
    let product = |out| op("matmul", &[0, 0], &[out]).with_flag("transpose_b");
    check_op(
        host(&[2, 5]),
        |out| op("softmax", &[10], &[out]),
        "'softmax' requires attribute 'dimension'",
    );
    check_op(
        host(&[2, 5]),
        |out| op("softmax", &[10], &[out]).with("dimension", flag),
        "attribute 'dimension' of 'softmax' must be an integer",
    );
    check_op(
        host(&[2, 5]),
        |out| op("neg", &[10], &[out]).with("dimension", int.clone()),
        "'neg' has no attribute 'dimension'",
    );
    check_op(
        host(&[2, 2]),
        |out| product(out).with("transpose_b", int),
        "attribute 'transpose_b' of 'matmul' must be a boolean",
    );
    check_op(
        host(&[2, 2]),
        |out| product(out).with("activation", AttributeValue::Text("relu".into())),
        "'matmul' has an activation, which no device applies; apply it in an operation of its own",
    );
    check_op(
        host(&[2, 5]),
        |out| op("softmax", &[10], &[out]).with("dimension", AttributeValue::Int(2)),
        "Dimension attribute must be within the bounds of the input tensor",
    );
    check_op(
        host(&[]),
        |out| op("full", &[], &[out]),
        "'full' requires attribute 'fill_value'",
    );
}

#[test]
fn moves() {
    let to = |memory| tensor(&[2, 3], DataType::BF16, memory);
    let moved = |name| move |out| op(name, &[0], &[out]);
    use MemorySpace::{Dram, System};
    check_op(
        to(System),
        moved("to_device"),
        "to_device cannot go from system to system memory",
    );
    check_op(
        to(Dram),
        moved("from_device"),
        "from_device cannot go from system to dram memory",
    );
    check_op(
        to(Dram),
        moved("to_memory_config"),
        "to_memory_config cannot go from system to dram memory",
    );
    check_op(
        tensor(&[2, 3], DataType::F32, System),
        moved("to_layout"),
        "'to_layout' has element type 'bf16' where 'f32' is needed; insert a typecast",
    );
}

#[test]
fn kernels() {
    check(
        |b| {
            b.kernels.push(Kernel {
                name: "twin".into(),
                ..kernel()
            })
        },
        "kernel 4 ('twin'): it has the content of kernel 0: share one",
    );
    check_body(
        |body| body.outputs = 0,
        "entry 3 of its dm list names argument 3, but it has 3",
    );
    check_body(
        |body| body.l1_end = 0x16e001,
        "it uses L1 up to 0x16e001, but L1 ends at 0x16e000",
    );
    check_body(
        |body| body.lists.pack[1] = Entry::SemPost(8),
        "entry 1 of its pack list names semaphore 8; there are semaphores 0 to 7",
    );
    check_body(
        |body| body.lists.unpack[2] = Entry::MopCfg { index: 9, value: 0 },
        "entry 2 of its unpack list stores to MopCfg[9]; there are MopCfg[0] to MopCfg[8]",
    );
}

/// Checks the validation error of the only kernel after `change`.
fn check_body(change: fn(&mut TensixLists), expected: &str) {
    check(
        |b| {
            let KernelBody::Tensix(body) = &mut b.kernels[0].body else {
                panic!("the kernel is not one of lists")
            };
            change(body);
        },
        &format!("kernel 0 ('linear_relu'): {expected}"),
    );
}

/// Checks the validation error of the kernel of images after `change`.
fn check_images(change: impl FnOnce(&mut TensixImages), expected: &str) {
    check(
        |b| {
            let KernelBody::TensixImages(images) = &mut b.kernels[1].body else {
                panic!("kernel 1 is not one of images")
            };
            change(images);
        },
        &format!("kernel 1 ('images'): {expected}"),
    );
}

#[test]
fn kernels_of_images() {
    check_images(|images| images.work = 0, "it has no work");
    for (core, words, text) in [
        (0, 0, "B has 0 words; it can have 1 to 6144"),
        (1, 4097, "T0 has 4097 words; it can have 1 to 4096"),
    ] {
        check_images(
            |images| images.tiles[0][core].image = Arc::new(Image::new(vec![0; words], vec![])),
            &format!("the image of core {text}"),
        );
    }
    let steps = |steps: &[(u32, u32)]| {
        let steps = steps
            .iter()
            .map(|&(word, operation)| Step { word, operation });
        Arc::new(Image::new(vec![0x0000_006f; 2], steps.collect()))
    };
    for (image, text) in [
        (
            steps(&[(1, 0), (1, 1)]),
            "its steps are not in the order of words",
        ),
        (
            steps(&[(0, 0), (2, 1)]),
            "a step begins after its last word",
        ),
        (
            steps(&[(0, 2)]),
            "a step is of an operation that has no place",
        ),
    ] {
        check_images(
            |images| images.tiles[0][1].image = image,
            &format!("the image of core T0: {text}"),
        );
    }
    check_images(
        |images| images.tiles[0][1].places[0] = 2,
        "the image of core T0: an operation has a location that is not listed",
    );
    for change in [
        |images: &mut TensixImages| images.tiles[0][3].arguments = vec![Argument::Peer(2)],
        |images: &mut TensixImages| images.rings[0].consumer = 2,
        |images: &mut TensixImages| images.rings[0].producer = 2,
        |images: &mut TensixImages| images.rings[0].ready = 368,
        |images: &mut TensixImages| images.rings[0].freed = 368,
    ] {
        check_images(
            change,
            "a ring or an argument refers to a tile or flag line outside of its cluster of 2 tiles",
        );
    }
    check_images(
        |images| images.grid = Some([3, 4]),
        "its pieces cannot be a grid of 3x4: they are not a multiple, or there are several tiles",
    );
    for grid in [[5, 3], [0, 4]] {
        let [rows, columns] = grid;
        check_images(
            |images| {
                images.tiles.truncate(1);
                images.tiles[0][1].arguments.clear();
                images.rings.clear();
                images.grid = Some(grid);
            },
            &format!(
                "its pieces cannot be a grid of {rows}x{columns}: they are not a multiple, or \
                 there are several tiles"
            ),
        );
    }
    check_images(
        |images| images.tiles[0][3].arguments = vec![Argument::Leads(1)],
        "argument leads 1 of core T2 concerns a grid of workers, which the kernel has not, or \
         another axis than 0 and 1",
    );
    check_images(
        |images| images.tiles[0][3].arguments = vec![Argument::First; 65],
        "core T2 has 65 arguments, but room for 64",
    );
    check_images(
        |images| images.tiles[0][3].arguments = vec![Argument::Base(4)],
        "an argument of core T2 is where tensor 4 begins, but the kernel has 4 tensors",
    );
}

/// Checks the validation error of the groups of tile kernels after `change`.
fn check_groups(change: impl FnOnce(&mut PtoGroups), expected: &str) {
    check(
        |b| {
            let KernelBody::Pto(groups) = &mut b.kernels[2].body else {
                panic!("kernel 2 is not one of tiles")
            };
            change(groups);
        },
        expected,
    );
}

#[test]
fn kernels_over_tiles() {
    let at = "kernel 2 ('tiles'): ";
    check_groups(
        |groups| groups.groups.clear(),
        &format!("{at}it has no group of kernels over tiles"),
    );
    check_groups(
        |groups| groups.inputs = 5,
        &format!("{at}it reads 5 tensors, but has 4"),
    );
    check_groups(
        |groups| groups.groups[1].pipes[0].slots = 0,
        &format!("{at}group 1, pipe CubeToVector UpDown: the ring has no slots"),
    );
    let local = format!("{at}group 1, kernel lower, local tensor 4: ");
    check_groups(
        |groups| groups.groups[1].kernels[2].local[0].matrices = 0,
        &format!("{local}an extent is zero, or there are more than 268435456 elements"),
    );
    check_groups(
        |groups| groups.groups[1].kernels[2].local[0].matrices = 1 << 20,
        &format!("{local}the local tensors of a group have more than 16777216 elements"),
    );
    check_groups(
        |groups| groups.groups[1].kernels[2].local.clear(),
        &format!("{at}group 1, kernel lower: there is no tensor 4"),
    );
    check_groups(
        |groups| groups.groups[1].tensors[2].rows = 7,
        &format!("{at}group 1 has other tensors than the first one"),
    );
    check_groups(
        |groups| {
            let groups = groups.groups.iter_mut();
            groups.for_each(|group| group.tensors[2].columns = 7);
        },
        "program 'forward', operation 4 (kernel): kernel 2 expects 1x1x7xbf16 as tensor 4, which \
         has another type",
    );
    check_groups(
        |groups| {
            let groups = groups.groups.iter_mut();
            groups.for_each(|group| group.tensors[0].element = Element::F32);
        },
        "kernel 2 ('tiles'): group 0, kernel alone at model.mlir:1:1: the tile has elements of \
         bf16, its tensor of f32; convert the tile",
    );
}

/// Checks the validation error of a rearrangement after `change`.
fn check_movement(change: impl FnOnce(&mut Rearrangement), expected: &str) {
    let expected =
        format!("kernel 2 ('tiles'): group 2, kernel moves at model.mlir:3:1: {expected}");
    check_groups(
        |groups| match &mut groups.groups[2].kernels[0].body.ops[0].kind {
            OpKind::Rearrange(moves) => change(moves),
            _ => panic!("group 2 moves elements"),
        },
        &expected,
    );
}

#[test]
fn movements() {
    check_movement(|moves| moves.target = 4, "there is no tensor 4");
    check_movement(
        |moves| moves.sources.clear(),
        "there is no operand 1 to copy",
    );
    check_movement(
        |moves| moves.map.copies[1].source_offset = u64::MAX,
        "a copy reads beyond its operand: its elements are 18446744073709551615 to \
         18446744073709551615, of an array of 5",
    );
    check_movement(
        |moves| moves.map.copies[0].extents = vec![u64::MAX; 2],
        "a copy reads beyond its operand: it has no elements, or too many",
    );
    check_movement(
        |moves| moves.map.copies[0].result_strides = vec![u64::MAX, 1],
        "the dimensions of a copy are not nested in the result, the outermost first",
    );
}

/// Checks the validation error of the kernel for MN-Core 2 after `change`.
fn check_mncore(change: impl FnOnce(&mut MncoreProgram), expected: &str) {
    check(
        |b| {
            let KernelBody::Mncore(program) = &mut b.kernels[3].body else {
                panic!("kernel 3 is not one for MN-Core 2")
            };
            change(program);
        },
        &format!("kernel 3 ('board'): {expected}"),
    );
}

#[test]
fn arguments_on_the_board() {
    use MncoreStorage::{Bf16, Single};
    check_mncore(|p| p.inputs = 5, "it reads 5 tensors, but has 4");
    for (extents, storage, layout, text) in [
        (
            [2, 3],
            Single,
            "i[6]:(w:2,a:4) @PDM+0, rep(g)",
            "argument 0 lies in PDM: the host puts tensors into DRAM only",
        ),
        (
            [2, 3],
            Single,
            "i:(w:2,a:4) @DRAM+0, rep(g)",
            "argument 0, a tensor of 6 elements, has a layout of 8",
        ),
        (
            [2, 0],
            Single,
            "i:(w:2,a:4) @DRAM+0, rep(g)",
            "argument 0, a tensor of 0 elements, has a layout of 8",
        ),
        (
            [2, 3],
            Single,
            "i[6]:(h:4,a:2) @DRAM+0, rep(g)",
            "argument 0 is stored as single, which has 32 bits, but its layout has elements of 16 \
             bits",
        ),
        (
            [2, 3],
            Bf16,
            "i[6]:(w:2,a:4) @DRAM+0, rep(g)",
            "argument 0 is stored as bf16, which has 16 bits, but its layout has elements of 32 \
             bits",
        ),
        (
            [2, 3],
            Single,
            "i[6]:(w:2,a:4) @DRAM+0, sum(g)",
            "the layout of argument 0 holds partial sums: the kernel must add them up before the \
             host can read the tensor",
        ),
        (
            [1, 2],
            Single,
            "i:(a:2*268435456) @DRAM+0, rep(g), at(w=0)",
            "argument 0 spans 8589934624 bytes of DRAM, more than the limit of 4294967296: choose \
             a layout with fewer replicas or less padding",
        ),
        (
            [2, 3],
            Single,
            "i[6]:(w:2,a:4) @DRAM+130, at(g=3)",
            "arguments 0 and 3 overlap: they have long words 0x82..0x86 and 0x80..0x88 of the DRAM \
             of group 3",
        ),
    ] {
        check_mncore(|p| p.tensors[0] = argument(extents, storage, layout), text);
    }
    check_mncore(
        |p| p.tensors[2].tensor.element = Element::F32,
        "argument 2 of f32 cannot be stored as bf16",
    );
    check(
        |b| {
            let KernelBody::Mncore(program) = &mut b.kernels[3].body else {
                panic!("kernel 3 is not one for MN-Core 2")
            };
            program.tensors[0] = argument([4, 2], Single, "i[8]:(w:2,a:4) @DRAM+0, rep(g)");
        },
        "program 'forward', operation 4 (kernel): kernel 3 expects 1x4x2xbf16 as tensor 2, which \
         has another type",
    );
}

/// A view with other rows and columns of the same elements.
#[test]
fn arguments_may_be_seen_otherwise() {
    let mut binary = sample();
    let KernelBody::Mncore(program) = &mut binary.kernels[3].body else {
        panic!("kernel 3 is not one for MN-Core 2")
    };
    let seen = argument(
        [3, 2],
        MncoreStorage::Single,
        "i[6]:(w:2,a:4) @DRAM+0, rep(g)",
    );
    program.tensors[0] = seen;
    binary.validate().expect("six elements are six elements");
}

#[test]
fn arguments_may_be_views() {
    let view = |offset, extents: &[u64], strides: &[i64]| {
        Some(View {
            offset,
            extents: extents.to_vec(),
            strides: strides.to_vec(),
        })
    };
    check_mncore(
        |p| p.tensors[0].view = view(6, &[2, 3], &[-3, -1]),
        "argument 0 has a view that does not fit its tensor: its elements are 1 to 6, of an array \
         of 6",
    );
    check_mncore(
        |p| p.tensors[0].view = view(0, &[2, 2], &[3, 1]),
        "argument 0, a tensor of 4 elements, has a layout of 6",
    );
    let mut binary = sample();
    let KernelBody::Mncore(program) = &mut binary.kernels[3].body else {
        panic!("kernel 3 is not one for MN-Core 2")
    };
    // The first five elements of the result once more, and elsewhere.
    let part = argument(
        [2, 5],
        MncoreStorage::Single,
        "i[5]:(w:2,a:4) @DRAM+256, at(g=3)",
    );
    program.tensors.push(MncoreTensor {
        view: view(0, &[5], &[1]),
        ..part
    });
    let kernels = group(&mut binary).2;
    let reference = kernels.iter_mut().find(|one| one.kernel == 3);
    let args = &mut reference.expect("the group runs it").args;
    args.push(args[3]);
    binary.validate().expect("a result may be several views");
}

#[test]
fn instructions_of_the_board() {
    let program = tessera_isa_mncore::parse("nop\nfvadd $lr0v $lr8v $ls0v").expect("it is a text");
    let mode = tessera_isa_mncore::word::Mode::AutoStride;
    let refused = MncoreProgram::pack(0, vec![], &program, &[], mode).expect_err("two addresses");
    let text = "field `grf0_read_addr`, the read address of GRF0, is assigned two values";
    assert_eq!(
        (refused[0].span.line, refused[0].message.as_str()),
        (2, text)
    );
    check_mncore(
        |p| p.units.truncate(200),
        "its units: 200 bytes are not a multiple of 128, the size of a unit",
    );
    check_mncore(
        |p| p.units[2 * UNIT_BYTES - 1] = 0xff,
        "its units: unit 1: instruction mode 3 is neither flat (0) nor auto-stride (1)",
    );
    // The turn-around register is filled by another kind of transfer than reads it.
    let program = tessera_isa_mncore::parse("nop/4\nl1bmd $lr0v $lb0\nl1bmm $lbi $lr0v");
    let program = program.expect("it is assembly");
    let units = tessera_isa_mncore::unit::pack(&program, tessera_isa_mncore::word::Mode::Flat);
    check_mncore(
        |p| p.units = units.expect("it has words"),
        "line 6 of its listing, `l1bmm $lbi $lr0v`: this transfer moves 4 long words a cycle, the \
         one that filled the turn-around register 64",
    );
    for (runs, text) in [
        (&[(0, 0), (0, 1)][..], "they are not in the order of words"),
        (&[(0, 0), (12, 1)], "one begins after the last word"),
        (&[(0, 3)], "one is of a place that is not listed"),
    ] {
        let runs = runs.iter();
        let runs = runs.map(|&(word, place)| MncoreRun { word, place });
        check_mncore(
            |p| p.runs = runs.collect(),
            &format!("the places of its instructions: {text}"),
        );
    }
}

#[test]
fn kernel_groups() {
    let place = "program 'forward', operation 4 (kernel)";
    check(
        |b| group(b).2[0].kernel = 4,
        &format!("{place}: there is no kernel 4"),
    );
    check(
        |b| group(b).2[0].args.truncate(3),
        &format!("{place}: kernel 0 takes 3 inputs and 1 outputs, but is given 3 arguments"),
    );
    check(
        |b| group(b).2[0].args[0] = 0,
        &format!(
            "{place}: kernel 0 is given tensor 0 to read, which the group does not read from \
             outside"
        ),
    );
    check(
        |b| group(b).2[0].args[3] = 5,
        &format!("{place}: kernel 0 is given tensors [5] to write, but the group defines [6]"),
    );
    check(
        |b| {
            let kernels = group(b).2;
            kernels.push(kernels[0].clone());
        },
        &format!("{place}: two kernels are for tensix on wormhole_b0"),
    );
    check(
        |b| {
            let kernels = group(b).2;
            kernels.push(kernels[1].clone());
        },
        &format!("{place}: two kernels are for pto"),
    );
    check(
        |b| group(b).1[0] = 2,
        &format!("{place}: tensor 2 is used but not defined before, or was deallocated"),
    );
    check(
        |b| group(b).0.push(operation(op("deallocate", &[2], &[]))),
        &format!("{place}: a kernel group cannot hold a deallocate"),
    );
    check(
        |b| {
            let group = b.programs[0].operations[4].clone();
            self::group(b).0.push(group);
        },
        &format!("{place}: a kernel group cannot hold a kernel"),
    );
}
