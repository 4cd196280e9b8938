//! Colour-blind-safe palette of communities and classes.
//!
//! Twelve colours for a light and twelve for a dark background, chosen to maximize the smallest Oklab difference
//! between any two under normal colour vision and simulated protanopia, deuteranopia and tritanopia; the test below
//! verifies it. The most distinct colours come first.
//!
//! More than twelve colours are indistinguishable in small dots, so class 13 repeats the first colour with another
//! shape: four shapes distinguish 48 classes. Beyond that styles repeat, and the scene has a note.

/// Twelve colours with their names, for screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Palette {
    /// The colours, each in `#rrggbb`.
    pub colors: [&'static str; COLORS],
    /// Their names.
    pub names: [&'static str; COLORS],
    /// Colour of nodes without a class.
    pub none: &'static str,
}

/// Number of colours of a palette.
pub(super) const COLORS: usize = 12;

/// Palette for light backgrounds.
pub(super) const LIGHT: Palette = Palette {
    colors: [
        "#57a2dc", "#e8af43", "#861659", "#82d0b1", "#631aa5", "#115dd5", "#cc2354", "#176307", "#7b618c",
        "#fa6971", "#a78402", "#9a6ffe",
    ],
    names: [
        "sky blue",
        "amber",
        "plum",
        "seafoam",
        "violet",
        "blue",
        "crimson",
        "dark green",
        "mauve",
        "coral",
        "bronze",
        "lilac",
    ],
    none: "#a3a8b0",
};

/// Palette for dark backgrounds: the same order of hues, lighter.
pub(super) const DARK: Palette = Palette {
    colors: [
        "#92c8f6", "#e0bd5f", "#ed4c93", "#b6fae4", "#c976ff", "#505ce9", "#c92f37", "#2bad2b", "#a73caf",
        "#ed8b80", "#feee54", "#8a88c0",
    ],
    names: [
        "sky blue", "amber", "pink", "mint", "violet", "blue", "crimson", "green", "purple", "coral",
        "yellow", "lavender",
    ],
    none: "#6b737e",
};

/// Shapes in the order of their use.
pub(super) const SHAPES: [&str; 4] = ["circle", "square", "triangle", "diamond"];

/// Number of classes with distinct styles.
pub(super) const DISTINCT: usize = COLORS * SHAPES.len();

impl Palette {
    /// Colour of a rank, 0 for the first class.
    #[must_use]
    pub(crate) fn color(&self, rank: usize) -> &'static str {
        self.colors[rank % COLORS]
    }
}

/// The shape of a rank, as an index into [`SHAPES`].
#[must_use]
pub(super) fn shape(rank: usize) -> usize {
    rank / COLORS % SHAPES.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulation of colour vision deficiencies as matrices on linear RGB (Machado, Oliveira and Fernandes 2009,
    /// severity one).
    const VISION: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    /// Red, green and blue of `#rrggbb`, 0 to 1.
    fn rgb(color: &str) -> [f64; 3] {
        let part = |at: usize| {
            color.get(at..at + 2).and_then(|digits| u8::from_str_radix(digits, 16).ok()).unwrap_or(0)
        };
        [1, 3, 5].map(|at| f64::from(part(at)) / 255.0)
    }

    fn linear(color: &str) -> [f64; 3] {
        rgb(color).map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) })
    }

    fn through(matrix: &[[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(m, v)| m * v).sum::<f64>())
    }

    /// Oklab coordinates of linear light.
    fn oklab(light: [f64; 3]) -> [f64; 3] {
        let lms = through(
            &[
                [0.4122214708, 0.5363325363, 0.0514459929],
                [0.2119034982, 0.6806995451, 0.1073969566],
                [0.0883024619, 0.2817188376, 0.6299787005],
            ],
            light.map(|c| c.clamp(0.0, 1.0)),
        );
        through(
            &[
                [0.2104542553, 0.7936177850, -0.0040720468],
                [1.9779984951, -2.4285922050, 0.4505937099],
                [0.0259040371, 0.7827717662, -0.8086757660],
            ],
            lms.map(f64::cbrt),
        )
    }

    #[test]
    fn colours_differ_under_every_colour_vision() {
        // 0.02 is a just noticeable difference of large fields; small dots need several times that.
        const LEAST: f64 = 0.085;
        for (kind, matrix) in VISION.iter().enumerate() {
            for palette in [LIGHT, DARK] {
                let seen = palette.colors.map(|color| oklab(through(matrix, linear(color))));
                for (i, j) in (0..12).flat_map(|i| (0..i).map(move |j| (i, j))) {
                    let squares = seen[i].iter().zip(seen[j]).map(|(a, b)| (a - b).powi(2));
                    let difference = squares.sum::<f64>().sqrt();
                    let pair = (palette.names[i], palette.names[j]);
                    assert!(difference > LEAST, "{pair:?}: {difference:.3} in vision {kind}");
                }
            }
        }
    }

    #[test]
    fn colours_contrast_with_their_background() {
        let lightness = |color: &&str| oklab(linear(color))[0];
        assert!(LIGHT.colors.iter().map(lightness).all(|l| (0.3..0.82).contains(&l)));
        assert!(DARK.colors.iter().map(lightness).all(|l| (0.5..1.0).contains(&l)));
    }

    #[test]
    fn forty_eight_styles_are_distinct() {
        let style = |rank| (LIGHT.color(rank), shape(rank));
        let styles: std::collections::HashSet<_> = (0..DISTINCT).map(style).collect();
        assert_eq!(styles.len(), 48);
        assert_eq!(style(48), style(0));
    }
}
