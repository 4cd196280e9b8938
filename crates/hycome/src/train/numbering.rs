//! The last move of a training: communities are numbered by size.
//!
//! Inside, components keep the order in which they were found, so that checkpoints and the next epoch are not concerned. The result, and all
//! snapshots with it, get the order of the final sizes, so that a community has one number and one colour throughout a film.

use super::course::Course;
use crate::error::Result;

/// Renumbers the mixture of a finished course and of its snapshots; see [`Mixture::numbered_by_size`](crate::mixture::Mixture::numbered_by_size).
///
/// # Errors
/// If points are not those of the mixture's space, or [`Error::Interrupted`](crate::Error::Interrupted); the course is as it was then.
pub fn by_size(course: &mut Course) -> Result<()> {
    let Some(mixture) = &course.mixture else { return Ok(()) };
    let order = mixture.largest_first(&course.nodes.all_points())?;
    course.mixture = Some(mixture.clone().reordered(&order));
    for snapshot in course.snapshots.iter_mut().flatten() {
        snapshot.mixture = snapshot.mixture.as_ref().map(|mixture| mixture.reordered(&order));
    }
    Ok(())
}
