//! Casts between f32 and bf16 on Tensix: every kind of number and shape, and any schedule. Also
//! tests that a product is not rounded to bf16 before it is cast.

use tessera_program::{Binary, DataType, Program};
use tessera_reference::Tensor;
use tessera_runtime::devices::tensix::{TensixDevice, TensixOptions};
use tessera_runtime::{run, Golden};

use crate::bench::{compile, inputs, judge, on_tensix, only};
use crate::schedules::on_one_tile;

const SHAPES: &[&str] = &[
    "1",
    "97",
    "1x1",
    "31x32",
    "33x97",
    "64x64",
    "160x33",
    "2x3x33x40",
];

/// The types of a cast: from and to.
pub const CASTS: [[&str; 2]; 2] = [["f32", "bf16"], ["bf16", "f32"]];

/// Returns the TTIR of a function that casts a tensor.
pub fn cast(shape: &str, [from, to]: [&str; 2]) -> String {
    let [from_type, to_type] = [from, to].map(|element| format!("tensor<{shape}x{element}>"));
    format!(
        "func.func @{from}_{shape}(%x: {from_type}) -> {to_type} {{\n  \
         %0 = \"ttir.typecast\"(%x) : ({from_type}) -> {to_type}\n  return %0 : {to_type}\n}}\n"
    )
}

fn named<'b>(binary: &'b Binary, name: &str) -> &'b Program {
    let mut programs = binary.programs.iter();
    programs
        .find(|program| program.name == name)
        .unwrap_or_else(|| panic!("no program {name}"))
}

#[test]
fn casts_of_all_shapes_are_within_their_bounds() {
    let casts = SHAPES
        .iter()
        .flat_map(|shape| CASTS.map(|types| cast(shape, types)));
    let binary = compile("casts", &casts.collect::<String>());
    assert_eq!(binary.programs.len(), 2 * SHAPES.len());
    for (program, seed) in binary.programs.iter().zip(0..) {
        let inputs = inputs(program, seed);
        judge(&binary, program, &inputs);
        let results = [false, true].map(|padding_canaries| {
            let options = TensixOptions {
                padding_canaries,
                ..TensixOptions::default()
            };
            on_tensix(&binary, program, &inputs, options).map(|(outputs, _)| outputs)
        });
        assert!(results[0].is_ok(), "{}: {:?}", program.name, results[0]);
        assert_eq!(results[0], results[1], "{}", program.name);
    }
}

fn tensor(shape: &[u64], data_type: DataType, bytes: Vec<u8>) -> Tensor {
    Tensor::new(shape.to_vec(), data_type, bytes).expect("as many bytes as elements have")
}

/// Rounds like the packers, by their documentation: to nearest, ties away from zero. NaN becomes
/// infinity; −0 and denormals become +0.
fn packed(x: u32) -> u16 {
    let magnitude = x & 0x7fff_ffff;
    let sign = (x >> 16 & 0x8000) as u16;
    let rounded = match magnitude {
        0x7f80_0000.. => 0x7f80,
        _ => ((magnitude + 0x8000) >> 16) as u16,
    };
    match rounded {
        0..0x80 => 0,
        _ => sign | rounded,
    }
}

