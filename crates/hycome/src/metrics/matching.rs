//! Matching of clusters with classes: linear assignment (Hungarian method), or by size.
//!
//! [`match_best`] maximizes the sum of `counts[cluster][class]`, the optimum over all permutations. [`match_by_size`]
//! pairs the largest cluster with the largest class, the second with the second and so on; the paper does so when
//! there are too many permutations to enumerate, so reproducing its tables requires it.
//!
//! The assignment problem is solved by shortest augmenting paths with potentials (Jonker and Volgenant, *Computing*
//! 38, 325–340, 1987): rows are inserted one at a time along the cheapest augmenting path, in O(r² c) for r rows and c
//! ≥ r columns. All values are integers, so the optimum is exact. Thousands of rows take minutes, so the matching polls
//! for interrupts.

use crate::{Result, interrupt};

/// Dense table of counts of (row, column) pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountTable {
    rows: usize,
    columns: usize,
    counts: Vec<i64>,
}

impl CountTable {
    /// Creates a table of zeros.
    #[must_use]
    pub(crate) fn new(rows: usize, columns: usize) -> Self {
        Self { rows, columns, counts: vec![0; rows * columns] }
    }

    /// Increments a cell.
    ///
    /// # Panics
    /// If the pair is out of range.
    pub(crate) fn add(&mut self, row: usize, column: usize) {
        assert!(row < self.rows && column < self.columns, "({row}, {column}) is in the table");
        self.counts[row * self.columns + column] += 1;
    }

    /// Value of a cell.
    #[must_use]
    pub(crate) fn count(&self, row: usize, column: usize) -> i64 {
        self.counts[row * self.columns + column]
    }

    fn transposed(&self) -> Self {
        let mut other = Self::new(self.columns, self.rows);
        for row in 0..self.rows {
            for column in 0..self.columns {
                other.counts[column * self.rows + row] = self.count(row, column);
            }
        }
        other
    }
}

/// Maximum-weight matching: the column of each row, with the largest possible sum of counts.
///
/// If there are more rows than columns, unmatched rows are `None`.
///
/// # Errors
/// [`crate::Error::Interrupted`].
pub(crate) fn match_best(table: &CountTable) -> Result<Vec<Option<usize>>> {
    if table.rows <= table.columns {
        return Ok(assign_rows(table)?.into_iter().map(Some).collect());
    }
    let mut column_of_row = vec![None; table.rows];
    for (column, row) in assign_rows(&table.transposed())?.into_iter().enumerate() {
        column_of_row[row] = Some(column);
    }
    Ok(column_of_row)
}

/// Matches clusters with classes of the same rank by size; `None` beyond the last class. Ties are broken by index.
#[must_use]
pub(crate) fn match_by_size(cluster_sizes: &[usize], class_sizes: &[usize]) -> Vec<Option<usize>> {
    let mut class_of_cluster = vec![None; cluster_sizes.len()];
    for (cluster, class) in largest_first(cluster_sizes).into_iter().zip(largest_first(class_sizes)) {
        class_of_cluster[cluster] = Some(class);
    }
    class_of_cluster
}

fn largest_first(sizes: &[usize]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| (std::cmp::Reverse(sizes[i]), i));
    order
}

