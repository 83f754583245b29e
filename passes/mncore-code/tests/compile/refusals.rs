//! What has no code, and what is said of it.

use tessera_mncore_code::compile::{compile, Options};
use tessera_pto::builder::Builder;
use tessera_pto::kernel::{Binary, Compute, Element, TensorType, TileType, Unary, Value};

use crate::groups::{over_tiles, singles, TILE};

#[test]
fn operations_without_code_are_named() {
    fn check(element: Element, expect: &str, value: impl FnOnce(&mut Builder, Value) -> Value) {
        let tensors = [singles(8, 8); 2].map(|tensor| TensorType { element, ..tensor });
        let group = over_tiles(&tensors, |builder, row, column| {
            let tile = TileType { element, ..TILE };
            let loaded = builder.load(0, row, column, tile);
            value(builder, loaded)
        });
        let error = compile(&group, &Options::default())
            .expect_err(expect)
            .to_string();
        assert_eq!(
            error,
            format!("{expect} has no code for MN-Core 2 yet; run the group on another device")
        );
    }
    check(Element::F32, "logical_not", |builder, tile| {
        builder.unary(Unary::LogicalNot, tile)
    });
    check(Element::F32, "prelu", |builder, tile| {
        builder.binary(Binary::Prelu, tile, tile)
    });
    check(Element::F32, "a cast to i32", |builder, tile| {
        let integers = TileType {
            element: Element::I32,
            ..TILE
        };
        let integers = builder.compute(Compute::Convert, &[tile], integers);
        builder.compute(Compute::Convert, &[integers], TILE)
    });
    check(Element::I32, "a tensor of i32", |builder, tile| {
        builder.unary(Unary::Neg, tile)
    });
}
