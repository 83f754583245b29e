//! Programs on the model of MN-Core 2, and errors of the device.

mod common;

use std::num::NonZero;

use common::mncore::{binary_of, group, kernel, load, store, sum, Form};
use common::{inputs, matmul, GROUP};
use tessera_isa_mncore::memory::Precision;
use tessera_program::*;
use tessera_reference::Tensor;
use tessera_runtime::devices::mncore::{
    check, numerics, Figures, MncoreDevice, MncoreOptions, Model, UndeterminedPolicy,
};
use tessera_runtime::devices::reference::ReferenceDevice;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Device, Golden};

/// Runs the only program on these inputs.
fn outputs_of(
    binary: &Binary,
    options: MncoreOptions,
    inputs: Vec<Tensor>,
) -> Result<Vec<Tensor>, String> {
    let program = &binary.programs[0];
    let mut device = MncoreDevice::new(binary, program, options);
    run(&mut device, program, inputs, None).map_err(|error| error.to_string())
}

fn outputs(binary: &Binary, options: MncoreOptions) -> Result<Vec<Tensor>, String> {
    outputs_of(binary, options, inputs(&binary.programs[0], 1))
}

/// Returns the message of an error, without the location of the operation.
fn refusal(result: Result<Vec<Tensor>, String>) -> String {
    let text = result.expect_err("an error");
    let place = "program 'forward', operation 0 (kernel) at loc(\"m.mlir\":1:1): ";
    text.strip_prefix(place).unwrap_or(&text).to_owned()
}

/// Returns a form with one element for each single that the kernel transfers.
fn full() -> Form {
    Form::singles(
        &[128, 128],
        DataType::F32,
        "r:(a:128*16) c:(w:2,a:16,g:4) @DRAM+0",
    )
}

#[test]
fn sums_of_every_form_are_those_of_the_reference() {
    use DataType::{BF16, F32};
    for (shape, data_type, layout) in [
        (&[128, 128][..], F32, full().layout),
        (&[128, 128], BF16, "r:(g:4,a:32) c:(w:2,a:64*32) @DRAM+0"),
        // A layout splits dimensions of a tensor, or takes several as one.
        (&[2, 3, 5], F32, "i:(w:2,a:15) @DRAM+0, rep(g)"),
        (
            &[7, 3, 1, 5],
            BF16,
            "i[7]:(a:8*64) j[15]:(a:16) @DRAM+0, rep(g), at(w=0)",
        ),
        (&[1], F32, "@DRAM+0, rep(g,w)"),
        (&[], BF16, "@DRAM+0, rep(g), at(w=1)"),
        (&[1000], BF16, "i[1000]:(g:4,a:32,w:2,a:4*32) @DRAM+0"),
        (&[31, 33], F32, "r[31]:(g:4,w:2,a:4) c[33]:(a:64*4) @DRAM+0"),
    ] {
        let form = Form::singles(shape, data_type, layout);
        let binary = binary_of(&form, &sum());
        let program = &binary.programs[0];
        let mut device = MncoreDevice::new(&binary, program, MncoreOptions::default());
        let mut golden = Golden::new(program);
        let found = run(&mut device, program, inputs(program, 1), Some(&mut golden));
        let found = found.unwrap_or_else(|error| panic!("{form:?}: {error}"));
        let mut reference = ReferenceDevice::new(program);
        let expected = run(&mut reference, program, inputs(program, 1), None).expect("it runs");
        assert_eq!(found, expected, "{form:?}");
        assert!(golden.pass(), "{form:?}");
    }
}

/// A kernel that does not state the precision of its products is checked against the bound of
/// pseudo-single.
#[test]
fn products_are_pseudo_single_by_default() {
    let layout = "r:(g:2) c[3]:(w:2,a:2) @DRAM+0, rep(g:2*2)";
    let form = Form::singles(&[2, 3], DataType::F32, layout);
    let binary = binary_of(&form, &sum());
    let program = &binary.programs[0];
    let device = MncoreDevice::new(&binary, program, MncoreOptions::default());
    let found = device.numerics(&program.operations[0]).products;
    let expect = numerics(Precision::Pseudo).products;
    assert_eq!(format!("{found:?}"), format!("{expect:?}"));
}

