//! Line charts with markers, error bars and direct labels, and bar charts.

use super::Area;
use super::svg::{Anchor, Font, Svg, number, text_width, truncated};
use super::theme::Theme;

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// The x axis.
    pub x: Axis,
    /// The y axis.
    pub y: Axis,
    /// The data series.
    pub series: Vec<Series>,
}

/// An axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Axis title.
    pub name: String,
    /// Whether the scale is logarithmic.
    pub logarithmic: bool,
}

/// A data series.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Direct label at the end of the line.
    pub name: String,
    /// Data points by ascending x.
    pub points: Vec<DataPoint>,
    /// How data points are drawn.
    pub mark: Mark,
}

/// How the data points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A line.
    Line,
    /// A line with a marker at each data point.
    Markers,
    /// Bars from zero, for data points one unit of x apart.
    Bars,
}

/// A data point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// Position on the x axis.
    pub x: f64,
    /// Position on the y axis.
    pub y: f64,
    /// Half length of the error bar; zero for none.
    pub error: f64,
}

/// Half the width of a bar in units of x.
const HALF_BAR: f64 = 0.4;

/// Maximum number of distinct x values with ticks at the values; beyond it ticks are at round numbers.
const MAX_VALUE_TICKS: usize = 8;

/// Draws a chart into an area. Several series have direct labels at their ends.
pub(crate) fn draw(svg: &mut Svg, chart: &Chart, area: Area, size: f64, theme: &Theme) {
    let size = 0.9 * size;
    let samples = || chart.series.iter().flat_map(|series| &series.points);
    let names = DirectLabels::new(&chart.series, 0.35 * area.width, size);
    let half_bar = if has_bars(chart) { 0.5 } else { 0.0 };
    let x = Scale::new(
        &chart.x,
        samples().flat_map(|sample| [sample.x - half_bar, sample.x + half_bar]),
        area.left + 6.0 * size,
        area.left + area.width - size - names.width,
    );
    let heights = samples().flat_map(|s| [s.y - s.error, s.y, s.y + s.error]);
    let mut y = Scale::new(&chart.y, heights, area.top + area.height - 4.0 * size, area.top + size);
    if has_bars(chart) {
        y.low = 0.0;
    }
    let label = |anchor| Font { size, bold: false, color: theme.muted, anchor };
    let grid = format!(r#"fill="none" stroke="{}" stroke-width="0.8""#, theme.grid);
    let mut free = f64::NEG_INFINITY;
    for tick in x_ticks(chart, &x) {
        let (at, text) = (x.pixel(tick), tick_label(tick));
        svg.line((at, y.from), (at, y.to), &grid);
        let half = 0.5 * text_width(&text, size);
        if at - half > free {
            svg.text(at, y.from + 1.4 * size, &text, label(Anchor::Middle));
            free = at + half + 0.3 * size;
        }
    }
    for tick in y.ticks() {
        let at = y.pixel(tick);
        svg.line((x.from, at), (x.to, at), &grid);
        svg.text(x.from - 0.5 * size, at + 0.35 * size, &tick_label(tick), label(Anchor::End));
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

fn has_bars(chart: &Chart) -> bool {
    chart.series.iter().any(|series| series.mark == Mark::Bars)
}

/// Ticks of the x axis: at the data points, if there are few distinct values.
fn x_ticks(chart: &Chart, x: &Scale) -> Vec<f64> {
    let mut values: Vec<f64> = chart.series.iter().flat_map(|series| &series.points).map(|s| s.x).collect();
    values.retain(|value| x.contains(*value));
    values.sort_by(f64::total_cmp);
    values.dedup();
    let is_measured = chart.series.iter().all(|series| series.mark != Mark::Line);
    if is_measured && (1..=MAX_VALUE_TICKS).contains(&values.len()) {
        return values;
    }
    let mut ticks = x.ticks();
    if let (true, Some(&first)) = (has_bars(chart), values.first()) {
        ticks.retain(|&tick| tick >= first);
    }
    ticks
}

/// Direct labels of series, to the right of their last points.
struct DirectLabels {
    /// Required width.
    width: f64,
    size: f64,
    texts: Vec<String>,
}

impl DirectLabels {
    fn new(series: &[Series], room: f64, size: f64) -> Self {
        if series.len() < 2 {
            return Self { width: 0.0, size, texts: Vec::new() };
        }
        let letters = (room / (0.6 * size)) as usize;
        let texts: Vec<String> =
            series.iter().map(|series| truncated(&series.name, letters.max(4))).collect();
        let widest = texts.iter().map(|text| text_width(text, size)).fold(0.0, f64::max);
        Self { width: widest.min(room) + 2.2 * size, size, texts }
    }

    fn draw(&self, svg: &mut Svg, series: &[Series], x: &Scale, y: &Scale, theme: &Theme) {
        let end = |series: &Series| {
            let last = series.points.iter().rev().find(|s| x.contains(s.x) && y.contains(s.y));
            last.map_or(y.to, |sample| y.pixel(sample.y))
        };
        let ends: Vec<f64> = series.iter().map(end).collect();
        let heights = spaced(&ends, 1.3 * self.size, (y.to, y.from));
        for (rank, (text, at)) in self.texts.iter().zip(heights).enumerate() {
            let left = x.to + 0.8 * self.size;
            let fill = format!(r#"fill="{}""#, theme.palette.color(rank));
            let shape = crate::plot::palette::shape(rank);
            super::disc::marker(svg, shape, left, at, 0.4 * self.size, &fill);
            let font = Font { size: self.size, bold: false, color: theme.ink, anchor: Anchor::Start };
            svg.text(left + 0.8 * self.size, at + 0.35 * self.size, text, font);
        }
    }
}

/// Vertical positions close to the wanted ones, at least `gap` apart and, if possible, within the range.
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
    let known: Vec<&DataPoint> =
        series.points.iter().filter(|s| x.contains(s.x) && y.contains(s.y)).collect();
    let point = |s: &DataPoint| (x.pixel(s.x), y.pixel(s.y));
    let path: Vec<String> =
        known.iter().map(|s| point(s)).map(|(x, y)| format!("{} {}", number(x), number(y))).collect();
    if series.mark == Mark::Bars {
        for sample in known {
            let (left, right) = (x.pixel(sample.x - HALF_BAR), x.pixel(sample.x + HALF_BAR));
            let (top, height) = (y.pixel(sample.y), y.from - y.pixel(sample.y));
            svg.raw(&format!(
                r#"<rect class="bar" x="{}" y="{}" width="{}" height="{}" fill="{color}"/>"#,
                number(left),
                number(top),
                number(right - left),
                number(height)
            ));
        }
        return;
    }
    if path.len() > 1 {
        svg.path(&format!("M{}", path.join("L")), &stroke(0.14 * size));
    }
    for sample in known {
        let (px, py) = point(sample);
        if sample.error > 0.0 {
            let low =
                if y.contains(sample.y - sample.error) { y.pixel(sample.y - sample.error) } else { y.from };
            let (high, cap) = (y.pixel(sample.y + sample.error), 0.35 * size);
            for (from, to) in [
                ((px, low), (px, high)),
                ((px - cap, low), (px + cap, low)),
                ((px - cap, high), (px + cap, high)),
            ] {
                svg.line(from, to, &stroke(0.1 * size));
            }
        }
        if series.mark == Mark::Markers {
            svg.circle(
                px,
                py,
                0.32 * size,
                &format!(r#"fill="{color}" stroke="{}" stroke-width="1""#, theme.background),
            );
        }
    }
}

/// Maps values to pixels.
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
            return Self { low: if logarithmic { 0.1 } else { 0.0 }, high: 1.0, ..scale }; // no data
        }
        let (a, b) = (scale.transform(low), scale.transform(high));
        let room = if b > a { 0.04 * (b - a) } else { 0.5 };
        Self { low: scale.inverse(a - room), high: scale.inverse(b + room), ..scale }
    }

    fn transform(&self, value: f64) -> f64 {
        if self.logarithmic { value.log10() } else { value }
    }

    fn inverse(&self, value: f64) -> f64 {
        if self.logarithmic { 10f64.powf(value) } else { value }
    }

    fn contains(&self, value: f64) -> bool {
        value.is_finite() && (!self.logarithmic || value > 0.0)
    }

    fn pixel(&self, value: f64) -> f64 {
        let (a, b) = (self.transform(self.low), self.transform(self.high));
        self.from + (self.transform(value) - a) / (b - a) * (self.to - self.from)
    }

    /// About six round numbers in the range; powers of ten on a logarithmic axis.
    fn ticks(&self) -> Vec<f64> {
        let (a, b) = (self.transform(self.low), self.transform(self.high));
        let raw = (b - a) / 6.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
        let step = if self.logarithmic { step.max(1.0).ceil() } else { step };
        let first = (a / step).ceil() as i64;
        let last = (b / step).floor() as i64;
        let ticks: Vec<f64> = (first..=last.min(first + 20)).map(|i| self.inverse(i as f64 * step)).collect();
        // Less than one power of ten: multiples instead.
        if self.logarithmic && ticks.len() < 2 {
            let base = 10f64.powf(a.floor());
            let multiples = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0].map(|m| m * base);
            return multiples.into_iter().filter(|tick| (self.low..=self.high).contains(tick)).collect();
        }
        ticks
    }
}

