//! The contexts of a bucket: rows, some of which are laid out for the hot loop, sixteen to a tile, one lane each.
//!
//! A tile holds the first coordinate of its rows, then the second, and so on, and last their slacks
//! 1−|y|². Comparing a point with a whole tile is then nothing but loads of whole registers. Negatives are
//! drawn tile by tile ([`super::deck`]), so the tiles that are being dealt are laid out, and a context that was seen is picked
//! out of its tile lane by lane. But a row in a tile is spread over as many cache lines as it has numbers. In a block
//! that no cache holds, where a context that was seen comes from memory, the tiles of one stretch of the deck
//! are laid out at a time, and all other rows lie one after the other.

use prefetch_index::prefetch_index;

use super::lanes::{LANES, Lanes};

/// Numbers of a cache line.
const LINE: usize = 16;

/// Tiles that are asked for before they are laid out.
const AHEAD: usize = 2;

/// The rows of a block, in tiles or one after the other.
#[derive(Debug)]
pub struct Tiles<'a> {
    dim: usize,
    /// The coordinates and the slack of each row; out of date where the row is laid out.
    rows: &'a mut [f32],
    /// The tiles that are laid out.
    laid: Vec<Lanes>,
    /// Which ones they are.
    tiles: Vec<u32>,
    /// Place of each tile of the block in `laid`, plus one; zero where it is not laid out.
    places: Vec<u32>,
}

impl<'a> Tiles<'a> {
    /// Rows of `dim` coordinates and their slacks, none of them laid out.
    #[must_use]
    pub fn new(rows: &'a mut [f32], dim: usize) -> Self {
        let places = vec![0; rows.len().div_ceil(LANES * (dim + 1))];
        Self { dim, rows, laid: Vec::new(), tiles: Vec::new(), places }
    }

    /// Lays these tiles out, in this order, and no others.
    pub fn lay_out(&mut self, tiles: &[u32]) {
        if self.tiles == tiles {
            return;
        }
        self.put_back();
        let (dim, numbers) = (self.dim, LANES * (self.dim + 1));
        self.tiles.extend_from_slice(tiles);
        self.laid.resize_with(tiles.len() * (dim + 1), || Lanes::NONE);
        for (place, (&tile, to)) in tiles.iter().zip(self.laid.chunks_exact_mut(dim + 1)).enumerate() {
            self.places[tile as usize] = place as u32 + 1;
            if let Some(&tile) = tiles.get(place + AHEAD) {
                fetch(self.rows, tile as usize * numbers, numbers);
            }
            let from = &self.rows[tile as usize * numbers..];
            lay(&from[..from.len().min(numbers)], to);
        }
    }

    /// Puts all that is laid out back into its rows.
    pub fn put_back(&mut self) {
        let numbers = LANES * (self.dim + 1);
        for (place, (&tile, from)) in self.tiles.iter().zip(self.laid.chunks_exact(self.dim + 1)).enumerate()
        {
            self.places[tile as usize] = 0;
            if let Some(&tile) = self.tiles.get(place + AHEAD) {
                fetch(self.rows, tile as usize * numbers, numbers);
            }
            let to = &mut self.rows[tile as usize * numbers..];
            let len = to.len().min(numbers);
            take_back(from, &mut to[..len]);
        }
        self.tiles.clear();
    }

    /// The tiles that are laid out, the coordinates and slacks of each.
    #[inline(always)]
    pub fn laid_out(&mut self) -> &mut [Lanes] {
        &mut self.laid
    }

    /// Asks memory for a row that will be picked soon.
    #[inline(always)]
    pub fn fetch(&self, row: u32) {
        prefetch_index(&*self.places, row as usize / LANES);
        fetch(self.rows, row as usize * (self.dim + 1), self.dim + 1);
    }

    /// Reads a row into a lane of a tile.
    #[inline(always)]
    pub fn pick(&self, row: u32, picked: &mut [Lanes], lane: usize) {
        let (depth, tile) = (self.dim + 1, row as usize / LANES);
        match self.places[tile] {
            0 => {
                let from = &self.rows[row as usize * depth..][..depth];
                picked.iter_mut().zip(from).for_each(|(to, from)| to[lane] = *from);
            }
            place => {
                let from = &self.laid[(place as usize - 1) * depth..][..depth];
                picked.iter_mut().zip(from).for_each(|(to, from)| to[lane] = from[row as usize % LANES]);
            }
        }
    }

    /// Writes a lane of a tile into a row.
    #[inline(always)]
    pub fn put(&mut self, row: u32, picked: &[Lanes], lane: usize) {
        let (depth, tile) = (self.dim + 1, row as usize / LANES);
        match self.places[tile] {
            0 => {
                let to = &mut self.rows[row as usize * depth..][..depth];
                to.iter_mut().zip(picked).for_each(|(to, from)| *to = from[lane]);
            }
            place => {
                let to = &mut self.laid[(place as usize - 1) * depth..][..depth];
                to.iter_mut().zip(picked).for_each(|(to, from)| to[row as usize % LANES] = from[lane]);
            }
        }
    }
}

