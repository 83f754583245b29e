//! The memory allocator of `ttrt`, tests and benches: whatever links this crate uses it.
//!
//! A model of a chip has megabytes of memory for each tile, of which a kernel uses a part. The
//! allocator of the C library returns them to the system after each kernel and gets them again page
//! by page, which takes up to a fifth of a run. mimalloc keeps them, and uses huge pages where it
//! can. `tensix-emu` does without: a recorded host starts all tiles and uses little of each, and
//! huge pages of zeros take longer than the run.

use mimalloc::MiMalloc;

#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;
