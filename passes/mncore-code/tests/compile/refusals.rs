//! What has no code, and what is said of it.

use tessera_mncore_code::compile::{compile, Options};
use tessera_pto::kernel::{Binary, Element, TensorType, TileType};

use crate::groups::{over_tiles, singles, TILE};

#[test]
fn products_of_integers() {
    let element = Element::I32;
    let tensors = [singles(8, 8); 2].map(|tensor| TensorType { element, ..tensor });
    let group = over_tiles(&tensors, |builder, row, column| {
        let tile = builder.load(0, row, column, TileType { element, ..TILE });
        builder.binary(Binary::Multiply, tile, tile)
    });
    let error = compile(&group, &Options::default()).expect_err("there is no such instruction");
    assert_eq!(error.to_string(), "a product of integers has no code for MN-Core 2, whose processors multiply floats only; cast to f32, if numbers are below 2^24");
    assert_eq!(error.location(), Some(0));
}
