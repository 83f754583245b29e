//! Index arithmetic of broadcasting.

/// Returns, for every element of a tensor of shape `result`, the index of its source in a tensor of
/// `shape`, both row-major. `shape` can be broadcast to `result`.
pub fn broadcast_sources(shape: &[u64], result: &[u64]) -> Vec<usize> {
    let missing = result.len() - shape.len();
    let mut sources = vec![0_usize];
    for (axis, &extent) in result.iter().enumerate() {
        let own = axis
            .checked_sub(missing)
            .map_or(1, |axis| shape[axis] as usize);
        let step = usize::from(own > 1);
        sources = sources
            .iter()
            .flat_map(|&source| (0..extent as usize).map(move |index| source * own + index * step))
            .collect();
    }
    sources
}

#[cfg(test)]
mod tests;
