//! Program files: written files are read back, and invalid ones are rejected with a reason.

mod common;

use common::{kernel, mncore, op, operation, sample, tensor};
use proptest::collection::vec;
use proptest::prelude::*;
use tessera_isa_tensix::list::{DmEntry, Entry, Lists};
use tessera_isa_tensix::tile::Argument;
use tessera_isa_tensix::Arch;
use tessera_ops::AttributeValue;
use tessera_program::*;

#[test]
fn reads_what_it_writes() {
    let binary = sample();
    let bytes = binary.to_bytes().unwrap();
    assert_eq!(Binary::read(&bytes).unwrap(), binary);
    assert_eq!(
        binary.to_bytes().unwrap(),
        bytes,
        "writing is deterministic"
    );
}

/// Returns the error of `read`.
fn refusal(bytes: &[u8]) -> String {
    Binary::read(bytes).unwrap_err().to_string()
}

#[test]
fn every_truncation_is_refused() {
    let bytes = sample().to_bytes().unwrap();
    for length in 0..bytes.len() {
        let text = refusal(&bytes[..length]);
        let expected = if length < 12 { 12 } else { bytes.len() };
        assert!(
            text.starts_with(&format!(
                "the file is truncated: it has {length} of {expected} bytes"
            )),
            "{text}"
        );
    }
}

#[test]
fn envelope_is_checked() {
    let mut longer = sample().to_bytes().unwrap();
    let size = longer.len();
    longer.push(0);
    assert_eq!(
        refusal(&longer),
        format!(
            "the file has {} bytes but says it has {size}: something was appended to it, or it is \
             no size-prefixed FlatBuffer",
            size + 1
        )
    );
    for (identifier, text) in [
        (
            b"TTNN",
            "not a Tessera program: its file identifier is 'TTNN', expected 'TSSR' (this is a file \
             of tt-mlir: compile the module with Tessera's ttmlir-opt and ttmlir-translate)",
        ),
        (
            b"TTSY",
            "not a Tessera program: its file identifier is 'TTSY', expected 'TSSR' (this is a \
             system description of tt-mlir)",
        ),
        (
            b"\x7fEL\n",
            "not a Tessera program: its file identifier is '\\x7fEL\\n', expected 'TSSR': give a \
             file made by ttmlir-translate --ttnn-to-flatbuffer",
        ),
    ] {
        let mut bytes = sample().to_bytes().unwrap();
        bytes[8..12].copy_from_slice(identifier);
        assert_eq!(refusal(&bytes), text);
    }
}

#[test]
fn size_is_limited() {
    let error = ReadError::TooLarge {
        size: MAX_FILE_BYTES + 1,
    };
    assert_eq!(
        error.to_string(),
        "the file has 1073741825 bytes, more than the limit of 1073741824: split the model into \
         several programs"
    );
    // Pages of zeros that nobody touches cost nothing.
    assert_eq!(refusal(&vec![0; MAX_FILE_BYTES + 1]), error.to_string());
}

#[test]
fn another_schema_is_not_reported_as_damage() {
    let ours = schema_hash().to_string();
    let theirs = ours.chars().rev().collect::<String>();
    let bytes = replaced(
        &sample().to_bytes().unwrap(),
        ours.as_bytes(),
        theirs.as_bytes(),
    );
    assert_eq!(
        refusal(&bytes),
        format!(
            "the file has schema hash {theirs}, this build reads {ours}: translate the module \
             again with this build's ttmlir-translate"
        )
    );
}

#[test]
fn other_version_is_refused() {
    let mut binary = sample();
    binary.version = Version {
        major: 7,
        minor: 8,
        patch: 9,
    };
    assert_eq!(
        refusal(&binary.to_bytes().unwrap()),
        format!(
            "the file was written by Tessera 7.8.9, this is {}: translate the module again with \
             this version's ttmlir-translate",
            Version::CURRENT
        )
    );
    binary.version = Version {
        patch: Version::CURRENT.patch + 1,
        ..Version::CURRENT
    };
    assert!(
        Binary::read(&binary.to_bytes().unwrap()).is_ok(),
        "a patch changes no file"
    );
}

