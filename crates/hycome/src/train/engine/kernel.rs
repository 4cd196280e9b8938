//! Kernel interface: updates of one point against tiles of rows.
//!
//! [`Kernel::load_point`] loads a point x, [`Kernel::update_tile`] moves a tile of rows y toward x or away from it, and
//! [`Kernel::store_point`] writes x back, moved too. [`super::poincare`] and [`super::euclidean`] implement it.

use prefetch_index::prefetch_index;

use super::pair_update::{F32x16, LANES, Label, StepSize};

/// Update kernel of a geometry.
///
/// Rows are coordinates followed by one more number, tiles are [`LANES`] rows side by side. The kernel is chosen once per bucket, so that
/// each geometry has its own hot loop.
pub(crate) trait Kernel {
    /// Buffers for points of `dim` coordinates.
    fn new(dim: usize) -> Self;

    /// Loads a point.
    fn load_point(&mut self, row: &[f32]);

    /// Moves the rows of a tile and accumulates their gradient on the point; `weight` is the multiplicity of each row as a positive,
    /// or its importance weight as a negative.
    fn update_tile(&mut self, label: Label, tile: &mut [F32x16], weight: &F32x16, step_size: StepSize);

    /// The same for up to [`MAX_TILES`](super::pair_update::MAX_TILES) distinct tiles of a table; `weights` has the order of the table.
    fn update_tiles(
        &mut self,
        label: Label,
        table: &mut [F32x16],
        tiles: &[usize],
        weights: &[F32x16],
        step_size: StepSize,
    );

    /// Moves the point and writes it to its row.
    fn store_point(&mut self, row: &mut [f32]);

    /// Updates skipped so far because they would leave the space.
    fn skipped(&self) -> u64;
}

/// Up to [`LANES`] distinct rows and the multiplicity of each.
///
/// A row that occurs several times gets one lane, so that no update is lost.
#[derive(Debug)]
pub(crate) struct RowGroup {
    len: usize,
    rows: [u32; LANES],
    multiplicity: F32x16,
    /// Lane of a row plus one; zero where the row is not in the group.
    lane_of: Vec<u8>,
}

/// Bytes per row of the table that a [`RowGroup`] is made for.
pub(crate) const GROUP_BYTES_PER_ROW: usize = size_of::<u8>();

impl RowGroup {
    /// Empty group of rows of a table of `row_count`.
    #[must_use]
    pub(crate) fn new(row_count: usize) -> Self {
        Self { len: 0, rows: [0; LANES], multiplicity: F32x16::ZERO, lane_of: vec![0; row_count] }
    }

    /// Replaces the group by at most [`LANES`] rows.
    #[inline(always)]
    pub(crate) fn fill(&mut self, rows: &[u32]) {
        for &row in &self.rows[..self.len] {
            self.lane_of[row as usize] = 0;
        }
        (self.len, self.multiplicity) = (0, F32x16::ZERO);
        for &row in rows {
            // Without a branch: whether a row is new is random, so a branch would be mispredicted.
            let lane = &mut self.lane_of[row as usize];
            let is_new = *lane == 0;
            let at = if is_new { self.len } else { usize::from(*lane) - 1 } % LANES;
            *lane = at as u8 + 1;
            self.rows[at] = row;
            self.multiplicity[at] += 1.0;
            self.len += usize::from(is_new);
        }
    }

    /// Prefetches the bookkeeping of a row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        prefetch_index(&*self.lane_of, row as usize);
    }

    /// Distinct rows.
    #[inline(always)]
    #[must_use]
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows[..self.len]
    }

    /// Multiplicity of each; zero in unused lanes.
    #[inline(always)]
    #[must_use]
    pub(crate) fn multiplicity(&self) -> &F32x16 {
        &self.multiplicity
    }
}

/// Updates the kernel's point against the rows of a group; `tile` is a buffer for them.
#[inline(always)]
pub(crate) fn update_rows<K: Kernel>(
    kernel: &mut K,
    label: Label,
    group: &RowGroup,
    rows: &mut [f32],
    tile: &mut [F32x16],
    step_size: StepSize,
) {
    let stride = tile.len();
    for (lane, &other) in group.rows().iter().enumerate() {
        let row = &rows[other as usize * stride..][..stride];
        (0..stride).for_each(|i| tile[i][lane] = row[i]);
    }
    kernel.update_tile(label, tile, group.multiplicity(), step_size);
    for (lane, &other) in group.rows().iter().enumerate() {
        let row = &mut rows[other as usize * stride..][..stride];
        (0..stride).for_each(|i| row[i] = tile[i][lane]);
    }
}

/// Horizontal sum by halves: the same order of additions on every machine.
#[inline(always)]
pub(crate) fn sum<const W: usize>(mut terms: [f32; W]) -> f32 {
    let mut width = W;
    while width > 1 {
        width /= 2;
        for w in 0..width {
            terms[w] += terms[w + width];
        }
    }
    terms[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_given_twice_gets_one_lane_and_a_multiplicity() {
        let mut group = RowGroup::new(100);
        group.fill(&[7, 99, 7, 0, 7]);
        assert_eq!(group.rows(), [7, 99, 0]);
        assert_eq!(group.multiplicity()[..4], [3.0, 1.0, 1.0, 0.0]);
        group.fill(&[99]);
        assert_eq!((group.rows(), group.multiplicity()[..2].to_vec()), (&[99][..], vec![1.0, 0.0]));
    }
}
