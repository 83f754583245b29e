//! Programs that cannot be images, places of instructions, and what is compiled how often.

use inkwell::memory_buffer::MemoryBuffer;

use super::*;
use tessera_dialects::mlir::{render, Source};
use tessera_dialects::tensix;

/// Returns a program with this code for `unpack`.
fn program(arch: &str, unpack: &str) -> String {
    format!(
        "pto.func @k() attributes {{kind = #pto.kind<cube>, fidelity = #pto.fidelity<hifi4>, dst = #pto.dst<f32>}} {{\n\
           pto.return\n\
         }}\n\
         tensix.program @p implements @k on \"{arch}\" arguments 0 work 1 unpack {{\n{unpack}\n}} math {{}} pack {{}} read {{}} write {{\n\
           tensix.release\n\
         }}\n"
    )
}

fn parse<'c>(context: &'c Context, text: &str) -> Module<'c> {
    let source = Source::new("t.mlir", text.as_bytes().to_vec()).unwrap();
    Module::parse(context, &source)
        .unwrap_or_else(|_| panic!("{}", render(&context.diagnostics().drain(), text)))
}

/// Prepares a program and returns its images.
fn images_of(maker: &mut ImageMaker, program: ProgramOp) -> Result<[CoreImage; 5], Reported> {
    let prepared = maker.prepare(&[program])?;
    maker.images(program, prepared[0])
}

/// Checks the diagnostic of a program.
fn check(text: &str, expect: &str) {
    let context = Context::new();
    let module = parse(&context, text);
    let program = module.op().find_all::<tensix::ProgramOp>()[0];
    let _reported = images_of(&mut ImageMaker::new(&context), program).expect_err(expect);
    let errors: Vec<_> = context.diagnostics().drain();
    let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(messages, [expect]);
}

#[test]
fn what_cannot_be_an_image() {
    check(
        &program("wormhole_b0", &"tensix.nop\n".repeat(5000)),
        "'tensix.program' op has 5011 words of code, but the limit is 4096; use loops for repeated \
         code",
    );
    let arguments: String = (0..65)
        .map(|k| format!("%{k} = tensix.argument imm {k}\n"))
        .collect();
    check(
        &program("wormhole_b0", &arguments),
        "'tensix.argument' op is the argument 65 of unpack, which has room for 64 different ones",
    );
    check(
        &program(
            "wormhole_b0",
            "%x = tensix.argument imm 300\n\
             tensix.push \"setadc\" value = %x below 256 (dimension_index 2)\n",
        ),
        "'tensix.push' op value would be 300, but must be 0 to 255",
    );
    check(
        &program(
            "wormhole_b0",
            "%x = arith.constant 1 : index\n%y = arith.constant 4 : index\n%z = arith.constant 7 : index\n\
             scf.for %i = %y to %z step %x {\ntensix.noc_wait transaction %i\n}\n",
        ),
        "'tensix.noc_wait' op transaction would be 4 to 6, but must be 0 to 3",
    );
    check(
        &program("wormhole_b0", &hands_over(300)),
        "'tensix.program' op needs 1168 bytes of stack, but has 1024; keep fewer values over a loop",
    );
    check(
        &program("wormhole_b0", &hands_over(2500)),
        "'tensix.program' op moves the stack pointer by more than an immediate; keep fewer values over a loop",
    );
}

/// Returns how often code for `unpack` compares, in a program with a thousand pieces of work, so as
/// to stop if a number is too large.
fn comparisons(unpack: &str) -> usize {
    const EBREAK: u32 = 0x0010_0073;
    let unpack = format!(
        "%first = tensix.argument first\n%last = tensix.argument last\n%base = tensix.argument base 0\n\
         %c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n\
         %c8 = arith.constant 8 : index\n%c64 = arith.constant 64 : index\n%c256 = arith.constant 256 : index\n{unpack}"
    );
    let text = program("wormhole_b0", &unpack);
    let text = text.replace("arguments 0 work 1", "arguments 1 work 1000");
    let context = Context::new();
    let module = parse(&context, &text);
    let program = module.op().find_all::<tensix::ProgramOp>()[0];
    let images = images_of(&mut ImageMaker::new(&context), program);
    let images = images
        .unwrap_or_else(|_| panic!("{}", render(&context.diagnostics().drain(), text.as_str())));
    let words = images[Core::Unpack.number()].image.words().iter();
    words.filter(|word| **word == EBREAK).count()
}