#[test]
fn changed_kernel_is_refused() {
    let word = 0x0404_0101_u32.to_le_bytes();
    let bytes = replaced(&sample().to_bytes().unwrap(), &word, &[1, 1, 5, 4]);
    assert_eq!(
        refusal(&bytes),
        "the file is damaged: kernel 0 ('linear_relu') does not have the content its hash names"
    );
    let word = 0x0010_0513_u32.to_le_bytes();
    let bytes = replaced(&sample().to_bytes().unwrap(), &word, &[0x13, 5, 0x20, 0]);
    assert_eq!(
        refusal(&bytes),
        "the file is damaged: kernel 1 ('images') does not have the content its hash names"
    );
}

/// Returns invalid images, which no writer produces: the argument vectors of T0, and of its core.
#[test]
fn unknown_values_in_images_are_refused() {
    let argument = [1, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 17, 0, 0, 0];
    let mut unknown = argument;
    unknown[0] = 99;
    assert_eq!(
        refusal(&replaced(
            &sample().to_bytes().unwrap(),
            &argument,
            &unknown
        )),
        "the file is damaged: Argument.kind has the unknown value 99"
    );
}

#[test]
fn regions_belong_to_one_operation_each() {
    let bytes = sample().to_bytes().unwrap();
    // The branches of the first kernel's `if` are regions 1 and 2.
    let branches = [2_u32, 1, 2].map(u32::to_le_bytes).concat();
    for damage in [[2_u32, 1, 1], [2, 2, 99], [2, 0, 1]] {
        let changed = damage.map(u32::to_le_bytes).concat();
        let text = refusal(&replaced(&bytes, &branches, &changed));
        assert!(text.contains("PtoOp.regions"), "{text}");
    }
}

#[test]
fn local_tensors_have_elements_of_known_types() {
    let bytes = sample().to_bytes().unwrap();
    // The extents of the one of kernel 'upper', and its element type.
    let extents = [3_u32, 2, 8].map(u32::to_le_bytes).concat();
    let mut places = bytes.windows(extents.len());
    let at = places.position(|window| window == extents);
    let at = at.expect("the file has it");
    let stored = &bytes[at..=at + extents.len()];
    let unknown = [extents.as_slice(), &[99]].concat();
    assert_eq!(
        refusal(&replaced(&bytes, stored, &unknown)),
        "the file is damaged: PtoTensor.element has the unknown value 99"
    );
}

#[test]
fn images_are_shared() {
    let shared = sample().to_bytes().unwrap().len();
    let mut binary = sample();
    let KernelBody::TensixImages(body) = &mut binary.kernels[1].body else {
        panic!("kernel 1 is not one of images")
    };
    let twin = Image::new(vec![0x0000_006f], vec![]);
    assert_eq!(*body.tiles[0][0].image, twin);
    body.tiles[0][0].image = std::sync::Arc::new(twin);
    assert_eq!(binary.to_bytes().unwrap().len(), shared, "by content");
    let read = Binary::read(&binary.to_bytes().unwrap()).unwrap();
    let KernelBody::TensixImages(body) = &read.kernels[1].body else {
        panic!("kernel 1 is not one of images")
    };
    assert!(std::sync::Arc::ptr_eq(
        &body.tiles[0][0].image,
        &body.tiles[0][3].image
    ));
}

#[test]
fn grids_of_workers_are_kept() {
    let mut binary = sample();
    let KernelBody::TensixImages(body) = &mut binary.kernels[1].body else {
        panic!("kernel 1 is not one of images")
    };
    body.tiles.truncate(1);
    body.rings.clear();
    body.grid = Some([2, 3]);
    body.tiles[0][4].arguments = vec![
        Argument::Passes(0),
        Argument::Extent(1),
        Argument::Place(0),
        Argument::Leads(1),
        Argument::Leader(0),
        Argument::Group(1),
    ];
    body.tiles[0][1].arguments.clear();
    let read = Binary::read(&binary.to_bytes().unwrap()).unwrap();
    assert_eq!(read.kernels[1], binary.kernels[1]);
}

