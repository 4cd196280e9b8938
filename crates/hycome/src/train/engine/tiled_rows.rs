//! Structure-of-arrays tiles: context rows of a bucket, transposed sixteen at a time for SIMD.
//!
//! A tile holds the first coordinate of its [`LANES`] rows, then the second, and so on, and last their conformal slacks 1−|y|².
//! Updating one point against a whole tile then takes loads of whole registers only. Negatives are drawn tile by tile
//! ([`super::negative_sampler`]), so the tiles of the sampler's current segment are transposed; positive contexts are gathered lane by
//! lane. A transposed row is spread over as many cache lines as it has numbers, so rows outside the segment stay contiguous: in a block
//! that no cache holds, a positive context costs one or two cache misses instead of `dim`.

use prefetch_index::prefetch_index;

use super::pair_update::{F32x16, LANES};

/// `f32` values per cache line.
const FLOATS_PER_CACHE_LINE: usize = 16;

/// Tiles between the prefetch of a tile and its transposition.
const PREFETCH_DISTANCE: usize = 2;

/// Rows of a block, some of them transposed into tiles.
#[derive(Debug)]
pub(crate) struct TiledRows<'a> {
    dim: usize,
    /// Coordinates and slack of each row; stale where the row is transposed.
    rows: &'a mut [f32],
    /// Transposed tiles.
    tiles: Vec<F32x16>,
    /// Their numbers within the block.
    tile_ids: Vec<u32>,
    /// Index of each tile of the block in `tiles`, plus one; zero where it is not transposed.
    slots: Vec<u32>,
}

impl<'a> TiledRows<'a> {
    /// Rows of `dim` coordinates and their slacks, none of them transposed.
    #[must_use]
    pub(crate) fn new(rows: &'a mut [f32], dim: usize) -> Self {
        let slots = vec![0; rows.len().div_ceil(LANES * (dim + 1))];
        Self { dim, rows, tiles: Vec::new(), tile_ids: Vec::new(), slots }
    }

    /// Transposes exactly these tiles, in this order; all others are written back.
    pub(crate) fn transpose_in(&mut self, tiles: &[u32]) {
        if self.tile_ids == tiles {
            return;
        }
        self.write_back();
        let (dim, numbers) = (self.dim, LANES * (self.dim + 1));
        self.tile_ids.extend_from_slice(tiles);
        self.tiles.resize_with(tiles.len() * (dim + 1), || F32x16::ZERO);
        for (slot, (&tile, to)) in tiles.iter().zip(self.tiles.chunks_exact_mut(dim + 1)).enumerate() {
            self.slots[tile as usize] = slot as u32 + 1;
            if let Some(&tile) = tiles.get(slot + PREFETCH_DISTANCE) {
                prefetch(self.rows, tile as usize * numbers, numbers);
            }
            let from = &self.rows[tile as usize * numbers..];
            rows_to_tile(&from[..from.len().min(numbers)], to);
        }
    }

    /// Writes all transposed tiles back to their rows.
    pub(crate) fn write_back(&mut self) {
        let numbers = LANES * (self.dim + 1);
        for (slot, (&tile, from)) in
            self.tile_ids.iter().zip(self.tiles.chunks_exact(self.dim + 1)).enumerate()
        {
            self.slots[tile as usize] = 0;
            if let Some(&tile) = self.tile_ids.get(slot + PREFETCH_DISTANCE) {
                prefetch(self.rows, tile as usize * numbers, numbers);
            }
            let to = &mut self.rows[tile as usize * numbers..];
            let len = to.len().min(numbers);
            tile_to_rows(from, &mut to[..len]);
        }
        self.tile_ids.clear();
    }

    /// Transposed tiles, `dim + 1` registers each.
    #[inline(always)]
    pub(crate) fn tiles_mut(&mut self) -> &mut [F32x16] {
        &mut self.tiles
    }

    /// Prefetches a row.
    #[inline(always)]
    pub(crate) fn prefetch(&self, row: u32) {
        prefetch_index(&*self.slots, row as usize / LANES);
        prefetch(self.rows, row as usize * (self.dim + 1), self.dim + 1);
    }

    /// Copies a row into a lane of a tile.
    #[inline(always)]
    pub(crate) fn gather_lane(&self, row: u32, gathered: &mut [F32x16], lane: usize) {
        let (depth, tile) = (self.dim + 1, row as usize / LANES);
        match self.slots[tile] {
            0 => {
                let from = &self.rows[row as usize * depth..][..depth];
                gathered.iter_mut().zip(from).for_each(|(to, from)| to[lane] = *from);
            }
            slot => {
                let from = &self.tiles[(slot as usize - 1) * depth..][..depth];
                gathered.iter_mut().zip(from).for_each(|(to, from)| to[lane] = from[row as usize % LANES]);
            }
        }
    }

