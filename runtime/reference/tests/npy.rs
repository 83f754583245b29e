//! `.npy` files as NumPy writes them, and invalid files.

use tessera_program::DataType::{self, BF16, F32, SI32, UI16, UI32, UI8};
use tessera_reference::npy::{read, read_shaped, write, Bf16Form};
use tessera_reference::Tensor;

/// Returns a version 1 file with a header's dictionary and data.
fn file(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(dictionary.len()).unwrap().to_le_bytes();
    [
        b"\x93NUMPY\x01\x00",
        &length[..],
        dictionary.as_bytes(),
        data,
    ]
    .concat()
}

fn array(descr: &str, order: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    file(
        &format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}   \n"),
        data,
    )
}

fn refusal(bytes: &[u8], wanted: DataType) -> String {
    read(bytes, wanted, Bf16Form::Values)
        .unwrap_err()
        .to_string()
}

#[test]
fn every_type_is_read_back() {
    for &data_type in DataType::ALL {
        for form in [Bf16Form::Values, Bf16Form::Bits] {
            for shape in [vec![], vec![6], vec![2, 3], vec![1, 3, 2]] {
                let elements: u64 = shape.iter().product();
                let values: Vec<_> = (0..elements).map(|value| value as f64).collect();
                let tensor = Tensor::from_f64s(shape, data_type, &values).unwrap();
                let bytes = write(&tensor, form);
                let loaded = read(&bytes, data_type, form).unwrap();
                assert_eq!((loaded.tensor, loaded.rounded), (tensor, 0));
            }
        }
    }
}

/// The output of NumPy 2.4 for `numpy.array([[1, 2, 3]], 'float32')`.
#[test]
fn writes_as_numpy_does() {
    let tensor = Tensor::from_f64s(vec![1, 3], F32, &[1.0, 2.0, 3.0]).unwrap();
    let mut expected =
        b"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }"
            .to_vec();
    expected.resize(127, b' ');
    expected.extend(b"\n\0\0\x80\x3f\0\0\x00\x40\0\0\x40\x40");
    assert_eq!(write(&tensor, Bf16Form::Values), expected);
}

#[test]
fn bf16_is_rounded_and_counted() {
    let values = [1.0, 1.0 + 1.0 / 256.0, 1.0 + 3.0 / 256.0, f32::NAN, -0.0];
    let data: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let loaded = read(
        &array("<f4", "False", "(5,)", &data),
        BF16,
        Bf16Form::Values,
    )
    .unwrap();
    let bits: Vec<_> = loaded
        .tensor
        .data()
        .chunks(2)
        .map(|b| u16::from_le_bytes([b[0], b[1]]))
        .collect();
    assert_eq!(bits, [0x3f80, 0x3f80, 0x3f82, 0x7fc0, 0x8000]);
    assert_eq!(loaded.rounded, 2);
}

#[test]
fn byte_and_index_orders() {
    let little: Vec<u8> = (0..6_i32).flat_map(i32::to_le_bytes).collect();
    let big: Vec<u8> = (0..6_i32).flat_map(i32::to_be_bytes).collect();
    let check = |bytes: &[u8], expected: &[f64]| {
        assert_eq!(
            read(bytes, SI32, Bf16Form::Values)
                .unwrap()
                .tensor
                .to_f64s(),
            expected
        );
    };
    check(
        &array("<i4", "False", "(2, 3)", &little),
        &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    );
    check(
        &array(">i4", "False", "(2, 3)", &big),
        &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    );
    check(
        &array("<i4", "True", "(2, 3)", &little),
        &[0.0, 2.0, 4.0, 1.0, 3.0, 5.0],
    );
    check(
        &array("<i4", "True", "(1, 3, 2)", &little),
        &[0.0, 3.0, 1.0, 4.0, 2.0, 5.0],
    );
    check(
        &file(
            "{\"shape\":(6,),'descr':'<i4','fortran_order':False}",
            &little,
        ),
        &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0],
    );
}

#[test]
fn other_versions() {
    let text = "{'descr': '|u1', 'fortran_order': False, 'shape': (2,), }\n";
    for version in [2, 3] {
        let length = (text.len() as u32).to_le_bytes();
        let bytes = [
            b"\x93NUMPY",
            &[version, 0][..],
            &length,
            text.as_bytes(),
            &[7, 9],
        ]
        .concat();
        assert_eq!(
            read(&bytes, UI8, Bf16Form::Values).unwrap().tensor.data(),
            [7, 9]
        );
    }
    assert_eq!(
        refusal(b"\x93NUMPY\x04\x00\x00\x00", UI8),
        "version 4.0 of the .npy format is unknown: versions 1.0, 2.0 and 3.0 are read"
    );
}