#[test]
fn places_of_addresses() {
    let images = common::images();
    for (address, expected) in [
        (0x6000, Some("model.mlir:1:1")),
        (0x6007, Some("model.mlir:3:8")),
        (0x6008, Some("model.mlir:3:8")),
        (0x600c, None),
        (0x5fff, None),
        (0, None),
        (0x12004, Some("model.mlir:1:1")),
        (0x16000, None),
    ] {
        assert_eq!(images.place(0, address), expected, "{address:#x}");
    }
}

/// Returns `bytes` with the only occurrence of `from` replaced.
fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let places: Vec<_> = bytes
        .windows(from.len())
        .enumerate()
        .filter(|(_, window)| *window == from)
        .collect();
    let [(at, _)] = places[..] else {
        panic!("{} occurrences", places.len())
    };
    let mut bytes = bytes.to_vec();
    bytes[at..at + to.len()].copy_from_slice(to);
    bytes
}

#[test]
fn unknown_values_are_refused() {
    // The kind of the first entry of the unpack list, a wait on counter 0 for 3.
    let bytes = replaced(
        &sample().to_bytes().unwrap(),
        &[9, 0, 0, 0, 3, 0, 0, 0],
        &[77, 0, 0, 0, 3, 0, 0, 0],
    );
    assert_eq!(
        refusal(&bytes),
        "the file is damaged: Entry.kind has the unknown value 77"
    );
}

/// Attributes of every type of value.
#[test]
fn attributes_are_read_back() {
    let (bool, int, float) = (
        AttributeValue::Bool,
        AttributeValue::Int,
        AttributeValue::Float,
    );
    let ints = |values: &[i64]| AttributeValue::Ints(values.to_vec());
    let one = |name| op(name, &[0], &[]);
    let reduce = |name| {
        one(name)
            .with("keep_dim", bool(true))
            .with("dim_arg", ints(&[0, -1]))
    };
    let mut binary = sample();
    for (mut op, shape) in [
        (op("where", &[0, 0, 0], &[]), [2, 3]),
        (op("clamp_tensor", &[0, 0, 0], &[]), [2, 3]),
        (one("leaky_relu").with("parameter", float(0.01)), [2, 3]),
        (
            one("clamp_scalar")
                .with("min", float(f64::NEG_INFINITY))
                .with("max", float(-0.0)),
            [2, 3],
        ),
        (
            one("softmax")
                .with("dimension", int(-1))
                .with("numericStable", bool(true)),
            [2, 3],
        ),
        (one("permute").with("permutation", ints(&[1, 0])), [3, 2]),
        (reduce("sum"), [1, 1]),
        (reduce("mean"), [1, 1]),
        (op("zeros", &[], &[]), [4, 4]),
    ] {
        let program = &mut binary.programs[0];
        let out = program.add_tensor(tensor(&shape, DataType::BF16, MemorySpace::System));
        op.outputs.push(out);
        program.operations.push(operation(op));
    }
    assert_eq!(Binary::read(&binary.to_bytes().unwrap()).unwrap(), binary);
}

/// Names of operations and attributes that the table does not have.
#[test]
fn unknown_operations_and_attributes_are_refused() {
    let bytes = sample().to_bytes().unwrap();
    let terminated = |text: &str| [text.as_bytes(), &[0]].concat();
    for (from, to, expected) in [
        ("typecast", "typecost", "there is no operation 'typecost'"),
        (
            "fill_value",
            "fall_value",
            "'full' has no attribute 'fall_value'",
        ),
        (
            "transpose_b",
            "transpose_c",
            "'linear' has no attribute 'transpose_c'",
        ),
    ] {
        let bytes = replaced(&bytes, &terminated(from), &terminated(to));
        assert_eq!(refusal(&bytes), format!("the file is damaged: {expected}"));
    }
    // `transpose` is in the table, but of `ttir` only.
    for name in ["transpose", "kernel", ""] {
        let error = TensorOp::new(name, &[0], &[1]).unwrap_err();
        assert_eq!(error.to_string(), format!("there is no operation '{name}'"));
    }
}

