//! The scene: everything that a visualization may show, as plain data in two dimensions.

use serde::Serialize;

use super::coloring::Coloring;
use super::decision_regions;
use super::edges::EdgeSample;
use super::page::EncodedEdges;
use super::projection::Projection;
use super::view::{View, disc, projected};
use crate::classify::Classifier;
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::translate;
use crate::graph::{Graph, Labels, NodeNames};
use crate::interrupt;
use crate::metrics::{self, GroundTruth};
use crate::mixture::{GaussianMixture, Responsibilities};
use crate::points::Points;
use crate::train::{Run, Snapshot};
use crate::{Error, Result};

/// Maximum number of communities per node with their probabilities.
pub(crate) const TOP_COMMUNITIES: usize = 5;

/// Maximum number of edges in a page, drawn or not: one to two bytes each in the file, ten times that in the browser.
const MAX_STORED_EDGES: usize = 5_000_000;

/// Maximum number of points of all animation frames: more would make a page of a hundred megabytes.
const MAX_ANIMATED_POINTS: usize = 4_000_000;

/// A run in the Poincaré disc.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Title.
    pub title: String,
    /// Names of the nodes.
    pub names: NodeNames,
    /// Points of the nodes in the disc.
    pub points: Points,
    /// How the nodes get into the disc.
    pub view: View,
    /// Degree of each node in the graph; none without a graph.
    pub degrees: Option<Vec<u32>>,
    /// The edges to draw; none without a graph.
    pub edges: Option<EdgeSample>,
    /// Edges for the neighbour lists of the viewer: all of them, or the drawn ones if there are more than a page can
    /// hold.
    pub(crate) neighbors: Option<EncodedEdges>,
    /// Communities of each node by descending probability, at most five.
    pub(crate) memberships: Vec<Vec<Membership>>,
    /// Colourings of the nodes; communities come first.
    pub colorings: Vec<Coloring>,
    /// Gaussians of the communities.
    pub gaussians: Vec<Gaussian>,
    /// Two-dimensional classifier, for decision regions.
    pub classifier: Option<Classifier>,
    /// Scores of the communities.
    pub scores: Vec<Score>,
    /// Metadata of the run as pairs of name and value.
    pub metadata: Vec<(String, String)>,
    /// Notes for the reader, such as on sampled edges.
    pub notes: Vec<String>,
    /// Training animation; empty without a history.
    pub(crate) animation: Vec<AnimationFrame>,
}

/// Membership of a node in a community.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Membership {
    /// The community.
    pub community: u32,
    /// Probability, 0 to 1.
    pub probability: f64,
}

/// A Gaussian in the disc.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gaussian {
    /// Mean.
    pub mean: [f64; 2],
    /// Scale σ.
    pub scale: f64,
    /// Mixture weight.
    pub weight: f64,
}

/// A score with its description.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// Name.
    pub name: &'static str,
    /// Value.
    pub value: f64,
    /// Description.
    pub description: &'static str,
}

/// The embedding after an epoch of training.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnimationFrame {
    /// The epoch, counted from 1.
    pub epoch: usize,
    /// The nodes' points of the disc.
    pub points: Points,
    /// Gaussians of the communities, if already fitted.
    pub gaussians: Vec<Gaussian>,
}

impl Scene {
    /// The scene of a run with its labels and at most `max_edges` edges of its graph, both with the run's nodes in the
    /// run's order.
    ///
    /// # Errors
    /// As [`Scene::new`].
    ///
    /// # Panics
    /// If graph or labels have a different number of nodes.
    pub fn compose(
        run: &Run,
        title: &str,
        graph: Option<&Graph>,
        labels: Option<&Labels>,
        max_edges: usize,
    ) -> Result<Self> {
        let labels = labels.filter(|labels| labels.labelled_count() > 0);
        let mut scene = Self::new(run, title)?;
        if let Some(labels) = labels {
            scene = scene.with_labels(labels);
        }
        if let Some(graph) = graph {
            scene = scene.with_graph(graph, labels, max_edges, run.config.seed);
        }
        Ok(scene)
    }

