//! Vectorized geometry of the Poincaré ball: functions work row by row, and a single row is broadcast.

use hycome::geometry::barycenter::barycenter as mean;
use hycome::geometry::{lorentz, poincare};
use hycome::interrupt;
use hycome::special;
use numpy::{PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::arrays::{Rows, array1, array2, as_slice};
use crate::error::value_error;
use crate::work::{run_detached, run_scoped};

/// Elements computed between two polls for Ctrl-C; smaller results are computed on the calling thread.
const CHUNK_LEN: usize = 1 << 14;

type Matrix<'py> = PyReadonlyArray2<'py, f64>;

/// Fails unless every row is a point of the ball.
fn check_inside(rows: &Rows<'_>, name: &str) -> PyResult<()> {
    let is_outside = |&i: &usize| {
        let slack = poincare::slack(rows.row(i));
        slack.is_nan() || slack <= 0.0
    };
    match (0..rows.count).find(is_outside) {
        Some(row) => Err(value_error(format!(
            "`{name}` must be finite and inside the unit ball, but row {row} is not"
        ))),
        None => Ok(()),
    }
}

/// Fails unless every coordinate is finite.
fn check_finite(rows: &Rows<'_>, name: &str) -> PyResult<()> {
    match (0..rows.count).find(|&i| !rows.row(i).iter().all(|c| c.is_finite())) {
        Some(row) => Err(value_error(format!("`{name}` must be finite, but row {row} is not"))),
        None => Ok(()),
    }
}

/// Number of pairs of rows after broadcasting; fails if the shapes do not match.
fn pair_count(x: &Rows<'_>, y: &Rows<'_>) -> PyResult<usize> {
    if x.dim != y.dim {
        return Err(value_error(format!(
            "points must have the same dimension, but have {} and {}",
            x.dim, y.dim
        )));
    }
    match (x.count, y.count) {
        (a, b) if a == b || b == 1 => Ok(a),
        (1, b) => Ok(b),
        (a, b) => Err(value_error(format!("cannot broadcast {a} rows with {b} rows"))),
    }
}

/// Fills a row-major matrix in parallel; `fill` computes row i.
fn fill_rows(
    py: Python<'_>,
    count: usize,
    columns: usize,
    fill: impl Fn(usize, &mut [f64]) + Sync,
) -> PyResult<Vec<f64>> {
    let (mut data, fill) = (vec![0.0; count * columns], &fill);
    if count * columns <= CHUNK_LEN {
        data.chunks_exact_mut(columns.max(1)).enumerate().for_each(|(i, row)| fill(i, row));
        return Ok(data);
    }
    let block = (CHUNK_LEN / columns).max(1);
    run_scoped(py, move || {
        data.par_chunks_mut(block * columns).enumerate().try_for_each(|(number, rows)| {
            interrupt::check()?;
            rows.chunks_exact_mut(columns).enumerate().for_each(|(i, row)| fill(number * block + i, row));
            Ok(())
        })?;
        Ok(data)
    })
}

/// Distance between corresponding rows of `x` and `y`.
#[pyfunction]
pub fn distance<'py>(py: Python<'py>, x: Matrix<'py>, y: Matrix<'py>) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let (x, y) = (Rows::new(&x)?, Rows::new(&y)?);
    let count = pair_count(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    Ok(array1(py, fill_rows(py, count, 1, |i, out| out[0] = poincare::distance(x.row(i), y.row(i)))?))
}

/// Distance matrix between the rows of `x` and of `y`.
#[pyfunction]
pub fn pairwise_distance<'py>(
    py: Python<'py>,
    x: Matrix<'py>,
    y: Matrix<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::new(&x)?, Rows::new(&y)?);
    if x.dim != y.dim {
        return Err(value_error(format!(
            "points must have the same dimension, but have {} and {}",
            x.dim, y.dim
        )));
    }
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    let fill = |i: usize, out: &mut [f64]| {
        out.iter_mut().enumerate().for_each(|(j, out)| *out = poincare::distance(x.row(i), y.row(j)));
    };
    array2(py, y.count, fill_rows(py, x.count, y.count, fill)?)
}