#[test]
fn unknown_functions_are_refused() {
    let bytes = replaced(
        &sample().to_bytes().unwrap(),
        b"logical_not",
        b"logical_now",
    );
    assert_eq!(
        refusal(&bytes),
        "the file is damaged: there is no function 'logical_now'"
    );
}

/// Random damage gives an error or a consistent value, never a panic; and damage does reach the
/// structure.
#[test]
fn random_flips_never_panic() {
    let bytes = sample().to_bytes().unwrap();
    assert!(bytes.len() <= 14_336, "{} bytes", bytes.len());
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    let (mut structure, mut other, mut survived) = (0, 0, 0);
    for _ in 0..14_000 {
        let mut damaged = bytes.clone();
        damaged[random(bytes.len())] ^= 1 << random(8);
        match Binary::read(&damaged) {
            Ok(binary) => {
                binary.validate().unwrap();
                survived += 1;
            }
            Err(ReadError::Structure(text)) => {
                assert!(!text.is_empty() && !text.contains('\n'), "{text}");
                structure += 1;
            }
            Err(_) => other += 1,
        }
    }
    assert!(
        structure > 500 && other > 500 && survived > 500,
        "{structure} {other} {survived}"
    );
}

#[test]
fn kernels_are_shared_by_content() {
    let mut binary = Binary::new(Arch::WormholeB0);
    assert_eq!(binary.intern_kernel(kernel()), 0);
    assert_eq!(
        binary.intern_kernel(Kernel {
            name: "another name".into(),
            ..kernel()
        }),
        0
    );
    let KernelBody::Tensix(mut lists) = kernel().body else {
        panic!("the kernel is not one of lists")
    };
    lists.lists.math.push(Entry::WaitIdle);
    assert_eq!(
        binary.intern_kernel(Kernel {
            name: "longer".into(),
            body: KernelBody::Tensix(lists)
        }),
        1
    );
    assert_eq!(binary.kernels.len(), 2);
}

#[test]
fn hash_depends_on_where_an_entry_is() {
    let with = |change: fn(&mut TensixLists)| {
        let mut lists = common::lists();
        change(&mut lists);
        Kernel {
            name: String::new(),
            body: KernelBody::Tensix(lists),
        }
        .hash()
    };
    let hashes = [
        with(|_| ()),
        with(|lists| lists.inputs = 2),
        with(|lists| lists.l1_end += 32),
        with(|lists| lists.arch = Arch::Blackhole),
        with(|lists| std::mem::swap(&mut lists.lists.unpack, &mut lists.lists.math)),
        with(|lists| {
            let entry = lists.lists.pack.remove(0);
            lists.lists.math.push(entry);
        }),
    ];
    let distinct: std::collections::HashSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
}

#[test]
fn hash_depends_on_everything_in_images() {
    let with = |change: fn(&mut TensixImages)| {
        let mut images = common::images();
        change(&mut images);
        Kernel {
            name: String::new(),
            body: KernelBody::TensixImages(Box::new(images)),
        }
        .hash()
    };
    let hashes = [
        with(|_| ()),
        with(|images| images.arch = Arch::Blackhole),
        with(|images| images.inputs = 2),
        with(|images| images.outputs = 2),
        with(|images| images.work = 2),
        with(|images| images.tiles[0].swap(1, 2)),
        with(|images| images.tiles.swap(0, 1)),
        with(|images| images.rings.clear()),
        with(|images| images.rings[0].ready = 5),
        with(|images| images.rings[0].freed = 5),
        with(|images| images.grid = Some([3, 4])),
        with(|images| images.grid = Some([4, 3])),
        with(|images| images.tiles[0][0].image = images.tiles[0][1].image.clone()),
        with(|images| images.tiles[0][1].arguments[0] = Argument::Imm(3)),
        with(|images| images.tiles[0][1].arguments.truncate(3)),
        with(|images| images.tiles[0][1].places[0] = 0),
        with(|images| images.places[0].push('0')),
    ];
    let distinct: std::collections::HashSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
}