    /// The scene of a run without graph: points, communities, Gaussians.
    ///
    /// # Errors
    /// If the run is Euclidean, or mixture and points do not match, as in a modified file.
    pub fn new(run: &Run, title: &str) -> Result<Self> {
        let Some(mixture) = run.mixture.hyperbolic() else {
            return Err(Error::Config {
                parameter: "geometry",
                expected: "poincare for the Poincaré disc".into(),
                found: run.config.geometry.name().into(),
            });
        };
        let responsibilities = run.responsibilities()?;
        let disc = disc(run, mixture, &responsibilities)?;
        interrupt::check()?;
        let communities = responsibilities.communities();
        let coloring = Coloring::from_communities(&communities, run.mixture.len());
        Ok(Self {
            title: title.to_owned(),
            names: run.names.clone(),
            points: disc.points,
            degrees: None,
            edges: None,
            neighbors: None,
            memberships: memberships(&responsibilities),
            notes: coloring.note().into_iter().chain(disc.view.notes()).collect(),
            colorings: vec![coloring],
            gaussians: gaussians(&disc.mixture),
            classifier: None,
            scores: Vec::new(),
            metadata: metadata(run),
            animation: Vec::new(),
            view: disc.view,
        })
    }

    /// Adds ground-truth labels, one entry per node.
    fn with_labels(mut self, labels: &Labels) -> Self {
        assert_eq!(labels.node_count(), self.points.len(), "labels have one entry per node");
        let coloring = Coloring::from_labels(labels, &self.colorings[0]);
        if coloring.multi_labels.is_some() {
            self.notes.push("nodes with several labels have the colour of the first".into());
        }
        self.notes.extend(coloring.note());
        self.colorings.push(coloring);
        self
    }

    /// Adds edges, degrees and scores; the graph has the nodes of the run in the same order. Call `with_labels` before.
    pub(super) fn with_graph(
        mut self,
        graph: &Graph,
        labels: Option<&Labels>,
        max_edges: usize,
        seed: u64,
    ) -> Self {
        assert_eq!(graph.node_count(), self.points.len(), "the graph has the nodes of the run");
        let edges = EdgeSample::sample(graph, max_edges, seed);
        self.notes.extend(edges.note());
        self.degrees =
            Some(graph.nodes().map(|node| u32::try_from(graph.degree(node)).unwrap_or(u32::MAX)).collect());
        let communities: Vec<u32> =
            self.colorings[0].node_classes.iter().map(|class| class.unwrap_or(0)).collect();
        let truth = labels.map(|labels| GroundTruth::from_lists(graph.nodes().map(|node| labels.of(node))));
        let truth = truth.as_ref().map(GroundTruth::view);
        self.scores = scores(&metrics::score(graph, &communities, self.gaussians.len(), truth));
        self.metadata.insert(1, ("edges".into(), edges.total.to_string()));
        self.neighbors = Some(if edges.total <= MAX_STORED_EDGES {
            EncodedEdges::from_graph(graph)
        } else {
            EncodedEdges::from_pairs(graph.node_count(), &edges.pairs)
        });
        self.edges = Some(edges);
        self
    }

    /// Adds the training animation of the run; of long runs with many nodes every second, third, … epoch, with a note.
    ///
    /// A layout has no earlier frames, so the scene becomes a projection.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    ///
    /// # Panics
    /// If a snapshot has a different number of nodes or dimensions than the run.
    pub fn with_history(mut self, run: &Run, snapshots: &[Snapshot]) -> Result<Self> {
        if snapshots.is_empty() {
            return Ok(self);
        }
        if let (View::Layout { .. }, Some(mixture)) = (&self.view, run.mixture.hyperbolic()) {
            let disc = projected(&run.nodes, mixture)?;
            let (old, new) = (self.view.notes(), disc.view.notes());
            self.notes.retain(|note| !old.contains(note));
            self.notes.extend(new);
            (self.points, self.gaussians, self.view) = (disc.points, gaussians(&disc.mixture), disc.view);
        }
        let View::Projection(projection) = &self.view else { return Ok(self) };
        let max_frames = (MAX_ANIMATED_POINTS / self.points.len().max(1)).max(2);
        let step = snapshots.len().div_ceil(max_frames).max(1);
        if step > 1 {
            self.notes.push(format!("the animation shows one of {step} epochs"));
        }
        let last = snapshots.len().saturating_sub(1);
        let chosen = snapshots.iter().enumerate().filter(|(i, _)| (last - i).is_multiple_of(step));
        for (_, snapshot) in chosen {
            assert_eq!((snapshot.nodes.len(), snapshot.nodes.dim()), (self.points.len(), projection.dim));
            self.animation.push(frame(snapshot, projection));
        }
        Ok(self)
    }

