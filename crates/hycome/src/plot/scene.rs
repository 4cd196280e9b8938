//! Everything that a picture may show, as plain data in two dimensions.

use serde::Serialize;

use super::coloring::Coloring;
use super::edges::ShownEdges;
use super::packed::PackedEdges;
use super::projection::{Projection, project};
use super::regions;
use crate::classify::Classifier;
use crate::geometry::barycenter::barycenter;
use crate::geometry::poincare::translate;
use crate::graph::{Graph, Labels, NodeNames};
use crate::interrupt;
use crate::metrics::{self, TruthBuf};
use crate::mixture::{GaussianMixture, Responsibilities};
use crate::points::Points;
use crate::train::{Run, Snapshot};
use crate::{Error, Result};

/// Communities of a node that a picture knows the probability of: the most probable ones.
pub const TOP: usize = 5;

/// Edges that a page holds whether they are drawn or not, one to two bytes each: a browser needs ten times that to look up neighbours.
const MOST_HELD: usize = 5_000_000;

/// Points of all frames of a film: more make a page of a hundred megabytes.
const MOST_FILMED: usize = 4_000_000;

/// A run in the disc.
#[derive(Clone, Debug)]
pub struct Scene {
    /// What the picture is called.
    pub title: String,
    /// What the nodes are called.
    pub names: NodeNames,
    /// The nodes' points of the disc.
    pub points: Points,
    /// How they came to the disc.
    pub projection: Projection,
    /// Neighbours of each node in the graph, also of those whose edges are not shown; none without a graph.
    pub degrees: Option<Vec<u32>>,
    /// The edges; none without a graph.
    pub edges: Option<ShownEdges>,
    /// The edges by which a page knows the neighbours of a node: all of them, drawn or not, or those that are drawn where
    /// there are more than a page can hold.
    pub neighbors: Option<PackedEdges>,
    /// The most probable communities of each node, the most probable first: [`TOP`] or all of them.
    pub members: Vec<Vec<Member>>,
    /// The ways to colour nodes; communities come first.
    pub colorings: Vec<Coloring>,
    /// The communities' Gaussians.
    pub gaussians: Vec<Gaussian>,
    /// What gives every place of the disc a class, as [`Coloring`] `prediction` gives the nodes.
    pub classifier: Option<Classifier>,
    /// Scores of the communities.
    pub scores: Vec<Score>,
    /// Settings and sizes worth knowing, as pairs of name and value.
    pub facts: Vec<(String, String)>,
    /// What a reader should know about the picture.
    pub notes: Vec<String>,
    /// The training, epoch by epoch; empty if it was not kept.
    pub film: Vec<Frame>,
}

/// A community of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The community.
    pub community: u32,
    /// How probable it is, 0 to 1.
    pub probability: f64,
}

/// A Gaussian of the disc.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gaussian {
    /// Its centre.
    pub mean: [f64; 2],
    /// Its scale: the contour of s scales is the circle of hyperbolic radius s·scale around the mean.
    pub scale: f64,
    /// Its share.
    pub weight: f64,
}

/// A score with its meaning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Score {
    /// What it is called.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What it means.
    pub words: &'static str,
}

/// The points at the end of an epoch.
#[derive(Clone, Debug, PartialEq)]
pub struct Frame {
    /// The epoch, counted from 1.
    pub epoch: usize,
    /// The nodes' points of the disc.
    pub points: Points,
    /// The communities' Gaussians, once there are some.
    pub gaussians: Vec<Gaussian>,
}

