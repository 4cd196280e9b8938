//! Initialisation of EM: micro-clusters of K-means, merged by Ward's method.
//!
//! K-means with as many centres as communities often splits one community and joins two others, the more often the more communities
//! there are, and EM does not undo that. Many small clusters lie inside one community each; Ward's method (Ward, *J. Am. Stat. Assoc.*
//! 58, 236 (1963)) then merges the two clusters whose union raises the inertia least, n_a·n_b / (n_a + n_b) · d²(a, b), until
//! [`communities`](super::MixtureConfig::communities) remain. Distances of merged clusters follow the recurrence of Lance and Williams
//! (*Comput. J.* 9, 373 (1967)), which is exact in Euclidean space and an approximation in the ball; merges are found by the
//! nearest-neighbour chain (Murtagh, *Comput. J.* 26, 354 (1983)) in O(m²) for m micro-clusters. The merge of micro-clusters before EM is
//! also known from BIRCH (Zhang, Ramakrishnan and Livny 1996).

use super::family::ComponentFamily;
use super::kmeans::{self, KMeans};
use crate::{Points, Result};

/// Micro-clusters per community.
const CELLS_PER_COMMUNITY: usize = 20;

/// Points per micro-cluster, at least.
const MIN_POINTS_PER_CELL: usize = 3;

/// Most micro-clusters; Ward's method takes the square of their number in memory.
const MAX_CELLS: usize = 4096;

/// Points that micro-clusters are found on; a larger set is sampled.
const MAX_SAMPLE: usize = 1 << 15;

/// Lloyd iterations for the micro-clusters, which need not converge.
const LLOYD_ITERATIONS: usize = 10;

/// The points that micro-clusters are found on: evenly spaced rows of a large set, and none if all are used.
pub(super) fn sample(points: &Points) -> Option<Points> {
    let count = points.len();
    (count > MAX_SAMPLE).then(|| {
        let rows = (0..MAX_SAMPLE).flat_map(|i| points.row(i * count / MAX_SAMPLE).iter().copied());
        Points::new(points.dim(), rows.collect())
    })
}

/// Clusters the points: K-means into micro-clusters, merged by Ward's method into `communities`.
///
/// # Errors
/// As [`kmeans`](super::kmeans()).
pub(super) fn cluster<F: ComponentFamily>(
    family: &F,
    sample: Option<&F>,
    communities: usize,
    max_iterations: usize,
    seed: u64,
    restart: u64,
) -> Result<KMeans> {
    let cells =
        (CELLS_PER_COMMUNITY * communities).min(family.points().len() / MIN_POINTS_PER_CELL).min(MAX_CELLS);
    if cells <= communities || communities < 2 {
        return kmeans::run(family, communities, max_iterations, seed, restart);
    }
    let sample = sample.unwrap_or(family);
    let Ok(micro) = kmeans::run(sample, cells, LLOYD_ITERATIONS.min(max_iterations), seed, restart) else {
        return kmeans::run(family, communities, max_iterations, seed, restart); // too few distinct points
    };
    let mut sizes = vec![0.0; cells];
    micro.assignment.iter().for_each(|&cell| sizes[cell as usize] += 1.0);
    let community_of_cell = merge(&squared_distances::<F>(&micro.means), &sizes, communities);
    let mut assignment = kmeans::nearest_centres(family, &micro.means)?;
    assignment.iter_mut().for_each(|cell| *cell = community_of_cell[*cell as usize]);
    kmeans::from_assignment(family, assignment, communities)
}

/// Squared distances of all pairs of centres, row by row.
fn squared_distances<F: ComponentFamily>(means: &Points) -> Vec<Vec<f64>> {
    (0..means.len())
        .map(|i| (0..means.len()).map(|j| F::squared_distance(means.row(i), means.row(j))).collect())
        .collect()
}

