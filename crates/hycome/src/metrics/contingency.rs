//! Sparse contingency table of two labelings, for mutual information and the Rand index.
//!
//! Only non-zero cells are stored, found by sorting the pairs. Ids are therefore arbitrary, memory does not depend on
//! them, and the order of summation is fixed.

use rayon::prelude::*;

/// Non-zero cells of a contingency table, and its marginals.
pub(super) struct Contingency {
    /// Cells by row, then column.
    pub(super) cells: Vec<Cell>,
    /// Marginal count of each distinct first id.
    pub(super) row_totals: Vec<u64>,
    /// Marginal count of each distinct second id.
    pub(super) column_totals: Vec<u64>,
    /// Number of observations.
    pub(super) total: u64,
}

/// A non-zero cell; row and column are indices into the marginals.
pub(super) struct Cell {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) count: u64,
}

impl Contingency {
    /// Counts pairs with multiplicity.
    pub(super) fn of_pairs(pairs: impl Iterator<Item = (u32, u32)>) -> Self {
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.par_sort_unstable();
        let mut columns: Vec<u32> = pairs.iter().map(|pair| pair.1).collect();
        columns.par_sort_unstable();
        let column_totals = columns.chunk_by(|a, b| a == b).map(|run| run.len() as u64).collect();
        columns.dedup();

        let mut cells = Vec::new();
        let mut row_totals = Vec::new();
        for (row, of_row) in pairs.chunk_by(|a, b| a.0 == b.0).enumerate() {
            row_totals.push(of_row.len() as u64);
            for same in of_row.chunk_by(|a, b| a == b) {
                let column = columns.binary_search(&same[0].1).expect("columns hold every second id");
                cells.push(Cell { row, column, count: same.len() as u64 });
            }
        }
        Self { cells, row_totals, column_totals, total: pairs.len() as u64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_margins_count_the_pairs() {
        let table = Contingency::of_pairs([(9, 1), (u32::MAX, 7), (9, 1), (9, 7)].into_iter());
        let cells: Vec<_> = table.cells.iter().map(|cell| (cell.row, cell.column, cell.count)).collect();
        assert_eq!(cells, [(0, 0, 2), (0, 1, 1), (1, 1, 1)]);
        assert_eq!((table.row_totals, table.column_totals, table.total), (vec![3, 1], vec![2, 2], 4));
    }

    #[test]
    fn no_pairs_make_an_empty_table() {
        let table = Contingency::of_pairs(std::iter::empty());
        assert!(table.cells.is_empty() && table.row_totals.is_empty() && table.column_totals.is_empty());
        assert_eq!(table.total, 0);
    }
}
