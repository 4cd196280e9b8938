//! The ball for arrays: each function goes row by row, and an array of one row goes with every row of the other.

use hycome::geometry::barycenter::barycenter as mean;
use hycome::geometry::{lorentz, poincare};
use hycome::interrupt;
use hycome::special;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{Rows, numbers, table, vector};
use crate::error::refuse;
use crate::work::{detached, scoped};

/// Numbers that one thread computes between two polls for Ctrl-C; fewer need no other thread.
const FEW: usize = 1 << 14;

type Table<'py> = PyReadonlyArray2<'py, f64>;

/// Fails if a row is not a point of the ball.
fn check_inside(rows: &Rows<'_>, name: &str) -> PyResult<()> {
    let is_outside = |&i: &usize| {
        let slack = poincare::slack(rows.row(i));
        slack.is_nan() || slack <= 0.0
    };
    match (0..rows.count).find(is_outside) {
        Some(row) => {
            Err(refuse(format!("`{name}` must be finite and inside the unit ball, but row {row} is not")))
        }
        None => Ok(()),
    }
}

/// Fails if a row has a number that is infinite or none.
fn check_finite(rows: &Rows<'_>, name: &str) -> PyResult<()> {
    match (0..rows.count).find(|&i| !rows.row(i).iter().all(|c| c.is_finite())) {
        Some(row) => Err(refuse(format!("`{name}` must be finite, but row {row} is not"))),
        None => Ok(()),
    }
}

/// Fails unless the rows of both can be paired; gives the number of pairs.
fn pairs(x: &Rows<'_>, y: &Rows<'_>) -> PyResult<usize> {
    if x.dim != y.dim {
        return Err(refuse(format!("points must have the same dimension, but have {} and {}", x.dim, y.dim)));
    }
    match (x.count, y.count) {
        (a, b) if a == b || b == 1 => Ok(a),
        (1, b) => Ok(b),
        (a, b) => Err(refuse(format!("{a} rows cannot be paired with {b}"))),
    }
}

/// A table whose row i `fill` makes, of this many columns.
fn made(
    py: Python<'_>,
    count: usize,
    columns: usize,
    fill: impl Fn(usize, &mut [f64]) + Sync,
) -> PyResult<Vec<f64>> {
    let (mut data, fill) = (vec![0.0; count * columns], &fill);
    if count * columns <= FEW {
        data.chunks_exact_mut(columns.max(1)).enumerate().for_each(|(i, row)| fill(i, row));
        return Ok(data);
    }
    let block = (FEW / columns).max(1);
    scoped(py, move || {
        data.par_chunks_mut(block * columns).enumerate().try_for_each(|(number, rows)| {
            interrupt::check()?;
            rows.chunks_exact_mut(columns).enumerate().for_each(|(i, row)| fill(number * block + i, row));
            Ok(())
        })?;
        Ok(data)
    })
}

/// Distance of each row of `x` from that of `y`.
#[pyfunction]
pub fn distance<'py>(py: Python<'py>, x: Table<'py>, y: Table<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (x, y) = (Rows::of(&x)?, Rows::of(&y)?);
    let count = pairs(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    Ok(vector(py, made(py, count, 1, |i, out| out[0] = poincare::distance(x.row(i), y.row(i)))?))
}

/// Distance of every row of `x` from every row of `y`.
#[pyfunction]
pub fn pairwise_distance<'py>(
    py: Python<'py>,
    x: Table<'py>,
    y: Table<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::of(&x)?, Rows::of(&y)?);
    if x.dim != y.dim {
        return Err(refuse(format!("points must have the same dimension, but have {} and {}", x.dim, y.dim)));
    }
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    let fill = |i: usize, out: &mut [f64]| {
        out.iter_mut().enumerate().for_each(|(j, out)| *out = poincare::distance(x.row(i), y.row(j)));
    };
    table(py, y.count, made(py, x.count, y.count, fill)?)
}

/// The point reached from each row of `x` by following the tangent vector in that of `v`.
#[pyfunction]
pub fn exp<'py>(py: Python<'py>, x: Table<'py>, v: Table<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, v) = (Rows::of(&x)?, Rows::of(&v)?);
    let count = pairs(&x, &v)?;
    check_inside(&x, "x")?;
    check_finite(&v, "v")?;
    table(py, x.dim, made(py, count, x.dim, |i, out| poincare::exp(x.row(i), v.row(i), out))?)
}

/// Vectors from the origin are followed up to this distance: there 1−|x|² still has six correct digits, farther out soon none.
const MOST_DISTANCE: f64 = 21.0;

/// The points that the tangent vectors at the origin lead to, and how many of them were too long and had to be shortened.
#[pyfunction]
pub fn from_tangent<'py>(py: Python<'py>, v: Table<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, usize)> {
    let v = Rows::of(&v)?;
    check_finite(&v, "v")?;
    // At the origin the metric measures v as 2|v|.
    let longest = 0.5 * MOST_DISTANCE;
    let origin = vec![0.0; v.dim];
    let fill = |i: usize, out: &mut [f64]| {
        let length = poincare::norm(v.row(i));
        let scale = if length > longest { longest / length } else { 1.0 };
        let shortened: Vec<f64> = v.row(i).iter().map(|c| scale * c).collect();
        poincare::exp(&origin, &shortened, out);
    };
    let points = table(py, v.dim, made(py, v.count, v.dim, fill)?)?;
    let is_long = |&i: &usize| poincare::norm(v.row(i)) > longest;
    Ok((points, (0..v.count).filter(is_long).count()))
}

