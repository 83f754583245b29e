use super::*;

/// Errors that no text can cause, since the parser requires a memory layout first.
#[test]
fn what_needs_a_memory_layout() {
    for (buffer, expect) in [
        (
            BufferType::L1,
            vec![
                "Memory layout is required for non-SystemMemory buffer type.",
                "Tensor memory layout is required for sharding",
            ],
        ),
        (
            BufferType::SystemMemory,
            vec!["Sharding is only valid for L1 or DRAM buffer type"],
        ),
    ] {
        assert_eq!(verify_memory_config(buffer, None, true), expect);
    }
    let errors = verify_layout(&[1, 1], Some(BufferType::SystemMemory), None, true, false);
    assert_eq!(
        errors,
        ["non-sharded TTNN layout must not carry a core_range_set (got no memory layout)"]
    );
}