/// A loop of unknown length around `body`, which carries `%v`, 0 at first, and hands on `%next`.
fn carried(body: &str) -> String {
    format!(
        "%r = scf.for %piece = %first to %last step %c1 iter_args(%v = %c0) -> (index) {{\n{body}\nscf.yield %next : index\n}}"
    )
}

const PUSH: &str = "tensix.push \"setadc\" value = %x below 256 (dimension_index 2)";

#[test]
fn only_numbers_that_may_be_too_large_are_compared() {
    let push = |of: &str| PUSH.replace("%x", of);
    let digit = format!(
        "scf.for %piece = %first to %last step %c1 {{\n%x = arith.remsi %piece, %c256 : index\n{PUSH}\n}}"
    );
    for (code, expect) in [
        // Constants, arguments, and what is computed from them.
        (push("%c8"), 0),
        (push("%base"), 1),
        (format!("%x = tensix.argument imm 255\n{PUSH}"), 0),
        (format!("%x = arith.minsi %first, %c64 : index\n{PUSH}"), 0),
        (format!("%x = arith.remui %base, %c64 : index\n{PUSH}"), 0),
        (format!("%x = arith.remsi %base, %c64 : index\n{PUSH}"), 1),
        (format!("%x = arith.andi %base, %c64 : index\n{PUSH}"), 0),
        (format!("%x = arith.divui %last, %c8 : index\n{PUSH}"), 0),
        (format!("%x = arith.divui %last, %c2 : index\n{PUSH}"), 1),
        (format!("%x = arith.shrui %last, %c2 : index\n{PUSH}"), 0),
        (format!("%x = arith.shrui %last, %c1 : index\n{PUSH}"), 1),
        (format!("%x = arith.xori %last, %c2 : index\n{PUSH}"), 1),
        // Loop variables.
        (format!("scf.for %x = %c0 to %c256 step %c8 {{\n{PUSH}\n}}"), 0),
        (format!("scf.for %x = %c2 to %c256 step %c1 {{\n%y = arith.addi %x, %c1 : index\n{}\n}}", push("%y")), 1),
        (format!("scf.for %x = %first to %last step %c1 {{\n{PUSH}\n}}"), 1),
        (format!("scf.for %x = %c0 to %base step %c1 {{\n{PUSH}\n}}"), 1),
        (digit, 0),
        // A position in a ring, back to the start at its end; one that goes past it.
        (carried(&format!("{}\n%n = arith.addi %v, %c2 : index\n%e = arith.cmpi eq, %n, %c256 : index\n\
                           %next = arith.select %e, %c0, %n : index", push("%v"))), 0),
        (carried(&format!("{}\n%n = arith.addi %v, %c2 : index\n%e = arith.cmpi eq, %n, %c1 : index\n\
                           %next = arith.select %e, %c0, %n : index", push("%v"))), 1),
        (carried(&format!("{}\n%n = arith.addi %v, %c2 : index\n%e = arith.cmpi slt, %n, %c64 : index\n\
                           %next = arith.select %e, %n, %c0 : index", push("%v"))), 0),
        // Two that alternate; one that counts; one that is constant.
        (carried(&format!("{}\n%next = arith.subi %c64, %v : index", push("%v"))), 0),
        (carried(&format!("{}\n%next = arith.addi %v, %c1 : index", push("%v"))), 1),
        (format!("{}\n{}", carried("%next = arith.addi %v, %c0 : index"), push("%r")), 0),
        // Increments of nested loops, with known and with unknown trip counts.
        (carried(&format!("%s = scf.for %i = %c0 to %c8 step %c1 iter_args(%w = %c64) -> (index) {{\n\
                           %t = scf.for %j = %c0 to %c8 step %c2 iter_args(%u = %w) -> (index) {{\n{}\n\
                           %m = arith.addi %u, %c2 : index\nscf.yield %m : index\n}}\n\
                           scf.yield %t : index\n}}\n{}\n%next = arith.addi %v, %c1 : index", push("%u"), push("%s"))), 0),
        (carried(&format!("%next = scf.for %j = %c0 to %c8 step %c2 iter_args(%u = %v) -> (index) {{\n{}\n\
                           %m = arith.addi %u, %c2 : index\nscf.yield %m : index\n}}", push("%u"))), 1),
        // Transactions.
        ("tensix.noc_wait transaction %c2".into(), 0),
        ("tensix.noc_wait transaction %first".into(), 1),
        ("tensix.noc_read page %c0 of %base bytes 2048 to %c0 transaction %first".into(), 1),
    ] {
        assert_eq!(comparisons(&code), expect, "{code}");
    }
}

