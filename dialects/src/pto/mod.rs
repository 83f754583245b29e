//! The pto dialect: what tiles are, and the rules of its operations.

use crate::mlir::{pto_tile, Op, TensorType, Type, TypeLike, Value};
use crate::verify::Verifier;
use crate::words::words;

words! {
    /// Which side of a core a kernel runs on.
    Kind = "pto.kind" {
        /// Both.
        Mixed = "mixed",
        /// The matrix side.
        Cube = "cube",
        /// The element-wise side.
        Vector = "vector",
        /// Neither: it starts kernels.
        Orchestration = "orchestration",
    }
}

words! {
    /// How many phases a product takes over the bits of its factors.
    Fidelity = "pto.fidelity" {
        /// One.
        LoFi = "lofi",
        /// Two.
        HiFi2 = "hifi2",
        /// Three.
        HiFi3 = "hifi3",
        /// Four: every bit.
        HiFi4 = "hifi4",
    }
}

words! {
    /// What accumulators hold.
    Dst = "pto.dst" {
        /// 32-bit floats.
        F32 = "f32",
        /// 16 bits.
        B16 = "b16",
    }
}

words! {
    /// What computes an operation.
    Unit = "pto.unit" {
        /// The matrix unit.
        Fpu = "fpu",
        /// The vector unit.
        Sfpu = "sfpu",
        /// The packers, on the way out.
        Pack = "pack",
    }
}

words! {
    /// How the right operand is spread over the tile.
    Broadcast = "pto.broadcast" {
        /// Not at all.
        None = "none",
        /// Its first row to every row.
        Row = "row",
        /// Its first column to every column.
        Column = "column",
        /// Its first element everywhere.
        Scalar = "scalar",
    }
}

/// Where a tile lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Memory beside the cores, where loads put it.
    Mat,
    /// Accumulators, where operations put it.
    Acc,
}

/// What a tile type says.
#[derive(Clone, Debug, PartialEq)]
pub struct Tile<'a> {
    /// Rows and columns.
    pub shape: Vec<u64>,
    /// The type of its elements.
    pub element: Type<'a>,
    /// Where it lies.
    pub space: Space,
}

/// The tile that a type is; nothing if it is none.
pub fn tile(r#type: Type<'_>) -> Option<Tile<'_>> {
    let (contents, space) = pto_tile(r#type)?;
    let space = if space == 0 { Space::Mat } else { Space::Acc };
    Some(Tile {
        shape: contents.static_shape()?,
        element: contents.element_type()?,
        space,
    })
}

fn tile_of<'a>(value: Value<'a>) -> Result<Tile<'a>, String> {
    tile(value.r#type())
        .ok_or_else(|| format!("{} has a dynamic shape; a tile is 32x32", value.r#type()))
}

/// The verifier of an operation.
pub(crate) fn verifier(name: &str) -> Option<Verifier> {
    Some(match name.strip_prefix("pto.")? {
        "func" => verify_func,
        "tload" | "tstore" => verify_move,
        "tmatmul" | "tmatmul_acc" => verify_matmul,
        "tadd" | "tsub" | "tmul" => verify_binary,
        "trelu" | "tneg" => verify_unary,
        "tcvt" => verify_conversion,
        _ => return None,
    })
}

fn verify_func(op: Op) -> Result<(), String> {
    let Some(body) = op.body() else {
        return Err("requires a body".into());
    };
    for argument in body.arguments() {
        require_matrices(argument)?;
    }
    Ok(())
}

/// Checks that a tensor in global memory is a matrix or a sequence of matrices.
fn require_matrices(value: Value) -> Result<(), String> {
    let r#type = value.r#type();
    let shape = r#type.is_mem_ref().then(|| r#type.static_shape()).flatten();
    match shape.as_deref() {
        Some([_, _] | [_, _, _]) => Ok(()),
        _ => Err(format!(
            "{type} is not a memref of known shape with two or three dimensions"
        )),
    }
}

fn operand<'a>(op: Op<'a>, index: usize) -> Result<Value<'a>, String> {
    op.operand(index)
        .ok_or_else(|| format!("requires operand #{index}"))
}

fn result(op: Op) -> Result<Tile, String> {
    tile_of(op.result(0).ok_or("requires a result")?)
}

fn verify_move(op: Op) -> Result<(), String> {
    let (tile, memory) = if op.is("pto.tload") {
        (result(op)?, operand(op, 0)?)
    } else {
        (tile_of(operand(op, 0)?)?, operand(op, 1)?)
    };
    require_matrices(memory)?;
    if memory.r#type().element_type() != Some(tile.element) {
        return Err(format!(
            "element type of the tile, {}, is not that of {}; convert it with pto.tcvt",
            tile.element,
            memory.r#type()
        ));
    }
    if op.is("pto.tload") && tile.space != Space::Mat {
        return Err("loads into mat".into());
    }
    Ok(())
}

fn verify_matmul(op: Op) -> Result<(), String> {
    let operands = op
        .operands()
        .into_iter()
        .map(tile_of)
        .collect::<Result<Vec<_>, _>>()?;
    let [accumulator @ .., a, b] = &operands[..] else {
        return Err("requires two factors".into());
    };
    let product = result(op)?;
    if product.space != Space::Acc {
        return Err("its result lies in acc".into());
    }
    let shape = |tile: &Tile| {
        <[u64; 2]>::try_from(&tile.shape[..]).map_err(|_| "a tile has two dimensions")
    };
    let ([m, k], [k_b, n]) = (shape(a)?, shape(b)?);
    if k != k_b || shape(&product)? != [m, n] {
        return Err(format!(
            "shapes {:?} and {:?} do not multiply to {:?}",
            a.shape, b.shape, product.shape
        ));
    }
    if accumulator
        .iter()
        .any(|accumulator| *accumulator != product)
    {
        return Err("requires the same type for accumulator and result".into());
    }
    Ok(())
}

fn verify_binary(op: Op) -> Result<(), String> {
    let (a, b, sum) = (
        tile_of(operand(op, 0)?)?,
        tile_of(operand(op, 1)?)?,
        result(op)?,
    );
    if a.shape != b.shape || a.shape != sum.shape {
        return Err(format!(
            "shapes {:?}, {:?} and {:?} are not the same",
            a.shape, b.shape, sum.shape
        ));
    }
    Ok(())
}

fn verify_unary(op: Op) -> Result<(), String> {
    if tile_of(operand(op, 0)?)? != result(op)? {
        return Err("requires the same type for operand and result".into());
    }
    Ok(())
}

fn verify_conversion(op: Op) -> Result<(), String> {
    let (from, to) = (tile_of(operand(op, 0)?)?, result(op)?);
    if from.shape != to.shape {
        return Err(format!(
            "shapes {:?} and {:?} are not the same",
            from.shape, to.shape
        ));
    }
    if from.element == to.element {
        return Err(format!(
            "converts {} to itself; a move never converts",
            from.element
        ));
    }
    Ok(())
}