/// A kernel that copies bits: elements that the host stores as 16 bits are returned unchanged.
#[test]
fn elements_of_16_bits_are_moved() {
    let form = Form {
        shape: vec![3, 37],
        data_type: DataType::BF16,
        storage: MncoreStorage::Bf16,
        layout: "r[3]:(g:4) c[37]:(h:4,a:16) @DRAM+0",
    };
    let text = load(1, "lr0", 1) + &store(2, "lr0", 2);
    let binary = binary_of(&form, &text);
    let [_, y] = <[Tensor; 2]>::try_from(inputs(&binary.programs[0], 1)).expect("two inputs");
    assert_eq!(outputs(&binary, MncoreOptions::default()), Ok(vec![y]));
}

/// Every word is a valid integer, including the value of the canary.
#[test]
fn integers_are_moved() {
    let form = Form::singles(
        &[5, 7],
        DataType::SI32,
        "r[5]:(g:4,a:2*64) c[7]:(w:2,a:4) @DRAM+0",
    );
    let text = load(1, "lr0", 1) + &store(2, "lr0", 2);
    let binary = binary_of(&form, &text);
    let values: Vec<f64> = [0x7fed_7fed, -1, i32::MIN, i32::MAX, 1 << 24 | 1]
        .into_iter()
        .cycle()
        .take(35)
        .map(f64::from)
        .collect();
    let tensor = Tensor::from_f64s(vec![5, 7], DataType::SI32, &values).expect("35 integers");
    let inputs = vec![tensor.clone(), tensor.clone()];
    let found = outputs_of(&binary, MncoreOptions::default(), inputs);
    assert_eq!(found, Ok(vec![tensor]));
}

#[test]
fn every_model_gives_the_same_results() {
    let binary = binary_of(&full(), &sum());
    let expected = outputs(&binary, MncoreOptions::default());
    assert!(expected.is_ok(), "{expected:?}");
    for (model, threads, memory_canaries) in [
        (Model::Timed, None, false),
        (Model::Reference, None, true),
        (Model::Fast, NonZero::new(1), true),
    ] {
        let options = MncoreOptions {
            model,
            threads,
            memory_canaries,
            ..MncoreOptions::default()
        };
        assert_eq!(outputs(&binary, options), expected, "{model:?}");
    }
}

/// Sums of sums: the second kernel reads y in place, the third one in another layout.
#[test]
fn figures() {
    let (form, other) = (
        full(),
        Form {
            layout: "r:(g:4,a:32) c:(w:2,a:64*32) @DRAM+0",
            ..full()
        },
    );
    let mut binary = binary_of(&form, &sum());
    // Argument 2 of the first kernel is argument 0 of the second.
    let back = load(2, "lr0", 1) + &load(1, "ls0", 2);
    let back = back + "fvadd $lr0v $lr0v $lm0v\n" + &store(0, "lm0", 3);
    let arguments = |form: &Form| [2, 1, 0].map(|number| form.argument(number)).to_vec();
    let kernels = [&form, &other].map(|form| {
        let kernel = kernel("back", 2, &back, arguments(form));
        binary.intern_kernel(kernel)
    });
    let program = &mut binary.programs[0];
    program.tensors = vec![form.desc(); 6];
    let doubled = |kernel, out| {
        // The group reads both, and so does the kernel, which doubles the first.
        group(kernel, [2, 1, out])
    };
    program.operations.push(doubled(kernels[0], 3));
    program.operations.push(doubled(kernels[1], 4));
    // The first kernel takes this one twice, at two places.
    program.operations.push(group(0, [4, 4, 5]));
    program.outputs = vec![3, 4];
    binary.validate().expect("it is consistent");
    let program = &binary.programs[0];
    let mut device = MncoreDevice::new(&binary, program, MncoreOptions::default());
    let found = run(&mut device, program, inputs(program, 1), None).expect("it runs");
    assert_eq!(found[0], found[1]);
    let bytes = 128 * 128 * 4;
    let figures: Vec<_> = device.kernel_runs().iter().map(Figures::from_run).collect();
    let moved = figures
        .iter()
        .map(|one| [one.packed_bytes, one.relayout_bytes, one.unpacked_bytes]);
    let moved: Vec<_> = moved.map(|bytes_| bytes_.map(|one| one / bytes)).collect();
    // The second kernel finds both in place; the third neither, but the host has one; the fourth
    // needs what a kernel made in two places.
    assert_eq!(moved, [[2, 0, 1], [0, 0, 1], [1, 1, 1], [0, 2, 1]]);
    let first = &figures[0];
    assert_eq!((first.mv_words, first.mv_cycles), (3 * 2048, 3 * 2048 / 16));
    let units: Vec<_> = first.units().filter(|(_, steps)| *steps > 0).collect();
    assert_eq!(units, [("mau-calc", 1), ("l1bm", 3), ("l2bm", 24)]);
    assert!(first.cycles >= 4 * first.steps && first.cycles >= first.mv_cycles);
    let all = Figures::sum(&figures);
    assert_eq!(
        all.cycles,
        figures.iter().map(|one| one.cycles).sum::<u64>()
    );
    assert_eq!(all.occupied[0], 4);
}

