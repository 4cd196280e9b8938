//! Charts: curves, points and error bars with axes.

use super::figure::Area;
use super::svg::{Anchor, Font, Svg, number, shortened, width};
use super::theme::Theme;

/// Curves with axes.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// What is across.
    pub x: Axis,
    /// What is up.
    pub y: Axis,
    /// The curves.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// What it measures.
    pub name: String,
    /// Whether equal steps are equal factors.
    pub logarithmic: bool,
}

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// What it is called in the legend.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<Sample>,
    /// Whether the points are marked.
    pub marked: bool,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Where it is.
    pub x: f64,
    /// How high it is.
    pub y: f64,
    /// How far up and down it might be; zero for no bar.
    pub error: f64,
}

/// A chart with more points than this has ticks at round numbers rather than at the points.
const MOST_VALUE_TICKS: usize = 8;

/// Draws a chart into an area, with letters of this size. Several curves are named where they end.
pub fn draw(svg: &mut Svg, chart: &Chart, area: Area, size: f64, theme: &Theme) {
    let size = 0.9 * size;
    let samples = || chart.series.iter().flat_map(|series| &series.points);
    let names = Names::new(&chart.series, 0.35 * area.width, size);
    let x = Scale::new(
        &chart.x,
        samples().map(|sample| sample.x),
        area.left + 6.0 * size,
        area.left + area.width - size - names.width,
    );
    let heights = samples().flat_map(|s| [s.y - s.error, s.y, s.y + s.error]);
    let y = Scale::new(&chart.y, heights, area.top + area.height - 4.0 * size, area.top + size);
    let label = |anchor| Font { size, bold: false, color: theme.faint, anchor };
    let grid = format!(r#"fill="none" stroke="{}" stroke-width="0.8""#, theme.grid);
    let mut free = f64::NEG_INFINITY;
    for tick in x_ticks(chart, &x) {
        let (at, text) = (x.pixel(tick), short(tick));
        svg.line((at, y.from), (at, y.to), &grid);
        let half = 0.5 * width(&text, size);
        if at - half > free {
            svg.text(at, y.from + 1.4 * size, &text, label(Anchor::Middle));
            free = at + half + 0.3 * size;
        }
    }
    for tick in y.ticks() {
        let at = y.pixel(tick);
        svg.line((x.from, at), (x.to, at), &grid);
        svg.text(x.from - 0.5 * size, at + 0.35 * size, &short(tick), label(Anchor::End));
    }
    let axis = format!(r#"fill="none" stroke="{}" stroke-width="1.2""#, theme.rim);
    svg.line((x.from, y.from), (x.to, y.from), &axis);
    svg.line((x.from, y.from), (x.from, y.to), &axis);
    let ink = |anchor| Font { size: 1.05 * size, bold: false, color: theme.ink, anchor };
    svg.text(0.5 * (x.from + x.to), y.from + 3.0 * size, &chart.x.name, ink(Anchor::Middle));
    let (left, middle) = (area.left + size, 0.5 * (y.from + y.to));
    svg.raw(&format!(r#"<g transform="rotate(-90 {} {})">"#, number(left), number(middle)));
    svg.text(left, middle, &chart.y.name, ink(Anchor::Middle));
    svg.raw("</g>");
    for (rank, series) in chart.series.iter().enumerate() {
        draw_series(svg, series, &x, &y, theme.palette.color(rank), size, theme);
    }
    names.draw(svg, &chart.series, &x, &y, theme);
}

/// Ticks of the lower axis: at the values that were measured, if they are few.
fn x_ticks(chart: &Chart, x: &Scale) -> Vec<f64> {
    let mut values: Vec<f64> = chart.series.iter().flat_map(|series| &series.points).map(|s| s.x).collect();
    values.retain(|value| x.shows(*value));
    values.sort_by(f64::total_cmp);
    values.dedup();
    let is_measured = chart.series.iter().all(|series| series.marked);
    if is_measured && (1..=MOST_VALUE_TICKS).contains(&values.len()) { values } else { x.ticks() }
}

/// Names of curves, to the right of where they end.
struct Names {
    /// Room that they need.
    width: f64,
    size: f64,
    texts: Vec<String>,
}

impl Names {
    fn new(series: &[Series], room: f64, size: f64) -> Self {
        if series.len() < 2 {
            return Self { width: 0.0, size, texts: Vec::new() };
        }
        let letters = (room / (0.6 * size)) as usize;
        let texts: Vec<String> =
            series.iter().map(|series| shortened(&series.name, letters.max(4))).collect();
        let widest = texts.iter().map(|text| width(text, size)).fold(0.0, f64::max);
        Self { width: widest.min(room) + 2.2 * size, size, texts }
    }

    fn draw(&self, svg: &mut Svg, series: &[Series], x: &Scale, y: &Scale, theme: &Theme) {
        let end = |series: &Series| {
            let last = series.points.iter().rev().find(|s| x.shows(s.x) && y.shows(s.y));
            last.map_or(y.to, |sample| y.pixel(sample.y))
        };
        let ends: Vec<f64> = series.iter().map(end).collect();
        let heights = spaced(&ends, 1.3 * self.size, (y.to, y.from));
        for (rank, (text, at)) in self.texts.iter().zip(heights).enumerate() {
            let left = x.to + 0.8 * self.size;
            let fill = format!(r#"fill="{}""#, theme.palette.color(rank));
            let shape = super::palette::shape(rank);
            super::disc::mark(svg, shape, left, at, 0.4 * self.size, &fill);
            let font = Font { size: self.size, bold: false, color: theme.ink, anchor: Anchor::Start };
            svg.text(left + 0.8 * self.size, at + 0.35 * self.size, text, font);
        }
    }
}

/// Heights near to those that are asked for, at least `gap` apart and, where there is room, within the range.
fn spaced(wanted: &[f64], gap: f64, (top, bottom): (f64, f64)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|&a, &b| wanted[a].total_cmp(&wanted[b]));
    let mut heights = wanted.to_vec();
    let mut least = top;
    for &i in &order {
        heights[i] = heights[i].max(least);
        least = heights[i] + gap;
    }
    let mut most = bottom;
    for &i in order.iter().rev() {
        heights[i] = heights[i].min(most);
        most = heights[i] - gap;
    }
    heights
}

fn draw_series(svg: &mut Svg, series: &Series, x: &Scale, y: &Scale, color: &str, size: f64, theme: &Theme) {
    let stroke = |width: f64| {
        format!(r#"fill="none" stroke="{color}" stroke-width="{}" stroke-linejoin="round""#, number(width))
    };
    let known: Vec<&Sample> = series.points.iter().filter(|s| x.shows(s.x) && y.shows(s.y)).collect();
    let point = |s: &Sample| (x.pixel(s.x), y.pixel(s.y));
    let path: Vec<String> =
        known.iter().map(|s| point(s)).map(|(x, y)| format!("{} {}", number(x), number(y))).collect();
    if path.len() > 1 {
        svg.path(&format!("M{}", path.join("L")), &stroke(0.14 * size));
    }
    for sample in known {
        let (px, py) = point(sample);
        if sample.error > 0.0 {
            let low =
                if y.shows(sample.y - sample.error) { y.pixel(sample.y - sample.error) } else { y.from };
            let (high, cap) = (y.pixel(sample.y + sample.error), 0.35 * size);
            for (from, to) in [
                ((px, low), (px, high)),
                ((px - cap, low), (px + cap, low)),
                ((px - cap, high), (px + cap, high)),
            ] {
                svg.line(from, to, &stroke(0.1 * size));
            }
        }
        if series.marked {
            svg.circle(
                px,
                py,
                0.32 * size,
                &format!(r#"fill="{color}" stroke="{}" stroke-width="1""#, theme.ground),
            );
        }
    }
}

/// From values to pixels.
struct Scale {
    logarithmic: bool,
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    fn new(axis: &Axis, values: impl Iterator<Item = f64>, from: f64, to: f64) -> Self {
        let logarithmic = axis.logarithmic;
        let usable = values.filter(|v| v.is_finite() && (!logarithmic || *v > 0.0));
        let (low, high) =
            usable.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        let scale = Self { logarithmic, low, high, from, to };
        if low > high {
            return Self { low: if logarithmic { 0.1 } else { 0.0 }, high: 1.0, ..scale }; // nothing to show
        }
        let (a, b) = (scale.straight(low), scale.straight(high));
        let room = if b > a { 0.04 * (b - a) } else { 0.5 };
        Self { low: scale.bent(a - room), high: scale.bent(b + room), ..scale }
    }

    fn straight(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }

    fn bent(&self, value: f64) -> f64 {
        if self.logarithmic { 10f64.powf(value) } else { value }
    }

    fn shows(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    fn pixel(&self, value: f64) -> f64 {
        let (a, b) = (self.straight(self.low), self.straight(self.high));
        self.from + (self.straight(value) - a) / (b - a) * (self.to - self.from)
    }

    /// Round numbers in the range, about six; on a logarithmic axis powers of ten.
    fn ticks(&self) -> Vec<f64> {
        let (a, b) = (self.straight(self.low), self.straight(self.high));
        let raw = (b - a) / 6.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
        let step = if self.logarithmic { step.max(1.0).ceil() } else { step };
        let first = (a / step).ceil() as i64;
        let last = (b / step).floor() as i64;
        let ticks: Vec<f64> = (first..=last.min(first + 20)).map(|i| self.bent(i as f64 * step)).collect();
        // Less than a power of ten: its multiples instead
        if self.logarithmic && ticks.len() < 2 {
            let base = 10f64.powf(a.floor());
            let multiples = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|m| m * base);
            return multiples.into_iter().filter(|tick| (self.low..=self.high).contains(tick)).collect();
        }
        ticks
    }
}

/// A tick's number without digits that say nothing.
fn short(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let text = format!("{value:.0e}");
        let (digit, power) = text.split_once('e').unwrap_or((&text, "0"));
        let raised: String = power.chars().map(raised).collect();
        return if digit == "1" { format!("10{raised}") } else { format!("{digit}·10{raised}") };
    }
    let rounded = (1e6 * value).round() / 1e6;
    rounded.to_string()
}

fn raised(c: char) -> char {
    match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32(0x2070 + c as u32 - '0' as u32).unwrap_or(c),
        c => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(logarithmic: bool, values: &[f64]) -> Scale {
        Scale::new(&Axis { name: String::new(), logarithmic }, values.iter().copied(), 0.0, 100.0)
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        assert_eq!(scale(false, &[0.0, 1.0]).ticks(), [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]);
        let powers = scale(true, &[0.01, 100.0]).ticks();
        assert_eq!(powers.len(), 5);
        assert!(scale(true, &[2.0, 5.0]).ticks().len() >= 2);
    }

    #[test]
    fn no_value_and_one_value_are_no_trouble() {
        for values in [&[][..], &[3.0], &[f64::NAN], &[0.0, -1.0]] {
            for logarithmic in [false, true] {
                assert!(scale(logarithmic, values).ticks().iter().all(|tick| tick.is_finite()));
            }
        }
    }

    #[test]
    fn few_measured_values_are_the_ticks() {
        let sample = |x: f64| Sample { x, y: x, error: 0.0 };
        let series = |values: &[f64], marked: bool| Series {
            name: String::new(),
            points: values.iter().copied().map(sample).collect(),
            marked,
        };
        let axis = Axis { name: String::new(), logarithmic: false };
        let mut chart = Chart { x: axis.clone(), y: axis, series: vec![series(&[0.01, 0.02], true)] };
        let x = scale(false, &[0.01, 0.02]);
        assert_eq!(x_ticks(&chart, &x), [0.01, 0.02]);
        chart.series = vec![series(&[0.01, 0.02], false)];
        assert!(x_ticks(&chart, &x).len() > 4, "a curve has ticks at round numbers");
    }

    #[test]
    fn names_of_curves_do_not_overlap() {
        let heights = spaced(&[50.0, 51.0, 10.0, 99.0, 98.0], 10.0, (0.0, 100.0));
        let mut sorted = heights.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9), "{heights:?}");
        assert!(heights.iter().all(|height| (0.0..=100.0).contains(height)));
        assert_eq!(heights[2], 10.0);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([short(0.6000000000000001), short(20.0), short(1e6)], ["0.6", "20", "10⁶"]);
    }
}
