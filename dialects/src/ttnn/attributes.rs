//! Verifiers of the attributes of ttnn, with upstream's texts.

use super::{BufferType, TensorMemoryLayout};
use crate::mlir::Attribute;
use crate::verify::shape::join;

/// Checks `#ttnn.core_range`; the corners are `[start x, start y, end x, end y]`.
pub(crate) fn verify_core_range([start_x, start_y, end_x, end_y]: [u64; 4]) -> Vec<String> {
    if start_x <= end_x && start_y <= end_y {
        return Vec::new();
    }
    vec![format!(
        "Start coordinates #ttnn.core_coord<{start_x}, {start_y}> must be less than or equal to end coordinates \
         #ttnn.core_coord<{end_x}, {end_y}>"
    )]
}

/// Checks `#ttnn.core_range_set`, given each range and its corners.
pub(crate) fn verify_core_ranges(ranges: &[(Attribute, [u64; 4])]) -> Vec<String> {
    let pairs = ranges
        .iter()
        .enumerate()
        .flat_map(|(i, a)| ranges[i + 1..].iter().map(move |b| (a, b)));
    pairs
        .filter(|((_, a), (_, b))| a[2] >= b[0] && b[2] >= a[0] && a[3] >= b[1] && b[3] >= a[1])
        .map(|((a, _), (b, _))| format!("Core ranges overlap: {a} and {b}"))
        .take(1)
        .collect()
}

/// Checks `#ttnn.memory_config`.
pub(crate) fn verify_memory_config(
    buffer: BufferType,
    layout: Option<TensorMemoryLayout>,
    sharded: bool,
) -> Vec<String> {
    let mut errors: Vec<String> = check_buffer(buffer, layout).into_iter().collect();
    errors.extend(if sharded {
        check_sharding(buffer, layout)
    } else {
        None
    });
    errors
}

fn check_sharding(buffer: BufferType, layout: Option<TensorMemoryLayout>) -> Option<String> {
    if !matches!(buffer, BufferType::L1 | BufferType::Dram) {
        return Some("Sharding is only valid for L1 or DRAM buffer type".into());
    }
    let Some(layout) = layout else {
        return Some("Tensor memory layout is required for sharding".into());
    };
    match layout {
        // `check_buffer` reports block sharding in DRAM.
        TensorMemoryLayout::BlockSharded
        | TensorMemoryLayout::HeightSharded
        | TensorMemoryLayout::WidthSharded => None,
        _ => Some(
            "Sharding is only valid for block sharded, height sharded, or width sharded tensor memory layout".into(),
        ),
    }
}

/// Checks `#ttnn.ttnn_layout`. A memref without a `#ttnn.buffer_type` as its memory space has no
/// `buffer`.
pub(crate) fn verify_layout(
    grid: &[u64],
    buffer: Option<BufferType>,
    layout: Option<TensorMemoryLayout>,
    has_cores: bool,
    ignores_physical_layout: bool,
) -> Vec<String> {
    let Some(buffer) = buffer else {
        return vec!["expected a memref whose memory space is a #ttnn.buffer_type".into()];
    };
    let sharded = layout.filter(|layout| *layout != TensorMemoryLayout::Interleaved);
    let mut errors: Vec<String> = check_grid(grid, buffer, sharded.is_some())
        .into_iter()
        .collect();
    errors.extend(check_buffer(buffer, layout));
    if let Some(layout) = sharded.filter(|_| !has_cores && !ignores_physical_layout) {
        errors.push(format!(
            "sharded TTNN layout ({layout}) must carry a core_range_set"
        ));
    }
    if sharded.is_none() && has_cores {
        let layout = layout.map_or("no memory layout", TensorMemoryLayout::word);
        errors.push(format!(
            "non-sharded TTNN layout must not carry a core_range_set (got {layout})"
        ));
    }
    errors
}

/// Checks the grid: only L1 and sharded DRAM tensors may be distributed over more than one core or
/// bank.
fn check_grid(grid: &[u64], buffer: BufferType, sharded: bool) -> Option<String> {
    let may_be_distributed = buffer == BufferType::L1 || (buffer == BufferType::Dram && sharded);
    if may_be_distributed || grid == [1, 1] {
        return None;
    }
    let layout = if buffer == BufferType::Dram {
        " with interleaved memory layout"
    } else {
        ""
    };
    let grid = join(grid, ", ");
    Some(format!(
        "expected (1, 1) grid shape for {buffer} buffer type{layout}, got ({grid})"
    ))
}

fn check_buffer(buffer: BufferType, layout: Option<TensorMemoryLayout>) -> Option<String> {
    match (buffer, layout) {
        (BufferType::SystemMemory, Some(_)) => {
            Some("Memory layout is not allowed for SystemMemory buffer type.".into())
        }
        (BufferType::Dram, Some(TensorMemoryLayout::BlockSharded)) => Some(
            "BlockSharded layout is not supported for DRAM buffer type; use WidthSharded, HeightSharded or \
             Interleaved"
                .into(),
        ),
        (buffer, None) if buffer.is_device() => {
            Some("Memory layout is required for non-SystemMemory buffer type.".into())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
