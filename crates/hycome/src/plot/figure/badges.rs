//! Placement of the numbered badges of communities: at the barycenter, or beside it where a badge would hide a node.

use super::Area;
use super::node_names::{Bounds, is_inside, overlap};

/// Directions in which a badge may be moved, and distances in radii of the badge.
const DIRECTIONS: usize = 8;
const DISTANCES: [f64; 3] = [1.9, 2.9, 4.0];

/// Cost of a candidate that overlaps another badge, and of one outside the frame, in hidden nodes.
const OVERLAP_COST: usize = 2;
const OUTSIDE_COST: usize = 100;

/// A node in pixels: x, y, radius.
pub(super) type Disc = (f64, f64, f64);

/// The centre of a badge of radius `size` for a barycenter at `center`: the candidate that hides the fewest nodes, the
/// nearest of these.
pub(super) fn place(
    center: (f64, f64),
    size: f64,
    nodes: &[Disc],
    taken: &[Bounds],
    frame: Area,
) -> (f64, f64) {
    let reach = (DISTANCES[DISTANCES.len() - 1] + 1.0) * size;
    let is_near = |&&(x, y, r): &&Disc| (x - center.0).abs() < reach + r && (y - center.1).abs() < reach + r;
    let near: Vec<&Disc> = nodes.iter().filter(is_near).collect();
    let cost = |&(x, y): &(f64, f64)| {
        let bounds = [x - size, y - size, x + size, y + size];
        let hidden = near.iter().filter(|(nx, ny, r)| (nx - x).hypot(ny - y) < size + r).count();
        let overlaps = taken.iter().any(|other| overlap(&bounds, other));
        let is_outside = (x, y) != center && !is_inside(&bounds, frame);
        hidden + if overlaps { OVERLAP_COST } else { 0 } + if is_outside { OUTSIDE_COST } else { 0 }
    };
    let around = DISTANCES.into_iter().flat_map(|distance| {
        (0..DIRECTIONS).map(move |i| {
            let angle = std::f64::consts::TAU * (i as f64 + 0.5) / DIRECTIONS as f64;
            (center.0 + distance * size * angle.cos(), center.1 - distance * size * angle.sin())
        })
    });
    // `min_by_key` returns the first of equal candidates, which is the nearest.
    std::iter::once(center).chain(around).min_by_key(cost).unwrap_or(center)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Area = Area { left: 0.0, top: 0.0, width: 200.0, height: 200.0 };

    #[test]
    fn badge_without_nodes_below_is_at_the_barycenter() {
        assert_eq!(place((100.0, 100.0), 8.0, &[(150.0, 100.0, 4.0)], &[], FRAME), (100.0, 100.0));
    }

    #[test]
    fn badge_hides_no_node_and_no_badge() {
        for node in [(100.0, 100.0, 4.0), (103.0, 98.0, 4.0), (95.0, 100.0, 2.0)] {
            let taken = [110.0, 80.0, 126.0, 96.0];
            let (x, y) = place((100.0, 100.0), 8.0, &[node], &[taken], FRAME);
            assert!((x - node.0).hypot(y - node.1) >= 8.0 + node.2, "{node:?}: {x}, {y}");
            assert!((x - 100.0).hypot(y - 100.0) < 40.0);
            assert!(!overlap(&[x - 8.0, y - 8.0, x + 8.0, y + 8.0], &taken));
        }
    }

    #[test]
    fn moved_badge_stays_in_the_frame() {
        let (x, y) = place((195.0, 5.0), 8.0, &[(195.0, 5.0, 4.0)], &[], FRAME);
        assert!(is_inside(&[x - 8.0, y - 8.0, x + 8.0, y + 8.0], FRAME), "{x}, {y}");
    }
}
