//! One Euclidean Gaussian, in the form in which densities are evaluated.

/// Linear map that turns a Gaussian into a standard one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Whitening {
    /// 1/σ.
    Spherical(f64),
    /// L⁻¹, lower triangular, in row-major order.
    Full(Vec<f64>),
}

/// A weighted Gaussian, ready to be evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Component {
    /// μ.
    pub mean: Vec<f64>,
    /// 1/σ or L⁻¹.
    pub whitening: Whitening,
    /// ln π − ln √((2π)^m·det Σ).
    pub log_height: f64,
}

impl Component {
    /// ln(π·N(x)).
    #[must_use]
    pub(crate) fn log_density(&self, x: &[f64]) -> f64 {
        let difference: Vec<f64> = x.iter().zip(&self.mean).map(|(x, mean)| x - mean).collect();
        let square: f64 = match &self.whitening {
            Whitening::Spherical(inverse) => difference.iter().map(|c| (inverse * c).powi(2)).sum(),
            Whitening::Full(inverse) => {
                let dim = difference.len();
                let row =
                    |i: usize| inverse[i * dim..=i * dim + i].iter().zip(&difference).map(|(w, c)| w * c);
                (0..dim).map(|i| row(i).sum::<f64>().powi(2)).sum()
            }
        };
        self.log_height - 0.5 * square
    }

    /// Gradient of ln N at x, which is Σ⁻¹(μ − x).
    pub(crate) fn gradient(&self, x: &[f64], gradient: &mut [f64]) {
        gradient.iter_mut().zip(&self.mean).zip(x).for_each(|((g, mean), x)| *g = mean - x);
        match &self.whitening {
            Whitening::Spherical(inverse) => gradient.iter_mut().for_each(|g| *g *= inverse * inverse),
            Whitening::Full(inverse) => {
                let dim = x.len();
                let row = |i: usize| &inverse[i * dim..=i * dim + i];
                let whitened: Vec<f64> =
                    (0..dim).map(|i| row(i).iter().zip(gradient.iter()).map(|(w, g)| w * g).sum()).collect();
                gradient.fill(0.0);
                for (i, z) in whitened.iter().enumerate() {
                    gradient.iter_mut().zip(row(i)).for_each(|(g, w)| *g += w * z);
                }
            }
        }
    }
}
