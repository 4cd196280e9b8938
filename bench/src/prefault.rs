//! Pre-faulting: touching memory before the clock starts.
//!
//! The first write to a page causes a page fault, in which the operating system, and on a virtual machine also its
//! host, finds and clears a page. That cost belongs to the machine, not to the program. A process whose allocator keeps
//! freed memory can pay it in advance.

use std::hint::black_box;

use crate::clock::{Time, time};

/// Makes glibc's allocator keep all freed memory, in one arena for all threads. Other allocators ignore it.
pub const KEEP_FREED_MEMORY: (&str, &str) = (
    "GLIBC_TUNABLES",
    "glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=1000000000000:glibc.malloc.arena_max=1",
);

/// Smallest page size in bytes.
pub const PAGE: usize = 4096;

/// Touches `bytes` of new memory, and frees it.
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