/// Returns a loop with this many iteration arguments, all of which are live at once.
fn hands_over(values: usize) -> String {
    let list = |f: &dyn Fn(usize) -> String| (0..values).map(f).collect::<Vec<_>>().join(", ");
    let first: String = (0..values)
        .map(|k| format!("%i{k} = arith.constant {} : index\n", 7919 * (k + 1)))
        .collect();
    format!(
        "{first}%from = arith.constant 0 : index\n%to = tensix.argument last\n%one = arith.constant 1 : index\n\
         %r:{values} = scf.for %i = %from to %to step %one iter_args({}) -> ({}) {{\n\
           tensix.await counter 0 at_least %v0\nscf.yield {} : {}\n}}\n\
         tensix.await counter 0 at_least %r#0",
        list(&|k| format!("%v{k} = %i{k}")),
        list(&|_| "index".into()),
        list(&|k| format!("%v{}", (k + 1) % values)),
        list(&|_| "index".into()),
    )
}

/// Returns the object file of LLVM IR.
fn object_file(text: &str) -> MemoryBuffer<'static> {
    let llvm = inkwell::context::Context::create();
    let buffer = MemoryBuffer::create_from_memory_range_copy(text.as_bytes(), "t.ll");
    let module = llvm.create_module_from_ir(buffer).unwrap();
    compile::Compiler::new()
        .unwrap()
        .compile(&llvm, &module)
        .unwrap()
}

/// Returns the images of an object file with T0 in it.
fn images(file: &[u8]) -> Result<Vec<Image>, Problem> {
    let function = Function {
        core: Core::Unpack,
        text: String::new(),
        is_new: true,
        arguments: Vec::new(),
        origins: Vec::new(),
        runs: Runs::new(),
    };
    object_file::images(file, &[&function])
}

/// A T0 with a place.
const WITH_PLACES: &str = "define void @T0() !dbg !3 {\n ret void, !dbg !5\n}\n\
    !llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n\
    !0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)\n\
    !1 = !DIFile(filename: \"T0\", directory: \"\")\n\
    !2 = !{i32 2, !\"Debug Info Version\", i32 3}\n\
    !3 = distinct !DISubprogram(name: \"T0\", file: !1, type: !4, spFlags: DISPFlagDefinition, unit: !0)\n\
    !4 = !DISubroutineType(types: !{})\n!5 = !DILocation(line: 7, scope: !3)\n";

