use super::*;
use tessera_pto::target::Precision;

#[test]
fn functions_take_as_many_items_as_the_table_says() {
    let gelu = Function::unary(Unary::Gelu, Precision::F32).row();
    for (function, element, expect) in [
        (
            Elementwise::Unary(Unary::Gelu),
            Element::F32,
            Some(gelu.mau + gelu.alu),
        ),
        (Elementwise::Unary(Unary::Gelu), Element::I32, None),
        (Elementwise::Binary(Binary::Add), Element::F32, Some(1)),
        (Elementwise::Number(Binary::Max, 0.5), Element::F32, Some(1)),
        (
            Elementwise::Select,
            Element::I32,
            Some(Function::IntWhere.row().alu),
        ),
        (Elementwise::Convert(Element::F32), Element::F32, Some(0)),
    ] {
        assert_eq!(
            items(function, element),
            expect,
            "{function:?} of {element:?}"
        );
    }
}