    /// Adds the predictions of a classifier and, in two dimensions, its decision regions.
    ///
    /// # Errors
    /// If the classifier was fitted to points of another dimension.
    pub fn with_classifier(mut self, classifier: &Classifier, nodes: &Points) -> Result<Self> {
        if classifier.classes.is_empty() {
            let (expected, found) = ("a classifier of one or more classes".to_owned(), "none".to_owned());
            return Err(Error::Config { parameter: "model", expected, found });
        }
        let scores = classifier.scores(nodes)?;
        let best: Vec<usize> = (0..scores.len()).map(|node| scores.ranking(node)[0]).collect();
        let like = self.colorings.last().expect("there are communities");
        let coloring = Coloring::from_predictions(&classifier.classes, &best, like);
        self.colorings.push(coloring);
        if classifier.dim == 2 {
            self.notes.extend(decision_regions::note(classifier));
            self.classifier = Some(classifier.clone());
        } else {
            let note = "decision regions need a two-dimensional classifier; predictions are shown as colours of nodes";
            self.notes.push(note.into());
        }
        Ok(self)
    }

    /// The colouring of a kind: `community`, `label` or `prediction`.
    #[must_use]
    pub fn coloring(&self, key: &str) -> Option<&Coloring> {
        self.colorings.iter().find(|coloring| coloring.key == key)
    }

    /// Probability of a node's community.
    #[must_use]
    pub(crate) fn probability(&self, node: usize) -> f64 {
        self.memberships[node].first().map_or(1.0, |member| member.probability)
    }
}

fn memberships(responsibilities: &Responsibilities) -> Vec<Vec<Membership>> {
    let top = TOP_COMMUNITIES.min(responsibilities.components());
    let of_row = |row: &[f64]| {
        let mut order: Vec<usize> = (0..row.len()).collect();
        let descending = |&a: &usize, &b: &usize| row[b].total_cmp(&row[a]).then(a.cmp(&b));
        if top < order.len() {
            order.select_nth_unstable_by(top - 1, descending);
            order.truncate(top);
        }
        order.sort_by(descending);
        order.into_iter().map(|k| Membership { community: k as u32, probability: row[k] }).collect()
    };
    responsibilities.rows().map(of_row).collect()
}

fn gaussians(mixture: &GaussianMixture) -> Vec<Gaussian> {
    let one = |(k, mean): (usize, &[f64])| Gaussian {
        mean: [mean[0], mean[1]],
        scale: mixture.scales[k],
        weight: mixture.weights[k],
    };
    mixture.means.rows().enumerate().map(one).collect()
}

/// Projects a snapshot to the disc. The embedding may drift during training, so it is centred as the final run is.
fn frame(snapshot: &Snapshot, projection: &Projection) -> AnimationFrame {
    let center = barycenter(&snapshot.nodes, &vec![1.0; snapshot.nodes.len()], None);
    let back: Vec<f64> = match center {
        Some(center) => center.point.iter().map(|c| -c).collect(),
        None => vec![0.0; snapshot.nodes.dim()],
    };
    let moved = |points: &Points| {
        let mut moved = points.clone();
        for (i, x) in points.rows().enumerate() {
            translate(&back, x, moved.row_mut(i));
        }
        moved
    };
    let mixture = snapshot.mixture.as_ref().map(|mixture| GaussianMixture {
        means: projection.apply(&moved(&mixture.means)),
        ..mixture.clone()
    });
    AnimationFrame {
        epoch: snapshot.epoch,
        points: projection.apply(&moved(&snapshot.nodes)),
        gaussians: mixture.map_or(Vec::new(), |mixture| gaussians(&mixture)),
    }
}

fn metadata(run: &Run) -> Vec<(String, String)> {
    let entry = |name: &str, value: String| (name.to_owned(), value);
    vec![
        entry("nodes", run.nodes.len().to_string()),
        entry("communities", run.mixture.len().to_string()),
        entry("dimensions", run.nodes.dim().to_string()),
        entry("seed", run.config.seed.to_string()),
        entry("epochs", run.history.len().to_string()),
    ]
}

fn scores(scores: &metrics::Scores) -> Vec<Score> {
    let all = [
        ("conductance", Some(scores.conductance), "share of edges that leave a community; 0 is best"),
        ("modularity", Some(scores.modularity), "edges within communities beyond chance; below 1"),
        ("NMI", scores.nmi, "normalized mutual information with the ground truth; 1 is best"),
        ("AMI", scores.ami, "adjusted mutual information with the ground truth; 1 is best"),
        ("ARI", scores.ari, "adjusted Rand index against the ground truth; 1 is best"),
        ("precision@1", scores.precision_at_1, "clustering accuracy after matching; 1 is best"),
    ];
    let known = all
        .into_iter()
        .filter_map(|(name, value, description)| Some(Score { name, value: value?, description }));
    known.filter(|score| score.value.is_finite()).collect()
}
