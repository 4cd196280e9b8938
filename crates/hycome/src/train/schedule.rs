//! Schedules: learning rate and curvature over a training run.
//!
//! The learning rate decays linearly over all epochs. The curvature grows geometrically from one to its final value during the warm-up:
//! points first pass each other easily, as they must to untangle, and then get room to separate.

use super::engine::pair_update::StepSize;
use super::resolved::ResolvedConfig;

/// Final learning rate, as a fraction of the initial one.
const FINAL_RATE: f64 = 0.01;

/// Schedules at an epoch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule<'a> {
    /// Settings of the phase.
    pub config: &'a ResolvedConfig,
    /// Completed epochs of the phase.
    pub epoch: usize,
}

impl Schedule<'_> {
    /// Learning rate at a fraction of the epoch.
    #[must_use]
    pub(super) fn learning_rate(&self, fraction: f64) -> f64 {
        let done = (self.epoch as f64 + fraction) / self.config.total_epochs() as f64;
        self.config.learning_rate * (1.0 - (1.0 - FINAL_RATE) * done)
    }

    /// Curvature at a fraction of the epoch.
    #[must_use]
    pub(super) fn curvature(&self, fraction: f64) -> f64 {
        let warmup = self.config.warmup_epochs.max(1) as f64;
        self.config.curvature.powf(((self.epoch as f64 + fraction) / warmup).min(1.0))
    }

    /// Step size of a loss of this weight at a fraction of the epoch.
    #[must_use]
    pub(super) fn step_size(&self, weight: f64, fraction: f64) -> StepSize {
        StepSize {
            rate: (2.0 * weight * self.learning_rate(fraction)) as f32,
            curvature: self.curvature(fraction) as f32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Graph, TrainConfig};

    #[test]
    fn the_rate_decays_to_a_hundredth_and_the_curvature_grows_during_the_warm_up() {
        let graph = Graph::from_edges([(0, 1), (1, 2)]);
        let asked = TrainConfig { communities: Some(2), curvature: Some(16.0), ..TrainConfig::default() };
        let config = ResolvedConfig::new(&asked, &graph).unwrap();
        let at = |epoch| Schedule { config: &config, epoch };
        assert_eq!(at(0).learning_rate(0.0), config.learning_rate);
        assert!((at(7).learning_rate(1.0) / config.learning_rate - 0.01).abs() < 1e-12);
        assert_eq!([at(0), at(2), at(4), at(7)].map(|at| at.curvature(0.0)), [1.0, 4.0, 16.0, 16.0]);
    }
}
