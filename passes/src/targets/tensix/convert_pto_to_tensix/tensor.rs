//! Conversion of a group's tensors to the plan's.

use tessera_isa_tensix::Arch;
use tessera_pto::kernel::{Group, Op};

use super::plan::{Element, Tensor, TensorMemory};
use super::refusal::{expect_valid, Message, Refusal, Subject};
use crate::ttnn::layout::TILE;

/// Returns tensor `number` of a group. `op` accesses it as its tensor operand `operand`, counted
/// among the tensor operands; a refusal names that one.
///
/// # Errors
/// The tensor does not fit into DRAM.
pub fn resolve(
    group: &Group,
    number: usize,
    (op, operand): (&Op, usize),
    arch: Arch,
) -> Result<Tensor, Refusal> {
    let r#type = expect_valid(op, group.tensors.get(number))?;
    let element = Element::from(r#type.element);
    let [rows, columns] = r#type.tiles([TILE as u32; 2]);
    let bytes = u64::from(element.tile_bytes())
        .saturating_mul(rows)
        .saturating_mul(columns);
    let (banks, bank) = (arch.dram_banks(), arch.dram_bank_bytes());
    if bytes > bank * u64::from(banks) {
        return Err(Refusal {
            subject: Subject::Operation(op.location),
            message: Message::Tensor { arch, operand },
        });
    }
    Ok(Tensor {
        memory: TensorMemory::Argument(expect_valid(op, u16::try_from(number).ok())?),
        matrices: r#type.matrices,
        rows: r#type.rows,
        columns: r#type.columns,
        element,
    })
}
