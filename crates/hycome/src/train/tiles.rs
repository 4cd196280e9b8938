//! The contexts, laid out for the hot loop: sixteen rows to a tile, one lane each.
//!
//! A tile holds the first coordinate of all its rows, then the second, and so on, and last their slacks
//! 1−|y|². Comparing a point with a whole tile is then nothing but loads of whole registers. Negatives are
//! drawn tile by tile ([`super::deck`]) and so never touch memory in any other way; the one context in six that was
//! seen is picked out of its tile lane by lane.

use prefetch_index::prefetch_index;

use super::lanes::{LANES, Lanes};
use super::table::Table;
use crate::geometry::Geometry;

/// Rows in tiles of [`LANES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Tiles {
    geometry: Geometry,
    dim: usize,
    count: usize,
    lanes: Vec<Lanes>,
}

impl Tiles {
    /// The rows of a table in tiles; lanes past the last row are at the origin.
    #[must_use]
    pub fn new(table: &Table) -> Self {
        let (dim, count) = (table.dim(), table.len());
        let lanes = tile_at_origin(dim).repeat(count.div_ceil(LANES));
        let mut tiles = Self { geometry: table.geometry(), dim, count, lanes };
        for row in 0..count {
            let from = table.row_with_slack(row);
            put(&mut tiles.lanes, dim, row as u32, |i| from[i]);
        }
        tiles
    }

    /// The same rows one after the other.
    #[must_use]
    pub fn to_table(&self) -> Table {
        let mut table = Table::new(self.geometry, self.count, self.dim);
        for (row, to) in table.rows_mut().enumerate() {
            pick(&self.lanes, self.dim, row as u32, |i, value| to[i] = value);
        }
        table
    }

    /// Numbers per lane: the coordinates and the slack.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.dim + 1
    }

    /// All tiles, [`Tiles::depth`] lanes each.
    pub fn lanes_mut(&mut self) -> &mut [Lanes] {
        &mut self.lanes
    }

    /// Whether every coordinate is a number and, in the ball, every row inside.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lanes.chunks_exact(self.depth()).all(|tile| {
            tile.iter().flat_map(|lanes| lanes.iter()).all(|c| c.is_finite())
                && tile[self.dim].iter().all(|&slack| slack > 0.0)
        })
    }
}

/// A tile whose rows are all at the origin: lanes that nothing is put into must hold points too.
#[must_use]
pub fn tile_at_origin(dim: usize) -> Vec<Lanes> {
    let mut tile = vec![Lanes::NONE; dim + 1];
    tile[dim] = Lanes::all(1.0);
    tile
}

/// Reads the row's coordinates and slack out of its tile.
#[inline(always)]
pub fn pick(tiles: &[Lanes], dim: usize, row: u32, mut give: impl FnMut(usize, f32)) {
    let (tile, lane) = (row as usize / LANES, row as usize % LANES);
    for (i, lanes) in tiles[tile * (dim + 1)..][..=dim].iter().enumerate() {
        give(i, lanes[lane]);
    }
}

/// Asks memory for a tile, which will be read soon.
#[inline(always)]
pub fn fetch(tiles: &[Lanes], dim: usize, tile: usize) {
    for i in 0..=dim {
        prefetch_index(tiles, tile * (dim + 1) + i);
    }
}

/// Writes the row's coordinates and slack into its tile.
#[inline(always)]
pub fn put(tiles: &mut [Lanes], dim: usize, row: u32, take: impl Fn(usize) -> f32) {
    let (tile, lane) = (row as usize / LANES, row as usize % LANES);
    for (i, lanes) in tiles[tile * (dim + 1)..][..=dim].iter_mut().enumerate() {
        lanes[lane] = take(i);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Purpose, stream};

    #[test]
    fn rows_come_back_out_of_their_tiles() {
        for count in [1, 15, 16, 17, 100] {
            for geometry in [Geometry::Poincare, Geometry::Come] {
                let mut rng = stream(1, Purpose::Start, 0, count as u64);
                let table = Table::scattered(geometry, count, 3, 0.2, &mut rng);
                let tiles = Tiles::new(&table);
                assert_eq!(tiles.to_table(), table);
                assert!(tiles.is_finite(), "lanes past the last row are points too");
            }
        }
    }

    #[test]
    fn a_number_that_is_none_is_noticed() {
        let mut tiles = Tiles::new(&Table::at_origin(20, 2));
        tiles.lanes_mut()[1][3] = f32::NAN;
        assert!(!tiles.is_finite());
    }
}