/// The tangent vector at each row of `x` that leads to that of `y`.
#[pyfunction]
pub fn log<'py>(py: Python<'py>, x: Table<'py>, y: Table<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::of(&x)?, Rows::of(&y)?);
    let count = pairs(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    let fill = |i: usize, out: &mut [f64]| {
        poincare::log(x.row(i), y.row(i), out);
    };
    table(py, x.dim, made(py, count, x.dim, fill)?)
}

/// The Möbius sum of each row of `x` with that of `y`.
#[pyfunction]
pub fn mobius_add<'py>(py: Python<'py>, x: Table<'py>, y: Table<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::of(&x)?, Rows::of(&y)?);
    let count = pairs(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    table(py, x.dim, made(py, count, x.dim, |i, out| poincare::translate(x.row(i), y.row(i), out))?)
}

/// The weighted barycenter of the rows; equal weights if none are given.
#[pyfunction]
#[pyo3(signature = (points, weights=None))]
pub fn barycenter<'py>(
    py: Python<'py>,
    points: Table<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let rows = Rows::of(&points)?;
    check_inside(&rows, "points")?;
    let weights = match &weights {
        Some(weights) => numbers(weights)?.to_vec(),
        None => vec![1.0; rows.count],
    };
    if weights.len() != rows.count {
        return Err(refuse(format!("{} points need as many weights, not {}", rows.count, weights.len())));
    }
    if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
        return Err(refuse("`weights` must be finite and not negative"));
    }
    let points = rows.to_points();
    let found = detached(py, move || Ok(mean(&points, &weights, None)))?;
    let found = found.ok_or_else(|| refuse("a barycenter needs a point whose weight is above zero"))?;
    Ok(vector(py, found.point))
}

/// The points of the hyperboloid above the rows of `x`: one coordinate more, time first.
#[pyfunction]
pub fn to_lorentz<'py>(py: Python<'py>, x: Table<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let x = Rows::of(&x)?;
    check_inside(&x, "x")?;
    table(py, x.dim + 1, made(py, x.count, x.dim + 1, |i, out| lorentz::lift(x.row(i), out))?)
}

/// Error of T² − |S|², over T² and the number of coordinates, by which a lifted point may miss the hyperboloid and still count as one of its points.
///
/// Every coordinate that [`to_lorentz`] gives has a few rounding errors. Far from the origin they exceed 1, the value of the form.
const LIFT_ERROR: f64 = 16.0 * f64::EPSILON;

/// What the space coordinates of a point of the hyperboloid, or of a positive multiple of one, are divided by to lie in the ball.
fn divisor(row: &[f64]) -> Option<f64> {
    let (time, norm) = (row[0], poincare::norm(&row[1..]));
    if !(time > 0.0 && row.iter().all(|c| c.is_finite())) {
        return None;
    }
    // As a product, since the squares would cancel and overflow.
    let form = (time - norm) * (time + norm);
    if (form - 1.0).abs() <= LIFT_ERROR * row.len() as f64 * time * time {
        return Some(1.0 + time);
    }
    (form > 0.0).then(|| form.sqrt() + time)
}

/// The points of the ball below the rows of `lifted`.
#[pyfunction]
pub fn from_lorentz<'py>(py: Python<'py>, lifted: Table<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = Rows::of(&lifted)?;
    if rows.dim < 2 {
        return Err(refuse("a point of the hyperboloid has at least two coordinates, time first"));
    }
    if let Some(row) = (0..rows.count).find(|&i| divisor(rows.row(i)).is_none()) {
        let words = "time, the first coordinate, must be above the length of the others";
        return Err(refuse(format!("{words}, but is not in row {row}")));
    }
    let fill = |i: usize, out: &mut [f64]| {
        let row = rows.row(i);
        let divisor = divisor(row).unwrap_or(f64::INFINITY); // every row has one, as was checked
        out.iter_mut().zip(&row[1..]).for_each(|(out, space)| *out = space / divisor);
        poincare::keep_inside(out);
    };
    table(py, rows.dim - 1, made(py, rows.count, rows.dim - 1, fill)?)
}

/// A function of scales, for each of them.
fn of_scales<'py>(
    py: Python<'py>,
    dim: usize,
    values: &PyReadonlyArray1<'py, f64>,
    name: &str,
    function: fn(usize, f64) -> f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    if dim == 0 {
        return Err(refuse("`dim` must be at least 1, but is 0"));
    }
    let values = numbers(values)?;
    if let Some(value) = values.iter().find(|&&value| !(value > 0.0 && value.is_finite())) {
        return Err(refuse(format!("`{name}` must be above zero and finite, but is {value}")));
    }
    Ok(vector(py, made(py, values.len(), 1, |i, out| out[0] = function(dim, values[i]))?))
}

/// Logarithm of the normalising constant of the Gaussian of each scale.
#[pyfunction]
pub fn log_zeta<'py>(
    py: Python<'py>,
    dim: usize,
    scale: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    of_scales(py, dim, &scale, "scale", special::log_zeta)
}

/// Mean squared distance from the centre of the Gaussian of each scale.
#[pyfunction]
pub fn mean_squared_distance<'py>(
    py: Python<'py>,
    dim: usize,
    scale: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    of_scales(py, dim, &scale, "scale", special::mean_squared_distance)
}

/// The scale whose Gaussian has each mean squared distance.
#[pyfunction]
pub fn scale_from_spread<'py>(
    py: Python<'py>,
    dim: usize,
    spread: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    of_scales(py, dim, &spread, "spread", special::scale_from_spread)
}