#[test]
fn hash_depends_on_everything_for_the_board() {
    let with = |change: fn(&mut MncoreProgram)| {
        let mut program = mncore();
        change(&mut program);
        Kernel {
            name: String::new(),
            body: KernelBody::Mncore(program),
        }
        .hash()
    };
    let hashes = [
        with(|_| ()),
        with(|program| program.inputs = 2),
        with(|program| program.tensors.swap(0, 1)),
        with(|program| program.tensors[0].tensor.rows = 3),
        with(|program| program.tensors[0].layout = program.tensors[1].layout.clone()),
        with(|program| program.tensors[0].storage = MncoreStorage::Bf16),
        with(|program| program.units[0] ^= 1),
        with(|program| program.runs[1].word += 1),
        with(|program| program.runs[1].place = 0),
        with(|program| program.places[1].push('0')),
    ];
    let distinct: std::collections::HashSet<_> = hashes.iter().collect();
    assert_eq!(distinct.len(), hashes.len());
}

#[test]
fn texts_that_are_no_layout_are_refused() {
    let text = b"i:(w:2,a:5) @DRAM+128, at(g=3)";
    for (to, expected) in [
        (
            b"i:(w:2,a:5) @DROM+128, at(g=3)",
            "unknown memory 'DROM'; expected DRAM, PDM, L2BM, L1BM, LM0, LM1, GRF0, GRF1, X or Y",
        ),
        (
            b"i:(q:2,a:5) @DRAM+128, at(g=3)",
            "character 4 of the layout: expected a place: g, c, b, m, p, h, w, a or T, found \
             `q:2,a:5)`",
        ),
    ] {
        let bytes = replaced(&sample().to_bytes().unwrap(), text, to);
        assert_eq!(
            refusal(&bytes),
            format!("the file is damaged: the layout of argument 3: {expected}")
        );
    }
}

/// Locations of statements, by word; the listing contains them as comments.
#[test]
fn places_of_words() {
    let program = mncore();
    let (seven, nine) = (Some("a.mlir:7:7"), Some("a.mlir:9:9"));
    let found: Vec<_> = program
        .statements()
        .unwrap()
        .map(|found| {
            let found = found.unwrap();
            let line = found.statement.span.line;
            (line, found.word, found.step, program.place(found.word))
        })
        .collect();
    let expected = [
        (1, 0, 0, None),
        (2, 1, 0, seven),
        (3, 2, 1, seven),
        (4, 3, 2, None),
        // The bits of the unit before the MV instruction are unchanged.
        (5, 5, 3, None),
        (6, 6, 4, None),
        (7, 7, 5, None),
        (8, 8, 6, nine),
        (9, 9, 6, nine),
        (10, 10, 7, nine),
        (11, 11, 8, nine),
    ];
    assert_eq!(found, expected);
}