#[test]
fn other_types_are_refused_with_a_hint() {
    let check = |descr: &str, wanted, text: &str| {
        assert_eq!(refusal(&array(descr, "False", "(0,)", &[]), wanted), text);
    };
    check(
        "<f8",
        F32,
        "the file has elements of type '<f8', but a f32 tensor is read from float32: save it with \
         numpy.save(path, array.astype('float32'))",
    );
    check(
        "<u2",
        BF16,
        "the file has elements of type '<u2', but a bf16 tensor is read from float32 (or from its \
         bits in uint16, with --raw-bits)",
    );
    check(
        "<i8",
        SI32,
        "the file has elements of type '<i8', but a si32 tensor is read from int32: save it with \
         numpy.save(path, array.astype('int32'))",
    );
    check(
        "|i1",
        UI8,
        "the file has elements of type '|i1', but a ui8 tensor is read from uint8: save it with \
         numpy.save(path, array.astype('uint8'))",
    );
    check(
        "<i4",
        UI32,
        "the file has elements of type '<i4', but a ui32 tensor is read from uint32: save it with \
         numpy.save(path, array.astype('uint32'))",
    );
    check(
        "|O",
        UI16,
        "the file has elements of type '|O', but a ui16 tensor is read from uint16: save it with \
         numpy.save(path, array.astype('uint16'))",
    );
    let bits = read(&array("<f4", "False", "(0,)", &[]), BF16, Bf16Form::Bits).unwrap_err();
    assert_eq!(
        bits.to_string(),
        "the file has elements of type '<f4', but a bf16 tensor is read from uint16: save it with \
         numpy.save(path, array.astype('uint16'))"
    );
}

#[test]
fn other_shapes_are_refused() {
    let bytes = array("|u1", "False", "(2, 3)", &[0; 6]);
    let error = read_shaped(&bytes, UI8, &[3, 2], Bf16Form::Values).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the file has shape 2x3, but the tensor has 3x2"
    );
    let check = |shape: &str, data: &[u8], text: &str| {
        assert_eq!(refusal(&array("<u2", "False", shape, data), UI16), text);
    };
    check(
        "(3,)",
        &[0; 5],
        "the file has 5 bytes of data, but its header says 6: it is truncated or was appended to",
    );
    check(
        "(3,)",
        &[0; 7],
        "the file has 7 bytes of data, but its header says 6: it is truncated or was appended to",
    );
    check(
        "(2, 0)",
        &[],
        "the shape 2x0 has an extent of 0: there are no empty tensors",
    );
    check(
        "(9223372036854775808, 2)",
        &[],
        "a tensor of shape 9223372036854775808x2 does not fit in memory",
    );
    check(
        "(9223372036854775808, 1)",
        &[],
        "a tensor of shape 9223372036854775808x1 does not fit in memory",
    );
}

#[test]
fn other_formats_are_refused() {
    for bytes in [&b"PK\x03\x04"[..], b"garbage", b"\x00"] {
        assert_eq!(
            refusal(bytes, F32),
            "not a .npy file: it does not begin with \\x93NUMPY; save the array with numpy.save"
        );
    }
    let whole = array("|u1", "False", "(2,)", &[1, 2]);
    for length in 0..whole.len() {
        let text = refusal(&whole[..length], UI8);
        let expected = if length < whole.len() - 2 {
            "the .npy file ends within its header: it is truncated".to_owned()
        } else {
            format!(
                "the file has {} bytes of data, but its header says 2: it is truncated or was \
                 appended to",
                length + 2 - whole.len()
            )
        };
        assert_eq!(text, expected, "{length}");
    }
}

#[test]
fn damaged_headers_are_refused() {
    let check = |dictionary: &str, expected: &str, at: usize| {
        assert_eq!(
            refusal(&file(dictionary, &[]), F32),
            format!(
                "the header of the .npy file is damaged or of no plain array: expected {expected} \
                 at byte {at} of '{}'",
                dictionary.as_bytes()[..dictionary.len().min(80)].escape_ascii()
            )
        );
    };
    check("[]", "'{'", 0);
    check("{'shape' (1,)}", "':'", 9);
    check("{'shape': 1}", "'('", 10);
    check("{'shape': (-1,)}", "an extent", 11);
    check("{'shape': (99999999999999999999,)}", "an extent", 11);
    check("{'shape': (1 2)}", "',' or ')'", 13);
    check("{'fortran_order': 0}", "True or False", 18);
    check("{'descr': [('a', '<f4')]}", "a plain type", 10);
    check("{'descr': '<f4}", "a plain type", 10);
    check(
        "{'descr': '<f4', 'descr': '<f4'}",
        "one each of 'descr', 'fortran_order', 'shape'",
        17,
    );
    check(
        "{'other': 1}",
        "one each of 'descr', 'fortran_order', 'shape'",
        1,
    );
    check(
        "{'descr': '<f4'}",
        "one each of 'descr', 'fortran_order', 'shape'",
        16,
    );
    check("{'descr': '<f4' 7", "',' or '}'", 16);
    check(&"{".repeat(60_000), "a key", 1);
}