impl Scene {
    /// The scene of a run alone: points, communities, Gaussians.
    ///
    /// # Errors
    /// If the run is flat, or mixture and points do not fit together, as in a file changed by hand.
    pub fn new(run: &Run, title: &str) -> Result<Self> {
        let Some(mixture) = run.mixture.hyperbolic() else {
            return Err(Error::Config {
                parameter: "geometry",
                expected: "poincare for a picture of the Poincaré disc".into(),
                found: run.config.geometry.name().into(),
            });
        };
        let responsibilities = run.responsibilities()?;
        let projection = project(&run.nodes);
        interrupt::check()?;
        let communities = responsibilities.communities();
        let coloring = Coloring::of_communities(&communities, run.mixture.len());
        let mut scene = Self {
            title: title.to_owned(),
            names: run.names.clone(),
            points: projection.apply(&run.nodes),
            degrees: None,
            edges: None,
            neighbors: None,
            members: members(&responsibilities),
            notes: coloring.rule().into_iter().chain(projection.words()).collect(),
            colorings: vec![coloring],
            gaussians: gaussians(mixture, &projection),
            classifier: None,
            scores: Vec::new(),
            facts: facts(run),
            film: Vec::new(),
            projection,
        };
        if scene.projection.dim > 2 {
            scene.notes.push(
                "circles around communities hold 50 % and 90 % of the mass of the projected Gaussians".into(),
            );
        }
        Ok(scene)
    }

    /// With known classes; there is one entry for each node.
    #[must_use]
    pub fn with_labels(mut self, labels: &Labels) -> Self {
        assert_eq!(labels.node_count(), self.points.len(), "there is one entry of labels for each node");
        let coloring = Coloring::of_labels(labels, &self.colorings[0]);
        if coloring.lists.is_some() {
            self.notes.push("a node with several labels has the colour of the first".into());
        }
        self.notes.extend(coloring.rule());
        self.colorings.push(coloring);
        self
    }

    /// With edges, degrees and scores; the graph's nodes are the run's, in the same order. Labels come before.
    #[must_use]
    pub fn with_graph(
        mut self,
        graph: &Graph,
        labels: Option<&Labels>,
        most_edges: usize,
        seed: u64,
    ) -> Self {
        assert_eq!(graph.node_count(), self.points.len(), "the graph has the nodes of the run");
        let edges = ShownEdges::sample(graph, most_edges, seed);
        self.notes.extend(edges.rule());
        self.degrees =
            Some(graph.nodes().map(|node| u32::try_from(graph.degree(node)).unwrap_or(u32::MAX)).collect());
        let communities: Vec<u32> =
            self.colorings[0].of_nodes.iter().map(|class| class.unwrap_or(0)).collect();
        let truth = labels.map(|labels| TruthBuf::from_lists(graph.nodes().map(|node| labels.of(node))));
        let truth = truth.as_ref().map(TruthBuf::view);
        self.scores = scores(&metrics::score(graph, &communities, self.gaussians.len(), truth));
        self.facts.insert(1, ("edges".into(), edges.total.to_string()));
        self.neighbors = Some(if edges.total <= MOST_HELD {
            PackedEdges::all(graph)
        } else {
            PackedEdges::some(graph.node_count(), &edges.pairs)
        });
        self.edges = Some(edges);
        self
    }

    /// With the training as a film; of a long one of many nodes every second, third, … epoch, which the scene notes.
    ///
    /// # Panics
    /// If a snapshot has other nodes or dimensions than the run.
    #[must_use]
    pub fn with_history(mut self, snapshots: &[Snapshot]) -> Self {
        let most = (MOST_FILMED / self.points.len().max(1)).max(2);
        let step = snapshots.len().div_ceil(most).max(1);
        if step > 1 {
            self.notes.push(format!("the film shows one of {step} epochs"));
        }
        let last = snapshots.len().saturating_sub(1);
        let chosen = snapshots.iter().enumerate().filter(|(i, _)| (last - i).is_multiple_of(step));
        for (_, snapshot) in chosen {
            assert_eq!(
                (snapshot.nodes.len(), snapshot.nodes.dim()),
                (self.points.len(), self.projection.dim)
            );
            self.film.push(frame(snapshot, &self.projection));
        }
        self
    }