/// Files that LLVM does not write.
#[test]
fn damaged_object_files() {
    let file = object_file(WITH_PLACES).as_slice().to_vec();
    let operation = |image: &Image| image.steps().iter().any(|step| step.operation == 7);
    assert!(images(&file).unwrap().iter().all(operation));
    let damaged = |damage: &dyn Fn(&mut Vec<u8>)| {
        let mut file = file.clone();
        damage(&mut file);
        images(&file).unwrap_err().to_string()
    };
    let table = line_table(&file);
    assert_eq!(
        damaged(&|file| file.truncate(3)),
        "internal error: reading the object file: Could not read file magic"
    );
    // Behind its length the version of the line table.
    assert_eq!(
        damaged(&|file| file[table + 4] = 99),
        "internal error: reading the line table: Found an unknown DWARF version"
    );
}

/// Returns where the line table of an object file begins.
fn line_table(file: &[u8]) -> usize {
    use object::{Object, ObjectSection};
    let parsed = object::File::parse(file).unwrap();
    let section = parsed.section_by_name(".debug_line").unwrap();
    section.file_range().unwrap().0 as usize
}

/// Tests errors of object files that verified programs are not known to cause.
#[test]
fn what_needs_a_linker_is_refused() {
    for (text, expect) in [
        (
            "declare void @f()\ndefine void @T0() {\n call void @f()\n ret void\n}",
            "refers to 'f' at offset 0x8 of section '.text.T0', but there is no linker for images",
        ),
        (
            "@x = global i32 7\ndefine void @T0() {\n ret void\n}",
            "needs 4 bytes of data in section '.sdata', but an image contains only code",
        ),
        (
            "define void @T0() {\n call void asm sideeffect \".byte 1\", \"\"()\n unreachable\n}",
            "ends in the middle of a word: 1 bytes are left",
        ),
        ("; nothing", "has no section '.text.T0'"),
    ] {
        let images = images(object_file(text).as_slice());
        assert_eq!(images, Err(Problem::Internal(expect.into())), "{text}");
    }
}

#[test]
fn instructions_know_where_they_come_from() {
    let text = program(
        "wormhole_b0",
        "%first = tensix.argument first\n\
         %last = tensix.argument last\n\
         %one = arith.constant 1 : index\n\
         scf.for %i = %first to %last step %one {\n\
         tensix.nop\n\
         tensix.dmanop\n\
         tensix.nop\n\
         tensix.push \"setc16\" setc16_value = %i (setc16_reg 1)\n\
         }\n\
         tensix.post counter 3",
    );
    let context = Context::new();
    let module = parse(&context, &text);
    let program = module.op().find_all::<tensix::ProgramOp>()[0];
    let [_, unpack, ..] = images_of(&mut ImageMaker::new(&context), program).unwrap();
    let line = |word: usize| {
        let steps = unpack.image.steps();
        let step = steps.iter().rev().find(|step| step.word as usize <= word);
        unpack.places[step.unwrap().operation as usize].clone()
    };
    let lines_of = |wanted: &str| -> Vec<String> {
        let words = unpack.image.words().iter().enumerate();
        let decoded = words.map(|(at, &word)| (at, tessera_riscv::Instruction::decode(word)));
        decoded
            .filter(|(_, instruction)| {
                instruction
                    .as_ref()
                    .is_ok_and(|instruction| instruction.to_string().starts_with(wanted))
            })
            .map(|(at, _)| line(at))
            .collect()
    };
    let loads = lines_of("lw ");
    assert_eq!(loads[..2], ["t.mlir:5:10", "t.mlir:6:9"]);
    assert_eq!(
        lines_of("ttinsn"),
        ["t.mlir:9:1", "t.mlir:10:1", "t.mlir:11:1"],
        "those of a run, too"
    );
    assert!(lines_of("sw ").contains(&"t.mlir:12:1".to_owned()));
    assert!(
        lines_of("blt").contains(&"t.mlir:8:1".to_owned())
            || lines_of("bne").contains(&"t.mlir:8:1".to_owned())
    );
    // The code at the end has the location of the program.
    assert_eq!(lines_of("jal x0, 0"), ["t.mlir:4:1"]);
    assert_eq!(
        unpack.arguments,
        [Argument::First, Argument::Last],
        "in the order of first use"
    );
}