/// Damage in the units or layouts, with a matching hash, gives an error or a program, never a
/// panic.
#[test]
fn random_flips_on_the_board_never_panic() {
    let (mut refused, mut sound) = (0, 0);
    let mut state = 0x0dd0_7a2c_51b5_4c2d_u64;
    let mut random = move |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..1_000 {
        let mut binary = sample();
        let KernelBody::Mncore(program) = &mut binary.kernels[3].body else {
            panic!("kernel 3 is not one for MN-Core 2")
        };
        let at = random(program.units.len());
        program.units[at] ^= 1 << random(8);
        let tensor = &mut program.tensors[random(4)];
        let mut text = tensor.layout.to_string().into_bytes();
        let at = random(text.len());
        text[at] ^= 1 << random(6);
        if let Some(layout) = String::from_utf8(text).ok().and_then(|t| t.parse().ok()) {
            tensor.layout = layout;
        }
        let of_json = binary.to_json(Section::Kernels).is_array();
        match binary.to_bytes() {
            Ok(bytes) => {
                assert_eq!(Binary::read(&bytes).unwrap(), binary);
                assert!(of_json);
                sound += 1;
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 300 && sound > 30, "{refused} {sound}");
}

#[test]
fn json_has_every_part() {
    let json = sample().to_json(Section::All);
    let rows = [
        ("/schema_hash", schema_hash().to_string()),
        ("/version", Version::CURRENT.to_string()),
        ("/system_desc/chips/0", "wormhole_b0".into()),
        ("/mlir/name", "ttnn".into()),
        ("/kernels/0/name", "linear_relu".into()),
        ("/kernels/0/hash", kernel().hash().to_string()),
        ("/kernels/0/target", "tensix".into()),
        (
            "/kernels/0/unpack/1",
            "ttreplay 16, 16, 0, 1  # 0x04040101".into(),
        ),
        ("/kernels/0/math/0", ".sem_poll 1, 2".into()),
        ("/kernels/0/dm/3", ".write 3, 0, 0x19000".into()),
        ("/kernels/1/target", "tensix".into()),
        ("/kernels/1/tiles/0/1/core", "T0".into()),
        ("/kernels/1/tiles/0/1/arguments/0", "base 3".into()),
        ("/kernels/1/tiles/0/1/arguments/3", "last".into()),
        (
            "/kernels/1/tiles/0/1/code/0",
            "0x06000  addi x10, x0, 1  # 0x00100513  model.mlir:1:1".into(),
        ),
        (
            "/kernels/1/tiles/0/1/code/1",
            "0x06004  push ttreplay 16, 16, 0, 1  # 0x10100404  model.mlir:3:8".into(),
        ),
        (
            "/kernels/1/tiles/0/1/code/2",
            "0x06008  jal x0, 0  # 0x0000006f".into(),
        ),
        (
            "/kernels/1/tiles/0/4/code/0",
            "0x12000  .word  # 0xffffffff  model.mlir:1:1".into(),
        ),
        ("/kernels/2/target", "pto".into()),
        ("/kernels/2/groups/0/0", "tensor 0: 1x2x3xbf16".into()),
        (
            "/kernels/2/groups/0/5",
            "  %0 = constant 0  # model.mlir:1:1".into(),
        ),
        (
            "/kernels/2/groups/1/11",
            "  local tensor 4: 3x2x8xf32".into(),
        ),
        (
            "/kernels/2/groups/2/5",
            "  rearrange tensors [2, 0] to 3, fill 0.5, copy 1 of [2, 3] from 5 by [-3, -1] to 1 \
             by [5, 1], copy 0 of [] from 4 by [] to 9 by []  # model.mlir:3:1"
                .into(),
        ),
        ("/kernels/3/target", "mncore".into()),
        (
            "/kernels/3/arguments/0/view",
            "[2, 3] from 5 by [-3, -1]".into(),
        ),
        ("/kernels/3/arguments/0/tensor", "1x2x3xbf16".into()),
        ("/kernels/3/arguments/2/storage", "bf16".into()),
        (
            "/kernels/3/arguments/3/layout",
            "i:(w:2,a:5) @DRAM+128, at(g=3)".into(),
        ),
        ("/kernels/3/code/0", "mvp/n64i01 $d0@0 $lc0@0.0".into()),
        ("/kernels/3/code/2", "linc $lr0 $lr0".into()),
        ("/kernels/3/code/1", "nop; wait i01  # a.mlir:7:7".into()),
        ("/programs/0/tensors/0/name", "x".into()),
        ("/programs/0/tensors/2/memory", "dram".into()),
        ("/programs/0/tensors/2/layout", "tile".into()),
        (
            "/programs/0/operations/3/attributes/value",
            "803f00000000000000bf".into(),
        ),
        ("/programs/0/operations/4/op", "kernel".into()),
        (
            "/programs/0/operations/4/operations/0/attributes/compute_config/math_fidelity",
            "hifi4".into(),
        ),
        ("/programs/0/operations/4/operations/1/op", "relu".into()),
        (
            "/programs/0/operations/9/loc",
            "loc(\"model.mlir\":3:8)".into(),
        ),
    ];
    for (pointer, expected) in rows {
        assert_eq!(
            json.pointer(pointer).and_then(|value| value.as_str()),
            Some(&*expected),
            "{pointer}"
        );
    }
}

#[test]
fn sections() {
    let binary = sample();
    let version = binary.to_json(Section::Version);
    assert_eq!(version["schema_hash"], schema_hash().to_string());
    let system = binary.to_json(Section::SystemDesc);
    assert_eq!(system["chips"][0], "wormhole_b0");
    assert_eq!(binary.to_json(Section::Mlir)["source"], "module {}\n");
    let inputs = binary.to_json(Section::Inputs);
    assert_eq!(inputs["forward"][0]["desc"]["name"], "x");
    assert_eq!(inputs["forward"][1]["global_id"], 1);
    assert_eq!(
        binary.to_json(Section::Outputs)["forward"][1]["desc"]["data_type"],
        "si32"
    );
    let kernels = binary.to_json(Section::Kernels);
    assert_eq!(
        (&kernels[0]["name"], &kernels[0]["pack"][1]),
        (&"linear_relu".into(), &".wait_idle".into())
    );
    let stats = binary.to_json(Section::OpStats);
    assert_eq!(
        (&stats["forward"]["to_device"], &stats["forward"]["relu"]),
        (&2.into(), &1.into())
    );
}

fn entry() -> impl Strategy<Value = Entry> {
    prop_oneof![
        any::<u32>().prop_map(Entry::Push),
        (0..9_u8, any::<u32>()).prop_map(|(index, value)| Entry::MopCfg { index, value }),
        Just(Entry::WaitMop),
        Just(Entry::WaitIdle),
        (0..8_u8).prop_map(Entry::SemPost),
        (0..8_u8).prop_map(Entry::SemGet),
        (0..8_u8, 0..16_u8).prop_map(|(sem, at_least)| Entry::SemPoll { sem, at_least }),
        any::<u16>().prop_map(|counter| Entry::Post { counter }),
        any::<(u16, u32)>().prop_map(|(counter, at_least)| Entry::Wait { counter, at_least }),
    ]
}

fn dm_entry() -> impl Strategy<Value = DmEntry> {
    prop_oneof![
        (0..4_u16, any::<(u32, u32)>()).prop_map(|(arg, (page, l1))| DmEntry::Read {
            arg,
            page,
            l1
        }),
        (0..4_u16, any::<(u32, u32)>()).prop_map(|(arg, (page, l1))| DmEntry::Write {
            arg,
            page,
            l1
        }),
        any::<u16>().prop_map(|counter| DmEntry::Post { counter }),
        any::<(u16, u32)>().prop_map(|(counter, at_least)| DmEntry::Wait { counter, at_least }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_list_is_read_back(
        unpack in vec(entry(), 0..20),
        math in vec(entry(), 0..20),
        pack in vec(entry(), 0..20),
        dm in vec(dm_entry(), 0..20),
        l1_end in 0..=0x16e000_u32,
    ) {
        let mut binary = sample();
        let KernelBody::Tensix(lists) = &mut binary.kernels[0].body else {
        panic!("the kernel is not one of lists")
    };
        *lists = TensixLists { lists: Lists { unpack, math, pack, dm }, l1_end, ..common::lists() };
        let bytes = binary.to_bytes().unwrap();
        prop_assert_eq!(Binary::read(&bytes).unwrap(), binary);
    }
}
