//! Sorting and merging one CSR row: neighbours ascending, each once.

use super::{NodeId, RepeatedEdges};

/// Rule for merging entries of the same neighbour.
#[derive(Clone, Copy, Debug)]
pub(super) struct Merge {
    pub repeated: RepeatedEdges,
    /// Whether entries of both directions are combined; otherwise a single direction is used.
    pub together: bool,
}

/// Properties of the rows that determine how repeats are merged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Found {
    /// Whether a pair is repeated in the same direction.
    pub same_direction: bool,
    /// Entries that occur in both directions; each edge is counted at both endpoints.
    pub mirrored: usize,
    /// Whether any pair has a different number or weight of rows in the two directions.
    pub asymmetric: bool,
}

impl Found {
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            same_direction: self.same_direction || other.same_direction,
            mirrored: self.mirrored + other.mirrored,
            asymmetric: self.asymmetric || other.asymmetric,
        }
    }

    fn note(&mut self, out: usize, into: usize, alike: bool) {
        self.same_direction |= out > 1 || into > 1;
        self.mirrored += usize::from(out > 0 && into > 0);
        self.asymmetric |= !alike;
    }
}

/// Buffers reused from row to row.
#[derive(Default)]
pub(super) struct Scratch {
    targets: Vec<NodeId>,
    entries: Vec<(NodeId, f32)>,
    values: Vec<f32>,
}

/// Sorts a row whose first `out` entries are outgoing edges, compacts the distinct neighbours to its front and returns
/// their number.
pub(super) fn merge_unweighted(
    targets: &mut [NodeId],
    out: usize,
    scratch: &mut Scratch,
    found: &mut Found,
) -> usize {
    let (away, back) = targets.split_at_mut(out);
    away.sort_unstable();
    back.sort_unstable();
    if away.is_empty() || back.is_empty() {
        found.asymmetric |= !targets.is_empty();
        let length = dedup(targets);
        found.same_direction |= length < targets.len();
        return length;
    }
    let merged = &mut scratch.targets;
    merged.clear();
    let (mut away, mut back) = (&*away, &*back);
    while let Some(next) = away.first().into_iter().chain(back.first()).min().copied() {
        let (from, to) = (run(away, |&target| target == next), run(back, |&target| target == next));
        found.note(from, to, from == to);
        (away, back) = (&away[from..], &back[to..]);
        merged.push(next);
    }
    targets[..merged.len()].copy_from_slice(merged);
    merged.len()
}

/// [`merge_unweighted`] for weighted rows.
pub(super) fn merge_weighted(
    targets: &mut [NodeId],
    weights: &mut [f32],
    out: usize,
    merge: Merge,
    scratch: &mut Scratch,
    found: &mut Found,
) -> usize {
    let Scratch { entries, values, .. } = scratch;
    entries.clear();
    entries.extend(targets.iter().copied().zip(weights.iter().copied()));
    let (away, back) = entries.split_at_mut(out);
    for part in [&mut *away, &mut *back] {
        if merge.repeated == RepeatedEdges::First {
            part.sort_by_key(|entry| entry.0); // stable: keeps the order of the input rows
        } else {
            part.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        }
    }
    let (mut away, mut back) = (&*away, &*back);
    let mut length = 0;
    while let Some(next) = away.first().into_iter().chain(back.first()).map(|entry| entry.0).min() {
        let (from, to) = (run(away, |entry| entry.0 == next), run(back, |entry| entry.0 == next));
        let ((out, away_rest), (into, back_rest)) = (away.split_at(from), back.split_at(to));
        (away, back) = (away_rest, back_rest);
        found.note(from, to, out == into);
        let one_side = if out.is_empty() { into } else { out };
        let weight = match merge.repeated {
            _ if from + to == 1 => one_side[0].1,
            RepeatedEdges::First => one_side[0].1,
            RepeatedEdges::Max => out.iter().chain(into).fold(0.0, |most: f32, entry| most.max(entry.1)),
            RepeatedEdges::Sum if !merge.together => sum(one_side.iter().map(|entry| entry.1)),
            RepeatedEdges::Sum => {
                values.clear();
                values.extend(out.iter().chain(into).map(|entry| entry.1));
                values.sort_unstable_by(f32::total_cmp);
                sum(values.iter().copied())
            }
        };
        (targets[length], weights[length]) = (next, weight);
        length += 1;
    }
    length
}

/// Sum of sorted weights, saturating at the largest `f32`.
fn sum(weights: impl Iterator<Item = f32>) -> f32 {
    (weights.map(f64::from).sum::<f64>() as f32).min(f32::MAX)
}

/// Length of the longest prefix whose entries satisfy `fits`.
fn run<T>(entries: &[T], fits: impl Fn(&T) -> bool) -> usize {
    entries.iter().take_while(|entry| fits(entry)).count()
}

/// Compacts the distinct entries of a sorted list to its front and returns their number.
fn dedup(targets: &mut [NodeId]) -> usize {
    let mut length = 0;
    for i in 0..targets.len() {
        if length == 0 || targets[length - 1] != targets[i] {
            targets[length] = targets[i];
            length += 1;
        }
    }
    length
}