/// Exponential map at each row of `x`.
#[pyfunction]
pub fn exp<'py>(py: Python<'py>, x: Matrix<'py>, v: Matrix<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, v) = (Rows::new(&x)?, Rows::new(&v)?);
    let count = pair_count(&x, &v)?;
    check_inside(&x, "x")?;
    check_finite(&v, "v")?;
    array2(py, x.dim, fill_rows(py, count, x.dim, |i, out| poincare::exp(x.row(i), v.row(i), out))?)
}

/// Tangent vectors at the origin are clipped to this length: there 1−|x|² still has six correct digits, and soon none
/// farther out.
const MAX_DISTANCE: f64 = 21.0;

/// Exponential map at the origin, and the number of tangent vectors that were clipped to [`MAX_DISTANCE`].
#[pyfunction]
pub fn from_tangent<'py>(py: Python<'py>, v: Matrix<'py>) -> PyResult<(Bound<'py, PyArray2<f64>>, usize)> {
    let v = Rows::new(&v)?;
    check_finite(&v, "v")?;
    // At the origin v has the Riemannian norm 2|v|.
    let max_norm = 0.5 * MAX_DISTANCE;
    let origin = vec![0.0; v.dim];
    let fill = |i: usize, out: &mut [f64]| {
        let length = poincare::norm(v.row(i));
        let scale = if length > max_norm { max_norm / length } else { 1.0 };
        let clipped: Vec<f64> = v.row(i).iter().map(|c| scale * c).collect();
        poincare::exp(&origin, &clipped, out);
    };
    let points = array2(py, v.dim, fill_rows(py, v.count, v.dim, fill)?)?;
    let is_long = |&i: &usize| poincare::norm(v.row(i)) > max_norm;
    Ok((points, (0..v.count).filter(is_long).count()))
}

/// Logarithmic map at each row of `x`.
#[pyfunction]
pub fn log<'py>(py: Python<'py>, x: Matrix<'py>, y: Matrix<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::new(&x)?, Rows::new(&y)?);
    let count = pair_count(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    let fill = |i: usize, out: &mut [f64]| {
        poincare::log(x.row(i), y.row(i), out);
    };
    array2(py, x.dim, fill_rows(py, count, x.dim, fill)?)
}

/// Möbius sum of corresponding rows of `x` and `y`.
#[pyfunction]
pub fn mobius_add<'py>(
    py: Python<'py>,
    x: Matrix<'py>,
    y: Matrix<'py>,
) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let (x, y) = (Rows::new(&x)?, Rows::new(&y)?);
    let count = pair_count(&x, &y)?;
    check_inside(&x, "x")?;
    check_inside(&y, "y")?;
    array2(py, x.dim, fill_rows(py, count, x.dim, |i, out| poincare::translate(x.row(i), y.row(i), out))?)
}

/// Weighted Fréchet mean (barycenter) of the rows.
#[pyfunction]
#[pyo3(signature = (points, weights=None))]
pub fn barycenter<'py>(
    py: Python<'py>,
    points: Matrix<'py>,
    weights: Option<PyReadonlyArray1<'py, f64>>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let rows = Rows::new(&points)?;
    check_inside(&rows, "points")?;
    let weights = match &weights {
        Some(weights) => as_slice(weights)?.to_vec(),
        None => vec![1.0; rows.count],
    };
    if weights.len() != rows.count {
        return Err(value_error(format!(
            "expected one weight for each of the {} points, found {}",
            rows.count,
            weights.len()
        )));
    }
    if !weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0) {
        return Err(value_error("`weights` must be finite and not negative"));
    }
    let points = rows.to_points();
    let found = run_detached(py, move || Ok(mean(&points, &weights, None)))?;
    let found = found
        .ok_or_else(|| value_error("a barycenter needs at least one point whose weight is above zero"))?;
    Ok(array1(py, found.point))
}

