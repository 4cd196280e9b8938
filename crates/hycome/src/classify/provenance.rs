//! Provenance of a classifier: it applies to the points of the run that it was fitted to only.

use super::Classifier;
use crate::train::Run;

impl Classifier {
    /// Remembers the run whose points it was learnt from.
    #[must_use]
    pub fn learnt_from(self, run: &Run) -> Self {
        Self { run: Some(run.fingerprint()), ..self }
    }

    /// Why its predictions would mean nothing on this run, as what follows "the model"; none if it was learnt from the run.
    ///
    /// A classifier that was learnt from points alone does not know its run, and is refused.
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
            None => Some("does not say which run it was learnt from".to_owned()),
            Some(own) if own.names != of.names => Some("was learnt from a run of other nodes".to_owned()),
            Some(own) if own != of => Some(
                "was learnt from another training of the same nodes, whose points lie elsewhere".to_owned(),
            ),
            Some(_) => None,
        }
    }
}