/// Tests every bf16 number plus 0, just below half a unit in the last place, half of one, and just
/// above.
#[test]
fn f32_is_rounded_like_the_packers() {
    let binary = compile("casts_every_number", &cast("512x512", CASTS[0]));
    let tails = [0u32, 0x7fff, 0x8000, 0x8001];
    let numbers: Vec<u32> = (0..=u16::MAX)
        .flat_map(|number| tails.map(|tail| u32::from(number) << 16 | tail))
        .collect();
    let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
    let inputs = [tensor(&[512, 512], DataType::F32, bytes.collect())];
    judge(&binary, only(&binary), &inputs);
    let (outputs, _) = on_tensix(&binary, only(&binary), &inputs, TensixOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let found = outputs[0].data().chunks_exact(2);
    for (number, found) in numbers.into_iter().zip(found) {
        let found = u16::from_le_bytes([found[0], found[1]]);
        assert_eq!(found, packed(number), "{number:#010x}: {found:#06x}");
    }
}

/// Widening bf16 to f32 is exact. The chip flushes denormals to zero, and −0 becomes +0 once it is
/// added to 0.
#[test]
fn widening_is_exact() {
    let binary = compile("casts_widened", &cast("256x256", CASTS[1]));
    let bytes = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let inputs = [tensor(&[256, 256], DataType::BF16, bytes)];
    judge(&binary, only(&binary), &inputs);
    let (outputs, _) = on_tensix(&binary, only(&binary), &inputs, TensixOptions::default())
        .unwrap_or_else(|error| panic!("{error}"));
    let found = outputs[0].data().chunks_exact(4);
    for (number, found) in (0..=u16::MAX).zip(found) {
        let found = u32::from_le_bytes(found.try_into().expect("four bytes"));
        let expect = match number & 0x7fff {
            0..0x80 => 0,
            0x7f81.. => continue,
            _ => u32::from(number) << 16,
        };
        assert_eq!(found, expect, "{number:#06x}: {found:#010x}");
    }
}

#[test]
fn every_schedule_gives_the_same_bits() {
    for [from, to] in CASTS {
        let binary = compile(&format!("casts_from_{from}"), &cast("97x161", [from, to]));
        let inputs = inputs(only(&binary), 5);
        let bits = |schedule, order| on_one_tile(&binary, &inputs, schedule, order);
        let expect = bits(None, None);
        assert!(expect.is_ok(), "{expect:?}");
        for seed in 1..100 {
            assert_eq!(bits(Some(seed), None), expect, "from {from}, seed {seed}");
        }
        for seed in 0..20 {
            let found = bits(Some(seed), Some(seed));
            assert_eq!(found, expect, "from {from}, order seed {seed}");
        }
    }
}

/// A product that is cast to f32 is more accurate than bf16 allows, and than the same product
/// rounded to bf16.
#[test]
fn a_product_that_is_cast_is_not_rounded() {
    let text = "
        func.func @fused(%a: tensor<33x256xbf16>, %b: tensor<256x97xbf16>) -> tensor<33x97xf32> {
          %0 = \"ttir.matmul\"(%a, %b)
            : (tensor<33x256xbf16>, tensor<256x97xbf16>) -> tensor<33x97xbf16>
          %1 = \"ttir.typecast\"(%0) : (tensor<33x97xbf16>) -> tensor<33x97xf32>
          return %1 : tensor<33x97xf32>
        }
        func.func @rounded(%a: tensor<33x256xbf16>, %b: tensor<256x97xbf16>) -> tensor<33x97xbf16> {
          %0 = \"ttir.matmul\"(%a, %b)
            : (tensor<33x256xbf16>, tensor<256x97xbf16>) -> tensor<33x97xbf16>
          return %0 : tensor<33x97xbf16>
        }";
    let binary = compile("casts_product", text);
    let nrms = |name: &str| {
        let program = named(&binary, name);
        let mut golden = Golden::new(program);
        let mut device = TensixDevice::new(&binary, program, TensixOptions::default())
            .unwrap_or_else(|error| panic!("{error}"));
        let inputs = inputs(program, 2);
        run(&mut device, program, inputs, Some(&mut golden))
            .unwrap_or_else(|error| panic!("{error}"));
        let [report] = golden.reports() else {
            panic!("one kernel: {:?}", golden.reports())
        };
        assert!(report.pass, "{report:?}");
        report.isolated.nrms.expect("the product is not zero")
    };
    // The limits of the root mean square error of a product in f32 and in bf16.
    let (fused, rounded) = (nrms("fused"), nrms("rounded"));
    assert!(fused <= 1e-3 && fused < rounded / 2.0, "{fused} {rounded}");
}

/// A row-major f32 input is tilized before the kernel, and the result is untilized.
#[test]
fn row_major_f32_is_tilized() {
    let text = "
        func.func @rows(
            %x: tensor<40x70xf32> {ttcore.argument_type = #ttcore.argument_type<input>})
            -> tensor<40x70xbf16> {
          %0 = \"ttir.typecast\"(%x) : (tensor<40x70xf32>) -> tensor<40x70xbf16>
          return %0 : tensor<40x70xbf16>
        }";
    let binary = compile("casts_rows", text);
    judge(&binary, only(&binary), &inputs(only(&binary), 4));
}