/// Lifts the rows of `x` to the hyperboloid; the time coordinate comes first.
#[pyfunction]
pub fn to_lorentz<'py>(py: Python<'py>, x: Matrix<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let x = Rows::new(&x)?;
    check_inside(&x, "x")?;
    array2(py, x.dim + 1, fill_rows(py, x.count, x.dim + 1, |i, out| lorentz::lift(x.row(i), out))?)
}

/// Tolerance of T² − |S|² = 1, relative to T² and the number of coordinates, within which a point lies on the
/// hyperboloid.
///
/// Every coordinate computed by [`to_lorentz`] has a few rounding errors. Far from the origin they exceed 1, the value
/// of the form.
const LIFT_ERROR: f64 = 16.0 * f64::EPSILON;

/// Divisor that projects the space coordinates of a point of the hyperboloid, or of a positive multiple of one, to the
/// ball.
fn projection_divisor(row: &[f64]) -> Option<f64> {
    let (time, norm) = (row[0], poincare::norm(&row[1..]));
    if !(time > 0.0 && row.iter().all(|c| c.is_finite())) {
        return None;
    }
    // As a product: the squares would cancel or overflow.
    let form = (time - norm) * (time + norm);
    if (form - 1.0).abs() <= LIFT_ERROR * row.len() as f64 * time * time {
        return Some(1.0 + time);
    }
    (form > 0.0).then(|| form.sqrt() + time)
}

/// Projects the rows of `lifted` from the hyperboloid to the ball.
#[pyfunction]
pub fn from_lorentz<'py>(py: Python<'py>, lifted: Matrix<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
    let rows = Rows::new(&lifted)?;
    if rows.dim < 2 {
        return Err(value_error("a point of the hyperboloid has at least two coordinates, time first"));
    }
    if let Some(row) = (0..rows.count).find(|&i| projection_divisor(rows.row(i)).is_none()) {
        let words = "time, the first coordinate, must be above the length of the others";
        return Err(value_error(format!("{words}, but is not in row {row}")));
    }
    let fill = |i: usize, out: &mut [f64]| {
        let row = rows.row(i);
        let divisor = projection_divisor(row).unwrap_or(f64::INFINITY); // checked above
        out.iter_mut().zip(&row[1..]).for_each(|(out, space)| *out = space / divisor);
        poincare::keep_inside(out);
    };
    array2(py, rows.dim - 1, fill_rows(py, rows.count, rows.dim - 1, fill)?)
}

/// Applies a function of the dimension and a scale elementwise.
fn map_scales<'py>(
    py: Python<'py>,
    dim: usize,
    values: &PyReadonlyArray1<'py, f64>,
    name: &str,
    function: fn(usize, f64) -> f64,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    if dim == 0 {
        return Err(value_error("`dim` must be at least 1, but is 0"));
    }
    let values = as_slice(values)?;
    if let Some(value) = values.iter().find(|&&value| !(value > 0.0 && value.is_finite())) {
        return Err(value_error(format!("`{name}` must be above zero and finite, but is {value}")));
    }
    Ok(array1(py, fill_rows(py, values.len(), 1, |i, out| out[0] = function(dim, values[i]))?))
}

/// Log-normalizing constant of the Gaussian of each scale.
#[pyfunction]
pub fn log_zeta<'py>(
    py: Python<'py>,
    dim: usize,
    scale: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    map_scales(py, dim, &scale, "scale", special::log_zeta)
}

/// Mean squared distance from the centre of the Gaussian of each scale.
#[pyfunction]
pub fn mean_squared_distance<'py>(
    py: Python<'py>,
    dim: usize,
    scale: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    map_scales(py, dim, &scale, "scale", special::mean_squared_distance)
}

/// Scale of the Gaussian with each mean squared distance.
#[pyfunction]
pub fn scale_from_spread<'py>(
    py: Python<'py>,
    dim: usize,
    spread: PyReadonlyArray1<'py, f64>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    map_scales(py, dim, &spread, "spread", special::scale_from_spread)
}
