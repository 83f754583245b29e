use super::super::{Context, DenseElements};

#[test]
fn reads_and_makes_dense_constants() {
    let context = Context::new();
    let context = context.as_ref();
    let rows: &[(&str, Option<(bool, &[u8])>)] = &[
        ("dense<1> : tensor<2x2xi32>", Some((true, &[1, 0, 0, 0]))),
        (
            "dense<[1, -2]> : tensor<2xsi16>",
            Some((false, &[1, 0, 254, 255])),
        ),
        ("dense<1.0> : tensor<4xbf16>", Some((true, &[0x80, 0x3f]))),
        (
            "dense<[true, false, true]> : tensor<3xi1>",
            Some((false, &[1, 0, 1])),
        ),
        ("dense<true> : tensor<3xi1>", Some((true, &[1]))),
        ("dense<> : tensor<0xf32>", Some((false, &[]))),
        ("dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>", None),
        ("dense<1> : tensor<2xi7>", None),
        ("1 : i32", None),
    ];
    for (text, expected) in rows {
        let attribute = context.parse_attribute(text).expect("an attribute");
        let got = attribute.dense();
        let values = got.as_ref().map(|data| (data.splat, data.bytes.as_slice()));
        assert_eq!(values, *expected, "{text}");
        let is_splat = expected.is_some_and(|(is_splat, _)| is_splat);
        assert_eq!(got.is_some() && attribute.is_splat(), is_splat, "{text}");
        if let Some(data) = got.filter(|_| !text.contains("xi1")) {
            let again = context.dense_attribute(data.r#type, &data.bytes);
            assert_eq!(again, Some(attribute), "{text}");
        }
    }
}

#[test]
fn refuses_bytes_that_do_not_fill_the_shape() {
    let context = Context::new();
    let context = context.as_ref();
    for (text, length) in [
        ("tensor<3xf32>", 8),
        ("tensor<3xf32>", 11),
        ("tensor<3xf32>", 0),
        ("tensor<?xf32>", 4),
        ("tensor<3xi1>", 3),
        ("f32", 4),
    ] {
        let r#type = context.parse_type(text).expect("a type");
        assert_eq!(
            context.dense_attribute(r#type, &vec![0; length]),
            None,
            "{text}"
        );
    }
}
