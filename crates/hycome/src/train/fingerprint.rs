//! Fingerprint of a run: checksums of its content, independent of the file.

use std::fmt;
use std::str::FromStr;

use super::run::Run;
use crate::geometry::Geometry;
use crate::mixture::Mixture;
use crate::mixture::euclidean::Covariances;

/// Checksums of a run's parts, by which a file that was made from it recognizes it.
///
/// The same graph, settings and seed give the same fingerprint, and so does a run that was saved and loaded. Written as text the
/// parts are CRC-32 in hexadecimal digits with hyphens between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunFingerprint {
    /// Of the names of the nodes, in their order.
    pub names: u32,
    /// Of the points of nodes and contexts, in single precision as in a file, and of their geometry.
    pub points: u32,
    /// Of the mixture.
    pub mixture: u32,
}

impl Run {
    /// Fingerprint of this run.
    #[must_use]
    pub(crate) fn fingerprint(&self) -> RunFingerprint {
        let mut names = crc32fast::Hasher::new();
        for name in self.names.iter() {
            names.update(&(name.len() as u64).to_le_bytes());
            names.update(name.as_bytes());
        }
        let mut points = crc32fast::Hasher::new();
        points.update(Geometry::name(self.config.geometry).as_bytes());
        points.update(&(self.nodes.dim() as u64).to_le_bytes());
        for &coordinate in self.nodes.as_slice().iter().chain(self.contexts.as_slice()) {
            points.update(&(coordinate as f32).to_le_bytes());
        }
        let mut mixture = crc32fast::Hasher::new();
        let spreads = match &self.mixture {
            Mixture::Hyperbolic(mixture) => &mixture.scales,
            Mixture::Euclidean(mixture) => match &mixture.covariances {
                Covariances::Spherical(scales) => scales,
                Covariances::Full(covariances) => covariances,
            },
        };
        for numbers in [self.mixture.weights(), self.mixture.means().as_slice(), spreads] {
            numbers.iter().for_each(|number| mixture.update(&number.to_le_bytes()));
        }
        RunFingerprint { names: names.finalize(), points: points.finalize(), mixture: mixture.finalize() }
    }
}

impl fmt::Display for RunFingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}-{:08x}-{:08x}", self.names, self.points, self.mixture)
    }
}

impl FromStr for RunFingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("expected three checksums with hyphens between them, found {text:?}");
        let part = |part: &str| {
            let is_hex = part.len() == 8 && part.bytes().all(|digit| digit.is_ascii_hexdigit());
            u32::from_str_radix(part, 16).ok().filter(|_| is_hex)
        };
        let parts: Option<Vec<u32>> = text.split('-').map(part).collect();
        match parts.as_deref() {
            Some(&[names, points, mixture]) => Ok(Self { names, points, mixture }),
            _ => Err(refused()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixture::GaussianMixture;
    use crate::{NodeNames, Points, TrainConfig};

    fn run() -> Run {
        let mixture = GaussianMixture { weights: vec![1.0], means: Points::zeros(1, 2), scales: vec![0.5] };
        Run {
            nodes: Points::new(2, vec![0.5, 0.25, 0.0, -0.5]),
            contexts: Points::zeros(2, 2),
            layout: None,
            mixture: mixture.into(),
            names: NodeNames::numbered(1, 2),
            config: TrainConfig::default(),
            history: Vec::new(),
            restarts: Vec::new(),
        }
    }

    #[test]
    fn every_part_of_a_run_has_its_own_checksum() {
        let of = run().fingerprint();
        let mut other = run();
        other.nodes.row_mut(1)[0] = 0.125;
        assert_eq!((other.fingerprint().names, other.fingerprint().mixture), (of.names, of.mixture));
        assert_ne!(other.fingerprint().points, of.points);
        assert_ne!(Run { names: NodeNames::numbered(0, 2), ..run() }.fingerprint().names, of.names);
        let Mixture::Hyperbolic(mut mixture) = run().mixture else { unreachable!() };
        mixture.scales[0] = 0.75;
        assert_ne!(Run { mixture: mixture.into(), ..run() }.fingerprint().mixture, of.mixture);
        let longer = Run { config: TrainConfig { seed: 7, ..TrainConfig::default() }, ..run() };
        assert_eq!(longer.fingerprint(), of, "settings alone do not change it");
    }

    #[test]
    fn a_fingerprint_survives_as_text() {
        let of = run().fingerprint();
        assert_eq!(of.to_string().parse(), Ok(of));
        for text in
            ["", "12345678", "0-1-2", "00000000-00000000-0000000g", "00000000-00000000-00000000-00000000"]
        {
            assert!(text.parse::<RunFingerprint>().is_err(), "{text}");
        }
    }
}