/// Returns the line of a listing that contains a text, counted from 1, and the number of steps
/// before it.
fn line_of(binary: &Binary, text: &str) -> (usize, usize) {
    let json = binary.to_json(Section::Kernels);
    let lines = json[0]["code"].as_array().expect("a listing");
    let is_here = |line: &&serde_json::Value| line.as_str().is_some_and(|l| l.contains(text));
    let line = lines.iter().position(|line| is_here(&line)).expect(text);
    let steps = lines[..line].iter().filter(|line| {
        let line = line.as_str().expect("a line");
        !line.starts_with("mv")
    });
    (line + 1, steps.count())
}

#[test]
fn traps_have_places() {
    let listed = " (ttrt read --section kernels lists it)";
    let others = " (ttrt read --section kernels lists it; the option is of mncore-emu)";
    let check = |text: &str, at: &str, options: MncoreOptions, place: &str, reason: &str| {
        let binary = binary_of(&full(), text);
        let (line, step) = line_of(&binary, at);
        let found = refusal(outputs(&binary, options));
        let expected =
            format!("kernel 'sum', step {step}, line {line} of its listing{place}: {reason}");
        let end = if options.limit_steps.is_some() {
            listed
        } else {
            others
        };
        assert!(
            found.starts_with(&expected) && found.ends_with(end),
            "{found}, not {expected}"
        );
    };
    let options = MncoreOptions::default();
    check(
        &sum().replace("nop; wait i01\n", ""),
        "l2bmd $lc0 $lb0",
        options,
        " at sum.mlir:2:1",
        "race: this statement reads a region being written: long words 0x0..0x100 of the L2BM of \
         group 0, L2B 0, in flight since line 1",
    );
    check(
        &sum().replace("$d0 $lc0@.0", "$d8192 $lc0@.0"),
        "mvp/n2048i01 $d8192 $lc0@.0",
        options,
        " at sum.mlir:1:1",
        "long word 0x2000 of the DRAM of group 0 was never written",
    );
    let limited = MncoreOptions {
        limit_steps: Some(3),
        ..options
    };
    check(
        &sum(),
        "l2bmd $lc512 $lb64",
        limited,
        " at sum.mlir:5:1",
        "the program has more than 3 steps; --limit-steps allows more",
    );
    // The timed model sees a read that comes too early; the program is not given its `nop`s.
    let mut binary = binary_of(&full(), &sum());
    let KernelBody::Mncore(body) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one for MN-Core 2")
    };
    let program = tessera_isa_mncore::parse(&sum()).expect("it is assembly");
    let mode = tessera_isa_mncore::word::Mode::Flat;
    let tight = MncoreProgram::pack(2, body.tensors.clone(), &program, &[], mode);
    *body = tight.expect("it has words");
    let timed = MncoreOptions {
        model: Model::Timed,
        ..options
    };
    let found = refusal(outputs(&binary, timed));
    assert!(
        found.starts_with("kernel 'sum', step 9, line 11 of its listing: "),
        "{found}"
    );
}

#[test]
fn undetermined_results_trap_or_are_reported() {
    let binary = binary_of(&full(), &sum());
    let infinities = |sign: f64| {
        let mut values = vec![1.0; 128 * 128];
        values[77] = sign * f64::INFINITY;
        Tensor::from_f64s(vec![128, 128], DataType::F32, &values).expect("it is a tensor")
    };
    let inputs = || vec![infinities(1.0), infinities(-1.0)];
    let found = refusal(outputs_of(&binary, MncoreOptions::default(), inputs()));
    let expected = [
        "at sum.mlir:",
        ": not determined by the manual (",
        "'--undetermined mark' continues",
    ];
    assert!(expected.iter().all(|part| found.contains(part)), "{found}");
    let program = &binary.programs[0];
    let options = MncoreOptions {
        undetermined: UndeterminedPolicy::Mark,
        ..MncoreOptions::default()
    };
    let mut device = MncoreDevice::new(&binary, program, options);
    run(&mut device, program, inputs(), None).expect("it runs");
    assert_eq!(device.kernel_runs()[0].marks().count(), 1);
}

