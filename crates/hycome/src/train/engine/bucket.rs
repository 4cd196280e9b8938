//! Training of a bucket: all positive pairs of one block of nodes with one block of contexts, and their negatives.
//!
//! The contexts of a node are cut into groups of at most [`LANES`], one SIMD lane each. A group is updated against its positives and then
//! against whole tiles of negatives ([`super::negative_sampler`]), while the node's row stays in registers.

use std::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::euclidean::{DotProduct, EuclideanKernel, SquaredDistance};
use super::kernel::{Kernel, RowGroup};
use super::negative_sampler::{BlockNegativeSampler, DrawnTiles};
use super::pair_index::Contexts;
use super::pair_update::{F32x16, LANES, Label, StepSize};
use super::poincare::PoincareKernel;
use super::tiled_rows::{TiledRows, origin_tile};
use crate::geometry::Geometry;
use crate::rng::Stream;

/// Maximum size of the tiles of negatives that are updated together, so that they stay in the L1 cache.
const L1_BUDGET_BYTES: usize = 1 << 13;

/// Contexts between the prefetch of a row and its use, in blocks larger than [`PREFETCH_THRESHOLD_BYTES`].
const PREFETCH_DISTANCE: usize = 16;

/// Size of a context block above which its rows are prefetched; smaller ones stay in the cache.
const PREFETCH_THRESHOLD_BYTES: usize = 1 << 22;

/// Number of pair updates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct PairCounts {
    /// Positive pairs.
    pub positives: u64,
    /// All pair updates: positives and their negatives.
    pub pairs: u64,
    /// Updates skipped because they would leave the ball; none in Euclidean space.
    pub skipped: u64,
}

impl PairCounts {
    /// Adds the counts of another part of the epoch.
    pub(crate) fn add(&mut self, other: Self) {
        self.positives += other.positives;
        self.pairs += other.pairs;
        self.skipped += other.skipped;
    }
}

/// Rows and samples of a bucket.
pub(crate) struct Bucket<'a> {
    /// Coordinates per row.
    pub dim: usize,
    /// φ of the nodes, rows with slacks.
    pub node_rows: &'a mut [f32],
    /// φ' of the contexts.
    pub context_rows: &'a mut [f32],
    /// Positive pairs.
    pub contexts: &'a Contexts,
    /// Sampler of negatives.
    pub sampler: &'a BlockNegativeSampler,
    /// Negatives per positive pair, on average.
    pub negatives: f64,
    /// Random stream of the bucket.
    pub rng: Stream,
    /// Step size and curvature.
    pub step_size: StepSize,
}

impl Bucket<'_> {
    /// Trains all pairs, with the kernel of the geometry.
    pub(crate) fn train(self, geometry: Geometry) -> PairCounts {
        match geometry {
            Geometry::Poincare => dispatch::<PoincareKernel>(self),
            Geometry::Come => dispatch::<EuclideanKernel<DotProduct>>(self),
            Geometry::Euclidean => dispatch::<EuclideanKernel<SquaredDistance>>(self),
        }
    }

    #[inline(always)]
    fn train_with<K: Kernel>(&mut self, dim: usize) -> PairCounts {
        let depth = dim + 1;
        let mut cursor = self.sampler.shuffled(&mut self.rng);
        // Tiles of negatives per positive. The fraction of a tile that a group is owed is carried over to the next group; the
        // random initial debt makes every group equally likely to get the tile.
        let tiles = if cursor.is_empty() { 0.0 } else { self.negatives / LANES as f64 };
        let (mut owed, mut drawn) = (self.rng.unit(), 0u64);
        let mut kernel = K::new(dim);
        let mut group = RowGroup::new(self.context_rows.len() / depth);
        let prefetches = size_of_val(self.context_rows) > PREFETCH_THRESHOLD_BYTES;
        let mut contexts = TiledRows::new(self.context_rows, dim);
        if !cursor.is_empty() {
            contexts.transpose_in(cursor.next_segment());
        }
        let (mut tile, mut drawn_tiles) = (origin_tile(dim), DrawnTiles::default());
        let tiles_together = L1_BUDGET_BYTES / (depth * size_of::<F32x16>());
        let mut upcoming = self.contexts.rows.iter().skip(PREFETCH_DISTANCE);
        let mut start = 0;
        for &(row, end) in &self.contexts.ends {
            let row = &mut self.node_rows[row as usize * depth..][..depth];
            for positives in self.contexts.rows[start..end as usize].chunks(LANES) {
                if prefetches {
                    for &row in upcoming.by_ref().take(positives.len()) {
                        group.prefetch(row);
                        contexts.prefetch(row);
                    }
                }
                kernel.load_point(row);
                group.fill(positives);
                for (lane, &context) in group.rows().iter().enumerate() {
                    contexts.gather_lane(context, &mut tile[..depth], lane);
                }
                kernel.update_tile(Label::Positive, &mut tile, group.multiplicity(), self.step_size);
                for (lane, &context) in group.rows().iter().enumerate() {
                    contexts.scatter_lane(context, &tile[..depth], lane);
                }

                owed += positives.len() as f64 * tiles;
                while owed >= 1.0 {
                    if cursor.is_exhausted() {
                        contexts.transpose_in(cursor.next_segment());
                    }
                    let max = (owed as usize).min(tiles_together).max(1);
                    let negatives = cursor.draw(max, &mut drawn_tiles);
                    let (table, weights) = (contexts.tiles_mut(), cursor.weights());
                    kernel.update_tiles(Label::Negative, table, negatives, weights, self.step_size);
                    owed -= negatives.len() as f64;
                    drawn += negatives.len() as u64;
                }
                kernel.store_point(row);
            }
            start = end as usize;
        }
        contexts.write_back();
        let positives = self.contexts.rows.len() as u64;
        PairCounts { positives, pairs: positives + LANES as u64 * drawn, skipped: kernel.skipped() }
    }
}

fn dispatch<K: Kernel>(bucket: Bucket<'_>) -> PairCounts {
    pulp::Arch::new().dispatch(TrainBucket::<K> { bucket, kernel: PhantomData })
}

/// Training of a bucket, compiled once for each kernel and instruction set.
struct TrainBucket<'a, K> {
    bucket: Bucket<'a>,
    kernel: PhantomData<K>,
}

impl<K: Kernel> pulp::WithSimd for TrainBucket<'_, K> {
    type Output = PairCounts;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) -> PairCounts {
        // A constant dimension lets the compiler unroll the loops over coordinates.
        match self.bucket.dim {
            2 => self.bucket.train_with::<K>(2),
            dim => self.bucket.train_with::<K>(dim),
        }
    }
}