/// Asks memory for `len` numbers from `start`.
#[inline(always)]
pub fn fetch(numbers: &[f32], start: usize, len: usize) {
    for i in (start..start + len).step_by(LINE) {
        prefetch_index(numbers, i);
    }
    prefetch_index(numbers, start + len - 1);
}

/// Lays at most [`LANES`] rows into a tile; lanes past the last are at the origin.
#[inline(always)]
pub fn lay(rows: &[f32], tile: &mut [Lanes]) {
    if rows.len() < LANES * tile.len() {
        tile.copy_from_slice(&tile_at_origin(tile.len() - 1));
    }
    for (lane, row) in rows.chunks_exact(tile.len()).enumerate().take(LANES) {
        tile.iter_mut().zip(row).for_each(|(to, from)| to[lane] = *from);
    }
}

/// Takes the rows of a tile back.
#[inline(always)]
pub fn take_back(tile: &[Lanes], rows: &mut [f32]) {
    for (lane, row) in rows.chunks_exact_mut(tile.len()).enumerate().take(LANES) {
        row.iter_mut().zip(tile).for_each(|(to, from)| *to = from[lane]);
    }
}

/// A tile whose rows are all at the origin: lanes that nothing is put into must hold points too.
#[must_use]
pub fn tile_at_origin(dim: usize) -> Vec<Lanes> {
    let mut tile = vec![Lanes::NONE; dim + 1];
    tile[dim] = Lanes::all(1.0);
    tile
}

/// The rows of a table in tiles.
#[cfg(test)]
pub fn laid_out(table: &super::table::Table) -> Vec<Lanes> {
    let stride = table.stride();
    let mut tiles = tile_at_origin(table.dim()).repeat(table.len().div_ceil(LANES));
    let rows = table.data().chunks(LANES * stride);
    rows.zip(tiles.chunks_exact_mut(stride)).for_each(|(rows, tile)| lay(rows, tile));
    tiles
}

/// The rows of tiles, as many as `table` has.
#[cfg(test)]
pub fn taken_back(tiles: &[Lanes], table: &super::table::Table) -> super::table::Table {
    let (stride, mut table) = (table.stride(), table.clone());
    let rows = table.data_mut().chunks_mut(LANES * stride);
    rows.zip(tiles.chunks_exact(stride)).for_each(|(rows, tile)| take_back(tile, rows));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Geometry;
    use crate::rng::{Purpose, stream};
    use crate::train::table::Table;

    fn scattered(count: usize, dim: usize) -> Table {
        let mut rng = stream(1, Purpose::Start, 0, count as u64);
        Table::scattered(Geometry::Poincare, count, dim, 0.2, &mut rng)
    }

    #[test]
    fn rows_come_back_out_of_their_tiles() {
        for count in [1, 15, 16, 17, 100] {
            let table = scattered(count, 3);
            let mut rows = table.clone();
            let mut tiles = Tiles::new(rows.data_mut(), 3);
            let all: Vec<u32> = (0..count.div_ceil(LANES) as u32).collect();
            tiles.lay_out(&all);
            for tile in tiles.laid_out().chunks_exact(4) {
                assert!(tile[3].iter().all(|&slack| slack > 0.0), "lanes past the last row are points too");
            }
            tiles.rows.fill(f32::NAN);
            tiles.put_back();
            assert_eq!(rows, table);
        }
    }

    #[test]
    fn a_row_is_picked_and_put_wherever_it_lies() {
        let dim = 4;
        let mut expected = scattered(75, dim);
        let mut rows = expected.clone();
        let mut tiles = Tiles::new(rows.data_mut(), dim);
        let mut picked = tile_at_origin(dim);
        // Tiles come and go, in any order, among them the last one, which is not full.
        for (round, laid) in [&[][..], &[1, 4], &[4, 0, 2], &[3], &[]].into_iter().enumerate() {
            tiles.lay_out(laid);
            for row in 0..75 {
                let lane = (7 * row as usize + round) % LANES;
                tiles.pick(row, &mut picked, lane);
                let found: Vec<f32> = picked.iter().map(|lanes| lanes[lane]).collect();
                assert_eq!(found, expected.row_with_slack(row as usize), "row {row} in round {round}");
                picked.iter_mut().for_each(|lanes| lanes[lane] += 1.0 + row as f32);
                tiles.put(row, &picked, lane);
            }
            for (row, numbers) in expected.rows_mut().enumerate() {
                numbers.iter_mut().for_each(|number| *number += 1.0 + row as f32);
            }
        }
        tiles.put_back();
        assert_eq!(rows, expected);
    }
}
