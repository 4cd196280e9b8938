//! What a measurement depends on besides the code.

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

/// A size that the system tells of this process.
fn status(key: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_what_the_system_calls_it() {
        assert_eq!(
            processor_of("processor\t: 0\nmodel name\t: Some CPU @ 2 GHz\n"),
            Some("Some CPU @ 2 GHz")
        );
        assert_eq!(processor_of(""), None);
    }
}