/// Solves the assignment problem; there are at least as many columns as rows.
///
/// The potentials keep every reduced cost `−count − row_potential − column_potential` non-negative, and zero on
/// assigned pairs. `free` is a virtual column that holds the row being inserted, the source of the shortest-path
/// search.
fn assign_rows(table: &CountTable) -> Result<Vec<usize>> {
    let (rows, columns) = (table.rows, table.columns);
    let free = columns;
    let mut row_of_column: Vec<Option<usize>> = vec![None; columns + 1];
    let mut row_potential = vec![0i64; rows];
    let mut column_potential = vec![0i64; columns + 1];

    for entering in 0..rows {
        interrupt::check()?;
        row_of_column[free] = Some(entering);
        let mut distance = vec![i64::MAX; columns]; // of the shortest known path to each column
        let mut previous = vec![free; columns]; // predecessor on that path
        let mut reached = vec![false; columns + 1];
        let mut end = free;
        while let Some(row) = row_of_column[end] {
            reached[end] = true;
            let mut nearest = free;
            let mut step = i64::MAX;
            for column in (0..columns).filter(|&column| !reached[column]) {
                let reduced = -table.count(row, column) - row_potential[row] - column_potential[column];
                if reduced < distance[column] {
                    distance[column] = reduced;
                    previous[column] = end;
                }
                if distance[column] < step {
                    step = distance[column];
                    nearest = column;
                }
            }
            for column in 0..=columns {
                if reached[column] {
                    let row = row_of_column[column].expect("a reached column has a row");
                    row_potential[row] += step;
                    column_potential[column] -= step;
                } else {
                    distance[column] -= step;
                }
            }
            end = nearest;
        }
        // Augments along the path: each row moves to the next column.
        while end != free {
            row_of_column[end] = row_of_column[previous[end]];
            end = previous[end];
        }
    }

    let mut column_of_row = vec![free; rows];
    for (column, row) in row_of_column[..columns].iter().enumerate() {
        if let Some(row) = *row {
            column_of_row[row] = column;
        }
    }
    Ok(column_of_row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn table(rows: &[&[i64]]) -> CountTable {
        let columns = rows.first().map_or(0, |row| row.len());
        CountTable { rows: rows.len(), columns, counts: rows.concat() }
    }

    fn value(table: &CountTable, matching: &[Option<usize>]) -> i64 {
        matching.iter().enumerate().filter_map(|(row, column)| Some(table.count(row, (*column)?))).sum()
    }

    /// Exhaustive search over the columns of each row, including none.
    fn best_by_trying(table: &CountTable, row: usize, used: &mut Vec<bool>) -> i64 {
        if row == table.rows {
            return 0;
        }
        let mut best = best_by_trying(table, row + 1, used);
        for column in 0..table.columns {
            if !used[column] {
                used[column] = true;
                best = best.max(table.count(row, column) + best_by_trying(table, row + 1, used));
                used[column] = false;
            }
        }
        best
    }

    #[test]
    fn optimum_may_exclude_the_largest_cell() {
        let table = table(&[&[10, 9], &[9, 1]]);
        assert_eq!(match_best(&table).unwrap(), [Some(1), Some(0)]);
    }

    #[test]
    fn excess_rows_are_unmatched() {
        let table = table(&[&[1], &[5], &[3]]);
        assert_eq!(match_best(&table).unwrap(), [None, Some(0), None]);
    }

    #[test]
    fn empty_tables_are_accepted() {
        assert_eq!(match_best(&CountTable::new(0, 3)).unwrap(), []);
        assert_eq!(match_best(&CountTable::new(2, 0)).unwrap(), [None, None]);
        assert_eq!(match_by_size(&[], &[1]), []);
    }

    #[test]
    fn sizes_are_matched_by_rank() {
        assert_eq!(match_by_size(&[5, 9, 1], &[2, 13]), [Some(0), Some(1), None]);
    }

    #[test]
    fn equal_sizes_are_matched_by_index() {
        assert_eq!(match_by_size(&[4, 4, 4], &[7, 7]), [Some(0), Some(1), None]);
    }

    #[test]
    fn a_large_table_is_solved() {
        // A dominant permuted diagonal: 7 is coprime to 200, so the columns are a permutation.
        let mut table = CountTable::new(200, 200);
        for row in 0..200 {
            for column in 0..200 {
                table.counts[row * 200 + column] = ((row * 31 + column * 17) % 50) as i64;
            }
            table.counts[row * 200 + row * 7 % 200] = 1000;
        }
        let expected: Vec<_> = (0..200).map(|row| Some(row * 7 % 200)).collect();
        assert_eq!(match_best(&table).unwrap(), expected);
    }

    proptest! {
        #[test]
        fn matches_exhaustive_search(
            (rows, columns, counts) in (1usize..6, 1usize..6).prop_flat_map(|(rows, columns)| {
                (Just(rows), Just(columns), proptest::collection::vec(0i64..9, rows * columns))
            })
        ) {
            let table = CountTable { rows, columns, counts };
            let matching = match_best(&table).unwrap();
            let mut taken: Vec<usize> = matching.iter().flatten().copied().collect();
            taken.sort_unstable();
            taken.dedup();
            prop_assert_eq!(taken.len(), rows.min(columns));
            prop_assert_eq!(value(&table, &matching), best_by_trying(&table, 0, &mut vec![false; columns]));
        }
    }
}