/// Formats the number of a tick.
fn tick_label(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-3..1e5).contains(&size) {
        let text = format!("{value:.0e}");
        let (digit, power) = text.split_once('e').unwrap_or((&text, "0"));
        let exponent: String = power.chars().map(superscript).collect();
        return if digit == "1" { format!("10{exponent}") } else { format!("{digit}·10{exponent}") };
    }
    let rounded = (1e6 * value).round() / 1e6;
    rounded.to_string()
}

fn superscript(c: char) -> char {
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
    fn no_values_and_one_value_give_finite_ticks() {
        for values in [&[][..], &[3.0], &[f64::NAN], &[0.0, -1.0]] {
            for logarithmic in [false, true] {
                assert!(scale(logarithmic, values).ticks().iter().all(|tick| tick.is_finite()));
            }
        }
    }

    #[test]
    fn few_data_points_are_the_ticks() {
        let sample = |x: f64| DataPoint { x, y: x, error: 0.0 };
        let series = |values: &[f64], mark: Mark| Series {
            name: String::new(),
            points: values.iter().copied().map(sample).collect(),
            mark,
        };
        let axis = Axis { name: String::new(), logarithmic: false };
        let mut chart =
            Chart { x: axis.clone(), y: axis, series: vec![series(&[0.01, 0.02], Mark::Markers)] };
        let x = scale(false, &[0.01, 0.02]);
        assert_eq!(x_ticks(&chart, &x), [0.01, 0.02]);
        chart.series = vec![series(&[0.01, 0.02], Mark::Line)];
        assert!(x_ticks(&chart, &x).len() > 4, "a curve has ticks at round numbers");
        let many: Vec<f64> = (1..=30).map(f64::from).collect();
        chart.series = vec![series(&many, Mark::Bars)];
        let x = scale(false, &[-0.5, 30.5]);
        assert_eq!(x_ticks(&chart, &x), [10.0, 20.0, 30.0], "none where there is no bar");
    }

    #[test]
    fn direct_labels_do_not_overlap() {
        let heights = spaced(&[50.0, 51.0, 10.0, 99.0, 98.0], 10.0, (0.0, 100.0));
        let mut sorted = heights.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 10.0 - 1e-9), "{heights:?}");
        assert!(heights.iter().all(|height| (0.0..=100.0).contains(height)));
        assert_eq!(heights[2], 10.0);
    }

    #[test]
    fn tick_labels_are_short() {
        assert_eq!([tick_label(0.6000000000000001), tick_label(20.0), tick_label(1e6)], ["0.6", "20", "10⁶"]);
    }
}
