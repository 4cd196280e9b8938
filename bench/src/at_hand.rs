//! Memory that a process has before it needs any.
//!
//! Where a program writes to memory for the first time, the system has to find a page and clear it; on a virtual
//! machine its host may have to as well, and takes the longer the more is asked for. That is time of the machine and not of
//! the program. A process whose allocator keeps what is freed can pay it beforehand.

use std::hint::black_box;

use crate::clock::{Time, time};

/// Makes the allocator of glibc keep all memory, in one place from which every thread takes; others do as they do.
pub const KEEP: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1000000000000:glibc.malloc.arena_max=1",
);

/// What a page has at least.
pub const PAGE: usize = 4096;

/// Writes to so many bytes of fresh memory, and frees them.
pub fn touch(bytes: usize) -> Time {
    let (time, memory) = time(|| {
        let mut memory: Vec<u8> = Vec::with_capacity(bytes);
        memory.spare_capacity_mut().iter_mut().step_by(PAGE).for_each(|byte| {
            byte.write(1);
        });
        memory
    });
    black_box(memory);
    time
}
