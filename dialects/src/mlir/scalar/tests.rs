use super::*;
use crate::mlir::Context;

#[test]
fn scalars_are_types_and_back() {
    let context = Context::new();
    let context = context.as_ref();
    let int = |width, sign| Some(Scalar::Integer { width, sign });
    for (text, expected) in [
        ("bf16", Some(Scalar::BF16)),
        ("f16", Some(Scalar::F16)),
        ("f32", Some(Scalar::F32)),
        ("f64", Some(Scalar::F64)),
        ("index", Some(Scalar::Index)),
        ("i1", int(1, Sign::Signless)),
        ("si32", int(32, Sign::Signed)),
        ("ui8", int(8, Sign::Unsigned)),
        ("f8E5M2", None),
        ("tensor<f32>", None),
    ] {
        let r#type = context.parse_type(text).expect("a type");
        assert_eq!(r#type.scalar(), expected, "{text}");
        if let Some(scalar) = expected {
            assert_eq!(context.scalar(scalar), r#type, "{text}");
        }
    }
}
