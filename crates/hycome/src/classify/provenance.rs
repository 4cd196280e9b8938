//! Provenance of a classifier: it is only valid for the points of the run it was fitted to.

use super::Classifier;
use crate::train::Run;

impl Classifier {
    /// Records the fingerprint of the run whose points the classifier was fitted to.
    #[must_use]
    pub fn learnt_from(self, run: &Run) -> Self {
        Self { run: Some(run.fingerprint()), ..self }
    }

    /// Reason why the classifier does not apply to `run`, as a predicate for the subject "the model"; `None` if it was
    /// fitted to this run.
    ///
    /// A classifier fitted to bare points has no recorded run and never matches.
    #[must_use]
    pub fn mismatch(&self, run: &Run) -> Option<String> {
        let (dim, geometry, of) = (run.nodes.dim(), run.config.geometry, run.fingerprint());
        if self.dim != dim {
            return Some(format!("is for {} dimensions, and the run has {dim}", self.dim));
        }
        if self.geometry != geometry {
            let (own, found) = (self.geometry.name(), geometry.name());
            return Some(format!("is for the geometry {own}, and the run has {found}"));
        }
        match self.run {
            None => Some("does not record the run it was trained on".to_owned()),
            Some(own) if own.names != of.names => Some("was trained on a run of other nodes".to_owned()),
            Some(own) if own != of => {
                Some("was trained on another run of the same nodes, with other points".to_owned())
            }
            Some(_) => None,
        }
    }
}
