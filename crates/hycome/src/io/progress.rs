//! Progress callback of readers.

use std::fmt;

/// Stage of reading a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadStep {
    /// Reading bytes, and decompressing them.
    Reading,
    /// Parsing the text.
    Parsing,
    /// Building the graph out of its edges.
    Building,
}

/// Progress of a reader.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ReadProgress {
    /// The current stage.
    pub step: ReadStep,
    /// Fraction of this stage that is done, 0 to 1; `None` if the total is unknown, as for a pipe.
    pub done: Option<f64>,
    /// Bytes processed in this stage.
    pub bytes: u64,
}

/// Optional progress callback; called from the threads that read.
#[derive(Clone, Copy, Default)]
pub struct ReadCallback<'a>(Option<&'a (dyn Fn(&ReadProgress) + Sync)>);

impl<'a> ReadCallback<'a> {
    /// Calls `callback` a few times per second of reading.
    #[must_use]
    pub fn new(callback: &'a (dyn Fn(&ReadProgress) + Sync)) -> Self {
        Self(Some(callback))
    }

    /// Reports that `bytes` of `total` went through `step`.
    pub(crate) fn notify(&self, step: ReadStep, bytes: u64, total: Option<u64>) {
        if let Some(callback) = self.0 {
            let done = total.map(|total| (bytes as f64 / total.max(1) as f64).min(1.0));
            callback(&ReadProgress { step, done, bytes });
        }
    }
}

impl fmt::Debug for ReadCallback<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "ReadCallback(callback)" } else { "ReadCallback(none)" })
    }
}
