//! The gradient of a maximum or minimum over windows: `stablehlo.select_and_scatter`.
//!
//! Every window sends its element of the source to the position of its extremum. Slices of the
//! padded operand hold the elements that all windows have at one offset. A window selects the
//! first offset whose slice equals the extremum, or the last one if the region decides so. For
//! each offset, what its windows send is spread to their strides; the sum over all offsets is the
//! result.
//!
//! Windows that contain a NaN send nothing: TTIR leaves their extremum open.

use tessera_dialects::mlir::{Block, Reported, Value};
use tessera_ops::Attributes;

use super::decision;
use super::movement::pad_between;
use super::reduction::{combiner, limits, Combiner};
use super::source::Source;
use super::window::{combine, Window};
use super::Converter;
use crate::ttir::constant_value::splat_number;
use crate::ttir::emitter::Emitter;
use crate::ttir::tensor::Tensor;

/// Returns the converter of a gradient of a reduction over windows.
pub fn converter(name: &str) -> Option<Converter> {
    (name == "stablehlo.select_and_scatter").then_some(select_and_scatter)
}

/// Which element of a window is selected.
struct Selection {
    /// The maximum or minimum.
    combiner: Combiner,
    /// Whether the first of equal elements is selected, not the last.
    takes_first: bool,
}

impl Selection {
    /// Returns the selection of a region that compares the element selected so far with the next
    /// one, and keeps the former if they compare true.
    fn read(source: &Source, body: Block) -> Result<Self, Reported> {
        let direction = decision::comparison(body);
        let (combiner, takes_first) = match direction.as_deref() {
            Some("GE") => (Combiner::MAX, true),
            Some("GT") => (Combiner::MAX, false),
            Some("LE") => (Combiner::MIN, true),
            Some("LT") => (Combiner::MIN, false),
            _ => {
                return Err(source.op.error(
                    "has a region that is not supported; it must compare its two arguments by \
                     GE, GT, LE or LT",
                ))
            }
        };
        Ok(Selection {
            combiner,
            takes_first,
        })
    }
}

fn select_and_scatter<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
) -> Result<Vec<Value<'a>>, Reported> {
    let [operand, sent, initial] = source.operands()?;
    let [select, scatter] = source.bodies()?;
    let window = Window::read(source, operand.rank())?;
    let selection = Selection::read(source, select)?;
    if combiner(source, scatter, &operand)? != Combiner::SUM {
        return Err(source
            .op
            .error("combines elements by another operation than a sum, which is not supported"));
    }
    if window.is_dilated() {
        return Err(source
            .op
            .error("has a window with dilations, which are not supported"));
    }
    let mut offsets = window.offsets(source)?;
    if !selection.takes_first {
        offsets.reverse();
    }
    let masks = masks(source, emitter, &operand, &window, &selection, &offsets)?;
    let mut parts = Vec::new();
    for (mask, offset) in masks.into_iter().zip(&offsets) {
        if emitter.shape(mask)? != sent.shape {
            return Err(source.op.error(format!(
                "has a source of type '{}', whose shape is not that of the windows",
                sent.value.r#type()
            )));
        }
        let zero = emitter.context();
        let zero = zero.tensor(&vec![1; sent.rank()], sent.element, None);
        let zero = emitter.full(0.0, zero)?;
        let part = emitter.emit("where", &[mask, sent.value, zero], Attributes::none())?;
        parts.push(spread(emitter, part, &operand, &window, offset)?);
    }
    let sum = combine(source, emitter, Combiner::SUM.binary, &parts)?;
    if splat_number(initial.value) == Some(0.0) {
        return Ok(vec![sum]);
    }
    let initial = emitter.reshape(initial.value, &vec![1; operand.rank()])?;
    let operands = [initial, sum];
    let value = emitter.emit(Combiner::SUM.binary, &operands, Attributes::none())?;
    Ok(vec![value])
}

/// Returns for each offset whether the windows select their element at this offset.
fn masks<'a>(
    source: &Source<'a>,
    emitter: &Emitter<'a, '_>,
    operand: &Tensor<'a>,
    window: &Window,
    selection: &Selection,
    offsets: &[Vec<i64>],
) -> Result<Vec<Value<'a>>, Reported> {
    let none = Attributes::none;
    let boolean = emitter.context().integer(1);
    let slices = |padded: Value<'a>| {
        let slices = offsets.iter();
        let slices = slices.map(|offset| window.slice(source, emitter, padded, offset));
        slices.collect::<Result<Vec<_>, _>>()
    };
    let (lowest, highest) = limits(operand);
    let padding = match selection.combiner {
        Combiner::MAX => lowest,
        _ => highest,
    };
    let padded = window.pad(emitter, operand.value, padding)?;
    let candidates = slices(padded)?;
    let extremum = combine(source, emitter, selection.combiner.binary, &candidates)?;
    // An element of the padding is never selected, even if it equals the extremum.
    let is_padded = window.padding.iter().any(|amounts| *amounts != (0, 0));
    let inside = match is_padded {
        true => {
            let ones = emitter.full(1.0, operand.value.r#type())?;
            Some(slices(window.pad(emitter, ones, 0.0)?)?)
        }
        false => None,
    };
    let (mut masks, mut selected) = (Vec::new(), None);
    for (index, candidate) in candidates.into_iter().enumerate() {
        let mut mask = emitter.emit_as("eq", &[candidate, extremum], none(), boolean)?;
        if let Some(inside) = &inside {
            let zero = emitter.full(0.0, inside[index].r#type())?;
            let inside = emitter.emit_as("ne", &[inside[index], zero], none(), boolean)?;
            mask = emitter.emit("logical_and", &[mask, inside], none())?;
        }
        selected = Some(match selected {
            None => mask,
            Some(selected) => {
                let free = emitter.emit("logical_not", &[selected], none())?;
                mask = emitter.emit("logical_and", &[mask, free], none())?;
                emitter.emit("logical_or", &[selected, mask], none())?
            }
        });
        masks.push(mask);
    }
    Ok(masks)
}

/// Returns what the windows send to one of their offsets, at its positions in the operand.
fn spread<'a>(
    emitter: &Emitter<'a, '_>,
    part: Value<'a>,
    operand: &Tensor<'a>,
    window: &Window,
    offset: &[i64],
) -> Result<Value<'a>, Reported> {
    let between: Vec<i64> = window.strides.iter().map(|stride| stride - 1).collect();
    let value = pad_between(emitter, part, &between, 0.0)?;
    let extents = operand.shape.iter().zip(emitter.shape(value)?);
    let amounts = extents.enumerate().map(|(dim, (&extent, spread))| {
        let low = offset[dim] - window.padding[dim].0;
        (low, extent as i64 - low - spread as i64)
    });
    let amounts: Vec<_> = amounts.collect();
    emitter.pad(value, &amounts, 0.0)
}
