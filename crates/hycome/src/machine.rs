//! The machine: cores, CPU model, instruction set, and memory of the process and the system.

use std::path::Path;

/// Number of cores available to this process.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// CPU model name, if the operating system reports it.
#[must_use]
pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    processor_of(&info).unwrap_or("unknown processor").to_owned()
}

fn processor_of(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

/// Instruction set that the SIMD kernels are dispatched to.
#[must_use]
pub fn instruction_set() -> String {
    let found = format!("{:?}", pulp::Arch::new());
    found.split(['(', ' ', '{']).next().unwrap_or(&found).to_owned()
}

/// Peak resident memory of this process in bytes, if the operating system reports it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

/// Current resident memory of this process in bytes, if the operating system reports it.
#[must_use]
pub(crate) fn resident_memory() -> Option<u64> {
    status("VmRSS:")
}

/// Memory available to this process in bytes: its resident memory plus free memory, at most the limit of its control group
/// (cgroup), which containers and schedulers set, and its address-space limit (`ulimit -v`). `None` if the operating
/// system does not report it.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let info = read(Path::new("/proc/meminfo"))?;
    let free = kilobytes(&info, "MemAvailable:")?;
    let total = kilobytes(&info, "MemTotal:")?;
    let resident = resident_memory().unwrap_or(0);
    let available = (free + resident).min(total);
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let limits = read(Path::new("/proc/self/limits")).unwrap_or_default();
    // Stacks of threads and memory-mapped files take address space, but no memory.
    let mapped = status("VmSize:").unwrap_or(resident).saturating_sub(resident);
    let address_space = address_space_limit(&limits).map(|limit| limit.saturating_sub(mapped));
    let limits = [group_limit(&groups, &read), address_space];
    limits.into_iter().flatten().chain([available]).min()
}

/// Soft limit of the address space; `limits` is the content of `/proc/self/limits`.
fn address_space_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Smallest limit of the control groups of a process and their ancestors; `groups` is the content of `/proc/self/cgroup`.
fn group_limit(groups: &str, read: &dyn Fn(&Path) -> Option<String>) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or(""), parts.next().unwrap_or("/"));
        let (root, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            v1 if v1.split(',').any(|name| name == "memory") => {
                ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        // Inside a container the path may be that of the host, and the root is the group itself.
        let folders = Path::new(path)
            .ancestors()
            .map(|group| Path::new(root).join(group.strip_prefix("/").unwrap_or(group)).join(file));
        // Without a limit the file contains `max`, or a number larger than any machine.
        folders.filter_map(|file| read(&file)?.trim().parse::<u64>().ok()).collect()
    });
    limits.min()
}

/// A size in `/proc/self/status`, in bytes.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, key)
}

fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

/// Human-readable number of bytes: `41.3 MB`.
#[must_use]
pub fn readable(bytes: u64) -> String {
    let units = ["kB", "MB", "GB", "TB"];
    let mut number = bytes as f64 / 1000.0;
    if number < 1.0 {
        return format!("{bytes} B");
    }
    let mut place = 0;
    // A number that would be rounded to 1000.0 belongs to the next unit.
    while number >= 999.95 && place + 1 < units.len() {
        number /= 1000.0;
        place += 1;
    }
    format!("{number:.1} {}", units[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_address_space_limit_applies() {
        let limits = |soft: &str| {
            format!(
                "Limit  Soft Limit  Hard Limit  Units\nMax address space         {soft}  unlimited  bytes\n"
            )
        };
        assert_eq!(address_space_limit(&limits("2097152000")), Some(2_097_152_000));
        assert_eq!(address_space_limit(&limits("unlimited")), None);
        assert_eq!(address_space_limit(""), None);
    }

    #[test]
    fn the_smallest_group_limit_applies() {
        let read = |path: &Path| {
            let text = match path.to_str()? {
                "/sys/fs/cgroup/memory.max" => "max\n",
                "/sys/fs/cgroup/a/memory.max" => "4000\n",
                "/sys/fs/cgroup/a/b/memory.max" => "9000\n",
                "/sys/fs/cgroup/memory/memory.limit_in_bytes" => "9223372036854771712\n",
                "/sys/fs/cgroup/memory/job/memory.limit_in_bytes" => "3000\n",
                _ => return None,
            };
            Some(text.to_owned())
        };
        assert_eq!(group_limit("0::/a/b\n", &read), Some(4000));
        assert_eq!(group_limit("0::/elsewhere\n", &read), None);
        assert_eq!(group_limit("9:cpu:/job\n4:memory:/job\n0::/\n", &read), Some(3000));
        assert_eq!(group_limit("4:cpu,memory:/of/the/host\n", &read), Some(9_223_372_036_854_771_712));
        assert_eq!(group_limit("", &read), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_reported_on_linux() {
        let available = available_memory().expect("Linux reports it");
        assert!(available > resident_memory().expect("Linux reports it"));
    }

    #[test]
    fn the_cpu_model_is_parsed() {
        assert_eq!(
            processor_of("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n"),
            Some("Some CPU @ 2 GHz")
        );
        assert_eq!(processor_of(""), None);
    }

    #[test]
    fn bytes_are_readable() {
        let shown = [7, 1_500, 41_300_000, 999_950_000, 160_000_000_000, u64::MAX].map(readable);
        assert_eq!(shown, ["7 B", "1.5 kB", "41.3 MB", "1.0 GB", "160.0 GB", "18446744.1 TB"]);
    }
}