    /// With what a classifier says of the nodes and of every place.
    ///
    /// # Errors
    /// If the classifier has learnt from points of another dimension.
    pub fn with_classifier(mut self, classifier: &Classifier, nodes: &Points) -> Result<Self> {
        if classifier.classes.is_empty() {
            let (expected, found) = ("a classifier of one or more classes".to_owned(), "none".to_owned());
            return Err(Error::Config { parameter: "model", expected, found });
        }
        let scores = classifier.scores(nodes)?;
        let best: Vec<usize> = (0..scores.len()).map(|node| scores.ranking(node)[0]).collect();
        let like = self.colorings.last().expect("there are communities");
        let coloring = Coloring::of_predictions(&classifier.classes, &best, like);
        self.colorings.push(coloring);
        if classifier.dim == 2 {
            self.notes.extend(regions::words(classifier));
            self.classifier = Some(classifier.clone());
        } else {
            let words =
                "a classifier of more than two dimensions has no regions in the disc; nodes have its colours";
            self.notes.push(words.into());
        }
        Ok(self)
    }

    /// The colouring of this kind: `community`, `label` or `prediction`.
    #[must_use]
    pub fn coloring(&self, key: &str) -> Option<&Coloring> {
        self.colorings.iter().find(|coloring| coloring.key == key)
    }

    /// How probable the community of a node is.
    #[must_use]
    pub fn probability(&self, node: usize) -> f64 {
        self.members[node].first().map_or(1.0, |member| member.probability)
    }
}

fn members(responsibilities: &Responsibilities) -> Vec<Vec<Member>> {
    let top = TOP.min(responsibilities.components());
    let of_row = |row: &[f64]| {
        let mut order: Vec<usize> = (0..row.len()).collect();
        let descending = |&a: &usize, &b: &usize| row[b].total_cmp(&row[a]).then(a.cmp(&b));
        if top < order.len() {
            order.select_nth_unstable_by(top - 1, descending);
            order.truncate(top);
        }
        order.sort_by(descending);
        order.into_iter().map(|k| Member { community: k as u32, probability: row[k] }).collect()
    };
    responsibilities.rows().map(of_row).collect()
}

fn gaussians(mixture: &GaussianMixture, projection: &Projection) -> Vec<Gaussian> {
    let means = projection.apply(&mixture.means);
    let one = |(k, mean): (usize, &[f64])| Gaussian {
        mean: [mean[0], mean[1]],
        scale: mixture.scales[k],
        weight: mixture.weights[k],
    };
    means.rows().enumerate().map(one).collect()
}

/// The snapshot in the disc. The plane may drift during a training; here it is centred as a run is.
fn frame(snapshot: &Snapshot, projection: &Projection) -> Frame {
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
    let mixture = snapshot
        .mixture
        .as_ref()
        .map(|mixture| GaussianMixture { means: moved(&mixture.means), ..mixture.clone() });
    Frame {
        epoch: snapshot.epoch,
        points: projection.apply(&moved(&snapshot.nodes)),
        gaussians: mixture.map_or(Vec::new(), |mixture| gaussians(&mixture, projection)),
    }
}

fn facts(run: &Run) -> Vec<(String, String)> {
    let fact = |name: &str, value: String| (name.to_owned(), value);
    vec![
        fact("nodes", run.nodes.len().to_string()),
        fact("communities", run.mixture.len().to_string()),
        fact("dimensions", run.nodes.dim().to_string()),
        fact("seed", run.config.seed.to_string()),
        fact("epochs", run.history.len().to_string()),
    ]
}

fn scores(scores: &metrics::Scores) -> Vec<Score> {
    let all = [
        ("conductance", Some(scores.conductance), "edges that leave a community; 0 is best"),
        ("modularity", Some(scores.modularity), "edges inside beyond chance; below 1"),
        ("NMI", scores.nmi, "information shared with the labels; 1 is best"),
        ("ARI", scores.ari, "pairs of nodes judged alike beyond chance; 1 is best"),
        ("precision@1", scores.precision_at_1, "nodes whose community stands for their class"),
    ];
    let known = all.into_iter().filter_map(|(name, value, words)| Some(Score { name, value: value?, words }));
    known.filter(|score| score.value.is_finite()).collect()
}