    /// Copies a lane of a tile to a row.
    #[inline(always)]
    pub(crate) fn scatter_lane(&mut self, row: u32, gathered: &[F32x16], lane: usize) {
        let (depth, tile) = (self.dim + 1, row as usize / LANES);
        match self.slots[tile] {
            0 => {
                let to = &mut self.rows[row as usize * depth..][..depth];
                to.iter_mut().zip(gathered).for_each(|(to, from)| *to = from[lane]);
            }
            slot => {
                let to = &mut self.tiles[(slot as usize - 1) * depth..][..depth];
                to.iter_mut().zip(gathered).for_each(|(to, from)| to[row as usize % LANES] = from[lane]);
            }
        }
    }
}

/// Prefetches `len` numbers from `start`.
#[inline(always)]
pub(crate) fn prefetch(numbers: &[f32], start: usize, len: usize) {
    for i in (start..start + len).step_by(FLOATS_PER_CACHE_LINE) {
        prefetch_index(numbers, i);
    }
    prefetch_index(numbers, start + len - 1);
}

/// Transposes at most [`LANES`] rows into a tile; lanes past the last are at the origin.
#[inline(always)]
pub(crate) fn rows_to_tile(rows: &[f32], tile: &mut [F32x16]) {
    if rows.len() < LANES * tile.len() {
        tile.copy_from_slice(&origin_tile(tile.len() - 1));
    }
    for (lane, row) in rows.chunks_exact(tile.len()).enumerate().take(LANES) {
        tile.iter_mut().zip(row).for_each(|(to, from)| to[lane] = *from);
    }
}

/// Transposes a tile back into rows.
#[inline(always)]
pub(crate) fn tile_to_rows(tile: &[F32x16], rows: &mut [f32]) {
    for (lane, row) in rows.chunks_exact_mut(tile.len()).enumerate().take(LANES) {
        row.iter_mut().zip(tile).for_each(|(to, from)| *to = from[lane]);
    }
}

/// Tile with all rows at the origin: unused lanes must hold valid points.
#[must_use]
pub(crate) fn origin_tile(dim: usize) -> Vec<F32x16> {
    let mut tile = vec![F32x16::ZERO; dim + 1];
    tile[dim] = F32x16::splat(1.0);
    tile
}

/// All rows of a table as tiles.
#[cfg(test)]
pub(crate) fn tiles_of(table: &super::table::Table) -> Vec<F32x16> {
    let stride = table.stride();
    let mut tiles = origin_tile(table.dim()).repeat(table.len().div_ceil(LANES));
    let rows = table.data().chunks(LANES * stride);
    rows.zip(tiles.chunks_exact_mut(stride)).for_each(|(rows, tile)| rows_to_tile(rows, tile));
    tiles
}

/// Rows of tiles, as many as `table` has.
#[cfg(test)]
pub(crate) fn rows_of(tiles: &[F32x16], table: &super::table::Table) -> super::table::Table {
    let (stride, mut table) = (table.stride(), table.clone());
    let rows = table.data_mut().chunks_mut(LANES * stride);
    rows.zip(tiles.chunks_exact(stride)).for_each(|(rows, tile)| tile_to_rows(tile, rows));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::rng::{Purpose, stream};
    use crate::train::engine::table::Table;

    fn random_table(count: usize, dim: usize) -> Table {
        let mut rng = stream(1, Purpose::Start, 0, count as u64);
        Table::random(Geometry::Poincare, count, dim, 0.2, &mut rng)
    }

    #[test]
    fn transposition_is_undone_by_writing_back() {
        for count in [1, 15, 16, 17, 100] {
            let table = random_table(count, 3);
            let mut rows = table.clone();
            let mut tiles = TiledRows::new(rows.data_mut(), 3);
            let all: Vec<u32> = (0..count.div_ceil(LANES) as u32).collect();
            tiles.transpose_in(&all);
            for tile in tiles.tiles_mut().chunks_exact(4) {
                assert!(tile[3].iter().all(|&slack| slack > 0.0), "lanes past the last row are points too");
            }
            tiles.rows.fill(f32::NAN);
            tiles.write_back();
            assert_eq!(rows, table);
        }
    }

    #[test]
    fn lanes_are_gathered_and_scattered_in_both_layouts() {
        let dim = 4;
        let mut expected = random_table(75, dim);
        let mut rows = expected.clone();
        let mut tiles = TiledRows::new(rows.data_mut(), dim);
        let mut gathered = origin_tile(dim);
        // Tiles come and go, in any order, among them the last one, which is not full.
        for (round, laid) in [&[][..], &[1, 4], &[4, 0, 2], &[3], &[]].into_iter().enumerate() {
            tiles.transpose_in(laid);
            for row in 0..75 {
                let lane = (7 * row as usize + round) % LANES;
                tiles.gather_lane(row, &mut gathered, lane);
                let found: Vec<f32> = gathered.iter().map(|lanes| lanes[lane]).collect();
                assert_eq!(found, expected.row_with_slack(row as usize), "row {row} in round {round}");
                gathered.iter_mut().for_each(|lanes| lanes[lane] += 1.0 + row as f32);
                tiles.scatter_lane(row, &gathered, lane);
            }
            for (row, numbers) in expected.rows_mut().enumerate() {
                numbers.iter_mut().for_each(|number| *number += 1.0 + row as f32);
            }
        }
        tiles.write_back();
        assert_eq!(rows, expected);
    }
}