#[test]
fn numbers_the_chip_does_not_have() {
    let form = Form::singles(&[5], DataType::F32, "i[5]:(w:2,a:4) @DRAM+0, rep(g)");
    let tensor = |bits: [u32; 5]| {
        let data = bits.iter().flat_map(|bits| bits.to_le_bytes()).collect();
        Tensor::new(vec![5], DataType::F32, data).expect("it is a tensor")
    };
    let zeros = || tensor([0; 5]);
    let binary = binary_of(&form, &sum());
    let nan = tensor([0, 0, 0, 0x7fc0_0000, 0xffff_ffff]);
    let found = refusal(outputs_of(
        &binary,
        MncoreOptions::default(),
        vec![zeros(), nan],
    ));
    assert_eq!(
        found,
        "kernel 'sum' is given tensor 1, whose element 3, row-major from 0 on, is NaN: the chip \
         has no NaN and would take it for an infinity"
    );
    // A kernel of moves and one of integers: bits are kept but for infinities.
    let moves = binary_of(
        &form,
        &(load(0, "lr0", 1) + &load(1, "ls0", 2) + "lor $lr0v $ls0v $lm0v\n" + &store(2, "lm0", 3)),
    );
    let (x, y) = (
        tensor([0x7f80_0000, 0xff80_0000, 1, 0x8000_0000, 0x3f80_0001]),
        tensor([1, 0x0040_0000, 0x0080_0000, 0, 0]),
    );
    let found = outputs_of(&moves, MncoreOptions::default(), vec![x, y]).expect("it runs");
    assert_eq!(
        found,
        [tensor([
            0x7f80_0000,
            0xff80_0000,
            0x0080_0001,
            0x8000_0000,
            0x3f80_0001
        ])]
    );
}

/// A bf16 result that is stored as a single is rounded by the host, ties to even.
#[test]
fn singles_are_rounded_to_bf16() {
    let form = Form::singles(&[4], DataType::BF16, "i:(w:2,a:2) @DRAM+0, rep(g)");
    let binary = binary_of(&form, &sum());
    let tensor = |values: [f64; 4]| {
        Tensor::from_f64s(vec![4], DataType::BF16, &values).expect("it is a tensor")
    };
    let (x, y) = (
        tensor([256.0, 258.0, -256.0, 1.5]),
        tensor([1.0, 1.0, -1.5, 0.25]),
    );
    let found = outputs_of(&binary, MncoreOptions::default(), vec![x, y]);
    assert_eq!(found, Ok(vec![tensor([256.0, 260.0, -258.0, 1.75])]));
}

/// With canaries, a kernel that reads unwritten words of any memory has other results.
#[test]
fn canaries_show() {
    let form = Form::singles(&[4], DataType::F32, "i:(w:2,a:2) @DRAM+0, rep(g)");
    for read in [
        "lpassa $lm64v $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
        "fvadd $lr0v $ln64v $lm0v\n",
        "lpassa $lr64v $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
        "fvadd $lr0v $ls64v $lm0v\n",
        "l1bmd $lb5120 $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
        "l2bmd $lc16384 $lb5120\nl1bmd $lb5120 $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
        "gmread $lx0 $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
        "mvp/n2048i04 $p0 $lc16384@.0\nnop; wait i04\nl2bmd $lc16384 $lb5120\n\
         l1bmd $lb5120 $ls0v\nfvadd $lr0v $ls0v $lm0v\n",
    ] {
        let binary = binary_of(&form, &(load(0, "lr0", 1) + read + &store(2, "lm0", 3)));
        let with = |memory_canaries| {
            let options = MncoreOptions {
                memory_canaries,
                ..MncoreOptions::default()
            };
            let found = outputs(&binary, options).unwrap_or_else(|error| panic!("{read}: {error}"));
            found[0].to_f64s()
        };
        let given = inputs(&binary.programs[0], 1)[0].to_f64s();
        assert_eq!(with(false), given, "{read}");
        assert_eq!(with(true), [1e9; 4], "{read}");
    }
}

