//! Responsibilities: the posterior probability of each component for each point.

use crate::{Error, Points, Result};

/// Responsibilities: the posterior probability of each component for each point; every row adds up to one.
#[derive(Clone, Debug, PartialEq)]
pub struct Responsibilities {
    components: usize,
    data: Vec<f64>,
}

impl Responsibilities {
    /// Responsibilities of `components` components, in row-major order.
    ///
    /// # Panics
    /// If `data` does not hold a whole number of rows.
    #[must_use]
    pub(crate) fn new(components: usize, data: Vec<f64>) -> Self {
        assert!(components > 0 && data.len().is_multiple_of(components), "data holds whole rows");
        Self { components, data }
    }

    /// One-hot responsibilities: point i belongs to component `communities[i]`, which is below `components`.
    #[must_use]
    pub fn one_hot(components: usize, communities: &[u32]) -> Self {
        let mut data = vec![0.0; components * communities.len()];
        for (row, &community) in data.chunks_exact_mut(components).zip(communities) {
            row[community as usize] = 1.0;
        }
        Self::new(components, data)
    }

    /// Number of components.
    #[must_use]
    pub fn components(&self) -> usize {
        self.components
    }

    /// Number of points.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.data.len() / self.components
    }

    /// The probabilities of point `i`, one for each component.
    #[must_use]
    pub fn row(&self, i: usize) -> &[f64] {
        &self.data[i * self.components..(i + 1) * self.components]
    }

    /// The probabilities of all points, in order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[f64]> {
        self.data.chunks_exact(self.components)
    }

    /// All probabilities in row-major order.
    #[must_use]
    pub fn into_vec(self) -> Vec<f64> {
        self.data
    }

    /// The most probable component of each point; the first of several equal ones.
    #[must_use]
    pub fn communities(&self) -> Vec<u32> {
        self.rows()
            .map(|row| u32::try_from(argmax(row)).expect("there are fewer than 2³² components"))
            .collect()
    }

    /// The probability of each point's most probable component.
    #[must_use]
    pub fn probabilities(&self) -> Vec<f64> {
        self.rows().map(|row| row[argmax(row)]).collect()
    }

    /// Refuses another number of rows than one for each point, and no points.
    pub(super) fn check_rows(&self, points: &Points) -> Result<()> {
        if self.len() == points.len() && !points.is_empty() {
            return Ok(());
        }
        Err(Error::Config {
            parameter: "responsibilities",
            expected: format!("one row for each point ({} points)", points.len()),
            found: format!("{} rows", self.len()),
        })
    }
}

/// Index of the first largest number.
fn argmax(row: &[f64]) -> usize {
    (1..row.len()).fold(0, |best, k| if row[k] > row[best] { k } else { best })
}
