//! The memory allocator of the tools, tests and benches: whatever links this crate uses it.
//!
//! A model of a chip has megabytes of memory for each tile, of which a kernel uses a part. That of
//! the C library returns them to the system after each kernel and gets them again page by page,
//! which takes up to a fifth of a run. mimalloc keeps them, and uses huge pages where it can.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