#[test]
fn results_must_be_written() {
    let text = sum().replace("$lc4096@.0 $d4096", "$lc4096@.0 $d8192");
    let found = refusal(outputs(
        &binary_of(&full(), &text),
        MncoreOptions::default(),
    ));
    assert_eq!(
        found,
        "kernel 'sum' did not write element 0, row-major from 0 on, of tensor 2"
    );
    // Half of it: 64 lines of 16 long words.
    let text = sum().replace("mvp/n2048i03", "mvp/n1024i03");
    let found = refusal(outputs(
        &binary_of(&full(), &text),
        MncoreOptions::default(),
    ));
    assert_eq!(
        found,
        "kernel 'sum' did not write element 8192, row-major from 0 on, of tensor 2"
    );
}

#[test]
fn operations_need_kernels() {
    let no_kernel = "the group has no kernel for mncore: compile the module with ttmlir-opt \
                     --ttir-to-mncore-pipeline, or run it with --device reference";
    let mut binary = binary_of(&full(), &sum());
    common::group(&mut binary.programs[0].operations[0])
        .kernels
        .clear();
    assert_eq!(
        refusal(outputs(&binary, MncoreOptions::default())),
        no_kernel
    );
    let problems = check(&binary, &binary.programs[0]);
    let place = "program 'forward', operation 0 (kernel) at loc(\"m.mlir\":1:1): ";
    let texts: Vec<_> = problems.iter().map(ToString::to_string).collect();
    assert_eq!(texts, [format!("{place}{no_kernel}")]);
    let operations = &mut binary.programs[0].operations;
    *operations = common::group(&mut operations[0]).operations.clone();
    let place = "program 'forward', operation 0 (add) at loc(\"m.mlir\":1:1): ";
    let text = format!(
        "{place}add has no kernel: this device runs kernels and moves tensors, nothing else; \
         compile the module with ttmlir-opt --ttir-to-mncore-pipeline, or run it with --device \
         reference"
    );
    assert_eq!(refusal(outputs(&binary, MncoreOptions::default())), text);
    let problems = check(&binary, &binary.programs[0]);
    assert_eq!(problems[0].to_string(), text);
    assert_eq!(
        check(&binary_of(&full(), &sum()), &binary.programs[0]).len(),
        1
    );
}

/// A group with a kernel for each chip: each device runs its own.
#[test]
fn each_device_takes_its_own_kernel() {
    let mut binary = matmul(32, 32, 32);
    let form = Form::singles(
        &[32, 32],
        DataType::BF16,
        "r:(g:4,a:8) c:(w:2,a:16*8) @DRAM+0",
    );
    let arguments = (0..3).map(|number| form.argument(number)).collect();
    let kernel = binary.intern_kernel(kernel("sum", 2, &sum(), arguments));
    let program = &mut binary.programs[0];
    let kernels = &mut common::group(&mut program.operations[GROUP]).kernels;
    let args = kernels[0].args.clone();
    kernels.insert(0, KernelRef { kernel, args });
    binary.validate().expect("it is consistent");
    let mut binary =
        Binary::read(&binary.to_bytes().expect("it is consistent")).expect("it is a file");
    let program = &binary.programs[0];
    let mut tensix = TensixDevice::new(&binary, program, TensixOptions::default()).expect("a chip");
    let product = run(&mut tensix, program, inputs(program, 1), None).expect("it runs");
    let mut mncore = MncoreDevice::new(&binary, program, MncoreOptions::default());
    let sum = run(&mut mncore, program, inputs(program, 1), None).expect("it runs");
    assert_eq!(tensix.kernel_runs()[0].kernel, "matmul");
    assert_eq!(mncore.kernel_runs()[0].kernel, "sum");
    // This one adds, whatever its group says: the reference finds out.
    assert_ne!(product, sum);
    let mut golden = Golden::new(program);
    let mut mncore = MncoreDevice::new(&binary, program, MncoreOptions::default());
    run(&mut mncore, program, inputs(program, 1), Some(&mut golden)).expect("it runs");
    assert!(!golden.pass());
    // A file for Tensix alone has nothing for the board.
    let found = outputs(&matmul(32, 32, 32), MncoreOptions::default()).expect_err("no kernel");
    assert!(
        found.contains("the group has no kernel for mncore"),
        "{found}"
    );
    // And one for the board alone has nothing for Tensix.
    let group = common::group(&mut binary.programs[0].operations[GROUP]);
    group.kernels.truncate(1);
    let program = &binary.programs[0];
    let mut tensix = TensixDevice::new(&binary, program, TensixOptions::default()).expect("a chip");
    let found = run(&mut tensix, program, inputs(program, 1), None).expect_err("no kernel");
    let text = "the group has no kernel for tensix on wormhole_b0";
    assert!(found.to_string().contains(text), "{found}");
}