/// Merges clusters of these sizes by Ward's method; the cluster of each, below `count`, in order of first appearance.
fn merge(squared_distance: &[Vec<f64>], sizes: &[f64], count: usize) -> Vec<u32> {
    let cells = sizes.len();
    let mut sizes = sizes.to_vec();
    // Increase of the inertia by the merge of each pair.
    let mut cost: Vec<Vec<f64>> = (0..cells)
        .map(|i| {
            (0..cells)
                .map(|j| sizes[i] * sizes[j] / (sizes[i] + sizes[j]).max(1.0) * squared_distance[i][j])
                .collect()
        })
        .collect();
    let mut is_active = vec![true; cells];
    let mut merges: Vec<(f64, usize, usize)> = Vec::with_capacity(cells - 1);
    let mut chain: Vec<usize> = Vec::new();
    while merges.len() + 1 < cells {
        if chain.is_empty() {
            chain.extend(is_active.iter().position(|&active| active));
        }
        let last = *chain.last().expect("the chain is not empty");
        let before = chain.len().checked_sub(2).map(|i| chain[i]);
        let mut nearest = before.unwrap_or(usize::MAX); // wins ties, so that the chain ends
        for other in (0..cells).filter(|&other| is_active[other] && other != last) {
            if nearest == usize::MAX || cost[last][other] < cost[last][nearest] {
                nearest = other;
            }
        }
        if before != Some(nearest) {
            chain.push(nearest);
            continue;
        }
        chain.truncate(chain.len() - 2);
        let (kept, gone) = (last.min(nearest), last.max(nearest));
        merges.push((cost[kept][gone], kept, gone));
        is_active[gone] = false;
        let joined = cost[kept][gone];
        for other in (0..cells).filter(|&other| is_active[other] && other != kept) {
            let (a, b, c) = (sizes[kept], sizes[gone], sizes[other]);
            let updated = ((a + c) * cost[kept][other] + (b + c) * cost[gone][other] - c * joined)
                / (a + b + c).max(1.0);
            (cost[kept][other], cost[other][kept]) = (updated, updated);
        }
        sizes[kept] += sizes[gone];
    }
    merges.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut parent: Vec<usize> = (0..cells).collect();
    let root = |parent: &[usize], mut cell: usize| {
        while parent[cell] != cell {
            cell = parent[cell];
        }
        cell
    };
    for &(_, a, b) in merges.iter().take(cells - count) {
        let (a, b) = (root(&parent, a), root(&parent, b));
        parent[a.max(b)] = a.min(b);
    }
    let mut number = vec![u32::MAX; cells];
    let mut next = 0;
    (0..cells)
        .map(|cell| {
            let root = root(&parent, cell);
            if number[root] == u32::MAX {
                number[root] = next;
                next += 1;
            }
            number[root]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mixture::euclidean::{CovarianceType, Euclidean};
    use crate::mixture::hyperbolic::Hyperbolic;
    use crate::rng::{Purpose, stream};

    /// Merges by trying every pair, with the inertia of the union computed from its points.
    fn merge_by_definition(points: &[f64], count: usize) -> Vec<Vec<usize>> {
        let mut clusters: Vec<Vec<usize>> = (0..points.len()).map(|i| vec![i]).collect();
        let inertia = |members: &[usize]| {
            let mean = members.iter().map(|&i| points[i]).sum::<f64>() / members.len() as f64;
            members.iter().map(|&i| (points[i] - mean).powi(2)).sum::<f64>()
        };
        while clusters.len() > count {
            let mut best = (f64::INFINITY, 0, 1);
            for a in 0..clusters.len() {
                for b in a + 1..clusters.len() {
                    let union: Vec<usize> = clusters[a].iter().chain(&clusters[b]).copied().collect();
                    let rise = inertia(&union) - inertia(&clusters[a]) - inertia(&clusters[b]);
                    if rise < best.0 {
                        best = (rise, a, b);
                    }
                }
            }
            let gone = clusters.remove(best.2);
            clusters[best.1].extend(gone);
        }
        clusters.iter_mut().for_each(|cluster| cluster.sort_unstable());
        clusters.sort();
        clusters
    }

    #[test]
    fn merges_are_those_that_raise_the_inertia_least() {
        for seed in 0..20 {
            let mut rng = stream(seed, Purpose::Means, 0, 0);
            let points: Vec<f64> = (0..30).map(|_| rng.unit()).collect();
            let squared: Vec<Vec<f64>> =
                points.iter().map(|x| points.iter().map(|y| (x - y) * (x - y)).collect()).collect();
            let found = merge(&squared, &[1.0; 30], 5);
            let mut clusters = vec![Vec::new(); 5];
            found.iter().enumerate().for_each(|(i, &k)| clusters[k as usize].push(i));
            clusters.sort();
            assert_eq!(clusters, merge_by_definition(&points, 5), "seed {seed}");
        }
    }

    /// Sixteen clusters of very different sizes on a grid.
    fn grid() -> (Points, Vec<u32>) {
        let mut rng = stream(5, Purpose::Means, 0, 0);
        let mut rows = Vec::new();
        let mut truth = Vec::new();
        for k in 0..16u32 {
            for _ in 0..20 + 15 * k {
                let offset = |rng: &mut crate::rng::Stream| 0.12 * (rng.unit() + rng.unit() - 1.0);
                let (x, y) = (f64::from(k % 4) * 0.3 - 0.45, f64::from(k / 4) * 0.3 - 0.45);
                rows.extend([x + offset(&mut rng), y + offset(&mut rng)]);
                truth.push(k);
            }
        }
        (Points::new(2, rows), truth)
    }

    #[test]
    fn sixteen_clusters_are_found_from_every_seed() {
        fn check<F: ComponentFamily>(family: &F, truth: &[u32]) {
            for seed in 0..10 {
                let found = cluster(family, None, 16, 100, seed, 0).unwrap();
                let nmi = crate::metrics::normalized_mutual_information(&found.assignment, truth);
                assert!(nmi > 0.98, "seed {seed}: {nmi}");
            }
        }
        let (points, truth) = grid();
        check(&Hyperbolic::new(&points).unwrap(), &truth);
        check(&Euclidean::new(&points, CovarianceType::Spherical).unwrap(), &truth);
    }

    #[test]
    fn few_points_and_a_single_community_need_no_micro_clusters() {
        let points = Points::new(1, vec![0.1, 0.2, 0.3, 0.4, 0.5]);
        let family = Hyperbolic::new(&points).unwrap();
        assert_eq!(cluster(&family, None, 1, 100, 1, 0).unwrap().assignment, [0; 5]);
        assert!(cluster(&family, None, 5, 100, 1, 0).unwrap().inertia < 1e-20);
        let equal = Points::new(1, vec![0.1; 50]);
        assert!(cluster(&Hyperbolic::new(&equal).unwrap(), None, 2, 100, 1, 0).is_err());
    }

    #[test]
    fn only_large_sets_are_sampled() {
        assert!(sample(&Points::zeros(MAX_SAMPLE, 1)).is_none());
        assert_eq!(sample(&Points::zeros(MAX_SAMPLE + 1, 1)).map(|points| points.len()), Some(MAX_SAMPLE));
    }
}