/// Code is compiled once, whatever it is called and wherever it comes from; numbers that are
/// arguments do not count.
#[test]
fn equal_code_is_compiled_once() {
    let context = Context::new();
    let mut maker = ImageMaker::new(&context);
    let mut images = |unpack: &str, asked: usize, compiled: usize| {
        let text = program("wormhole_b0", unpack);
        let module = parse(&context, &text);
        let program = module.op().find_all::<tensix::ProgramOp>()[0];
        let images = images_of(&mut maker, program).unwrap();
        let stats = maker.stats();
        assert_eq!((stats.asked, stats.compiled), (asked, compiled), "{unpack}");
        images
    };
    let number = |n| format!("\n%0 = tensix.argument imm {n}\ntensix.await counter 0 at_least %0");
    let one = images(&number(1), 5, 5);
    let two = images(&format!("\n{}", number(2)), 10, 5);
    images(tensix::NopOp::NAME, 15, 6);
    assert!(Arc::ptr_eq(&one[1].image, &two[1].image));
    assert_eq!(
        (&one[1].arguments, &two[1].arguments),
        (&vec![Argument::Imm(1)], &vec![Argument::Imm(2)])
    );
    let last = |images: &[CoreImage; 5]| images[1].places.last().cloned();
    assert_eq!(
        (last(&one), last(&two)),
        (Some("t.mlir:7:1".into()), Some("t.mlir:8:1".into()))
    );
}

/// Returns how many words are stored to the registers of a request, from the first on, by a program
/// with this code for `read`.
fn request_stores(read: &str) -> usize {
    let text = program("wormhole_b0", "").replace(
        "read {}",
        &format!(
            "read {{\n%0 = arith.constant 0 : index\n%1 = arith.constant 1 : index\n\
             %l1 = arith.constant 98304 : index\n{read}\n}}"
        ),
    );
    let context = Context::new();
    let module = parse(&context, &text);
    let program = module.op().find_all::<tensix::ProgramOp>()[0];
    let [_, _, _, _, nc] = images_of(&mut ImageMaker::new(&context), program).unwrap();
    let words = nc.image.words().iter();
    let stores = words.filter_map(|&word| tessera_riscv::Instruction::decode(word).ok());
    stores
        .filter(|instruction| instruction.to_string().starts_with("sw "))
        .count()
}

/// The first read writes eight registers, a read that follows it four: two for the address in DRAM,
/// one for that in L1, and the command.
#[test]
fn repeated_reads_write_only_addresses() {
    let read = |page: &str, rest: &str| {
        format!("tensix.noc_read page {page} of %0 bytes 2048 to %l1 transaction {rest}\n")
    };
    let [first, second] = [read("%0", "%0"), read("%1", "%0")];
    let one = request_stores(&first);
    let stores = |text: &str| request_stores(&format!("{first}{text}")) - one;
    assert_eq!(stores(&second), 4);
    assert_eq!(
        stores(&format!("tensix.noc_wait transaction %0\n{second}")),
        4
    );
    // Another transaction, NoC or length, or another request in between.
    assert_eq!(stores(&read("%1", "%1")), 8);
    assert_eq!(stores(&read("%1", "%0 noc 1")), 8);
    assert_eq!(stores(&second.replace("2048", "4096")), 8);
    let send = "tensix.noc_send bytes 32 from %l1 to %l1 of %0 transaction %0\n";
    assert_eq!(stores(&format!("{send}{second}")), 16);
    let post = "tensix.noc_post counter 3 of %0 transaction %0\n";
    assert_eq!(stores(&format!("{post}{second}")), 17);
    // Code that is entered in other ways.
    let branch = format!("%c = arith.cmpi eq, %0, %1 : index\nscf.if %c {{\n{second}}}\n");
    let turns = format!("scf.for %i = %0 to %l1 step %1 {{\n{second}}}\n");
    assert_eq!(stores(&turns), 8);
    assert_eq!(stores(&branch), 0, "the condition is known to be false");
}
