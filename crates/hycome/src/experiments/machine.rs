//! What a measurement depends on besides the code.

use std::path::Path;

/// Cores that this process may use.
#[must_use]
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The processor's name, where the system tells it.
#[must_use]
pub fn processor() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    processor_of(&info).unwrap_or("unknown processor").to_owned()
}

fn processor_of(info: &str) -> Option<&str> {
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim())
}

/// The instruction set that the kernels are dispatched to.
#[must_use]
pub fn instruction_set() -> String {
    let found = format!("{:?}", pulp::Arch::new());
    found.split(['(', ' ', '{']).next().unwrap_or(&found).to_owned()
}

/// Peak resident memory of this process so far, in bytes, where the system tells it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

/// Resident memory of this process now, in bytes, where the system tells it.
#[must_use]
pub fn resident_memory() -> Option<u64> {
    status("VmRSS:")
}

/// Memory that this process could have in all, in bytes: what it has and what is free, or the limit of its control group
/// (as containers and schedulers set it) where that is less. None where the system does not tell.
#[must_use]
pub fn available_memory() -> Option<u64> {
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let info = read(Path::new("/proc/meminfo"))?;
    let free = kilobytes(&info, "MemAvailable:")?;
    let total = kilobytes(&info, "MemTotal:")?;
    let available = (free + resident_memory().unwrap_or(0)).min(total);
    let groups = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    Some(available.min(group_limit(&groups, &read).unwrap_or(u64::MAX)))
}

/// The least limit among the control groups of a process and those around them; `groups` is what `/proc/self/cgroup` says.
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
        // Without a limit the file says `max`, or a number larger than any machine.
        folders.filter_map(|file| read(&file)?.trim().parse::<u64>().ok()).collect()
    });
    limits.min()
}

/// A size that the system tells of this process.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    kilobytes(&status, key)
}

fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_limit_of_all_groups_counts() {
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
    fn memory_of_the_machine_is_told() {
        let available = available_memory().expect("Linux tells it");
        assert!(available > resident_memory().expect("Linux tells it"));
    }

    #[test]
    fn the_processor_is_what_the_system_calls_it() {
        assert_eq!(
            processor_of("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n"),
            Some("Some CPU @ 2 GHz")
        );
        assert_eq!(processor_of(""), None);
    }
}
