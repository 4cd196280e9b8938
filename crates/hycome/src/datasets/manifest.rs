//! Manifest of the public graphs that can be loaded by name: description, URLs and checksums.
//!
//! Four are compiled in. The others are files in a data folder, one subfolder per graph: [`Dataset::find`] locates
//! them and [`Dataset::load`] reads them with their labels. This module never accesses the network; a downloader takes
//! URLs and checksums from [`PublishedFile`].

use std::path::{Path, PathBuf};

use super::{Builtin, PUBLISHED, builtin};
use crate::Result;
use crate::graph::RepeatedEdges;
use crate::io::{LoadedGraph, ReadOptions, read_graph_with, read_labels};

/// A public graph.
#[derive(Clone, Copy, Debug)]
pub struct Dataset {
    /// Name on the command line.
    pub name: &'static str,
    /// One-line description.
    pub title: &'static str,
    /// Reference to cite.
    pub citation: &'static str,
    /// Licence of the published files.
    pub licence: &'static str,
    /// Number of nodes.
    pub nodes: usize,
    /// Number of edges of the undirected simple graph.
    pub edges: usize,
    /// Number of classes.
    pub communities: usize,
    /// Whether a node may have several classes.
    pub multi_label: bool,
    /// Published files.
    pub files: &'static [PublishedFile],
    /// Candidate paths of the graph relative to a data folder, in order of preference; empty if it is compiled in.
    graphs: &'static [&'static str],
    /// Path of the label file, if separate.
    labels: Option<&'static str>,
}

/// A downloadable file.
#[derive(Clone, Copy, Debug)]
pub struct PublishedFile {
    /// Path relative to a data folder, with `/` as separator.
    pub path: &'static str,
    /// URLs, preferred one first.
    pub urls: &'static [&'static str],
    /// Size in bytes, if known.
    pub bytes: Option<u64>,
    /// SHA-256 in hexadecimal, if known; without it a download cannot be verified.
    pub sha256: Option<&'static str>,
}

/// Paths of the files of a dataset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DatasetFiles {
    /// File or folder of the graph.
    pub graph: PathBuf,
    /// Label file, if separate.
    pub labels: Option<PathBuf>,
}

impl Dataset {
    /// Compiled-in copy, if any.
    #[must_use]
    pub fn builtin(&self) -> Option<&'static Builtin> {
        builtin(self.name)
    }

    /// Locates the files in a data folder; `None` if one is missing or the dataset is compiled in.
    #[must_use]
    pub fn find(&self, folder: &Path) -> Option<DatasetFiles> {
        let candidates = self.graphs.iter().map(|place| folder.join(place));
        let graph = candidates.into_iter().find(|path| path.is_file() || is_csv_folder(path))?;
        let labels = self.labels.map(|place| folder.join(place));
        labels.as_ref().is_none_or(|path| path.is_file()).then_some(DatasetFiles { graph, labels })
    }

    /// Loads the graph with its labels, compiled in or from a data folder; `None` if a file is missing.
    ///
    /// # Errors
    /// If a file cannot be parsed.
    pub fn load(&self, folder: Option<&Path>) -> Result<Option<LoadedGraph>> {
        self.load_with(folder, PUBLISHED)
    }

    /// [`Dataset::load`] with another merging of repeated edges; published results use simple graphs.
    ///
    /// # Errors
    /// If a file cannot be parsed.
    pub fn load_with(&self, folder: Option<&Path>, repeated: RepeatedEdges) -> Result<Option<LoadedGraph>> {
        if let Some(builtin) = self.builtin() {
            return Ok(Some(builtin.load_with(repeated)));
        }
        let Some(files) = folder.and_then(|folder| self.find(folder)) else { return Ok(None) };
        let options = ReadOptions { repeated, ..ReadOptions::default() };
        let mut loaded = read_graph_with(&files.graph, &options)?;
        if let Some(labels) = &files.labels {
            loaded.labels = Some(read_labels(labels, &loaded.names)?);
        }
        loaded.name = self.name.to_owned();
        (loaded.columns, loaded.notes) = (None, Vec::new()); // the formats of published files are known
        Ok(Some(loaded))
    }
}

fn is_csv_folder(path: &Path) -> bool {
    ["edges.csv", "edges.csv.gz", "edges.csv.zst"].iter().any(|name| path.join(name).is_file())
}

/// Looks up a public graph by name; `polbooks` is an alias of `books`.
///
/// ```
/// let dblp = hycome::datasets::dataset("dblp").expect("it is known");
/// assert_eq!((dblp.nodes, dblp.communities, dblp.multi_label), (13_184, 5, false));
/// assert!(hycome::datasets::dataset("karate").and_then(|karate| karate.builtin()).is_some());
/// ```
#[must_use]
pub fn dataset(name: &str) -> Option<&'static Dataset> {
    let name = if name == "polbooks" { "books" } else { name };
    MANIFEST.iter().find(|dataset| dataset.name == name)
}

/// The published graphs state no licence.
const CITE: &str = "none stated; the authors ask to be cited";

/// All public graphs, compiled-in ones first.
pub static MANIFEST: [Dataset; 8] = [
    Dataset {
        name: "karate",
        title: super::KARATE.title,
        citation: super::KARATE.citation,
        licence: CITE,
        nodes: 34,
        edges: 78,
        communities: 2,
        multi_label: false,
        files: &[PublishedFile {
            path: "karate/karate.gml",
            urls: &["https://raw.githubusercontent.com/igraph/igraph/0.10.2/examples/simple/karate.gml"],
            bytes: Some(4_194),
            sha256: Some("f05e321c94b00a5cceab44671a65c34632aac7b152479ba619354be149ba8beb"),
        }],
        graphs: &[],
        labels: None,
    },
    Dataset {
        name: "books",
        title: super::BOOKS.title,
        citation: super::BOOKS.citation,
        licence: CITE,
        nodes: 105,
        edges: 441,
        communities: 3,
        multi_label: false,
        files: &[PublishedFile {
            path: "books/polbooks.gml",
            urls: &[
                "https://raw.githubusercontent.com/qinyuenlp/CommunityDetection/18a50b1c6ccba8f9f345f8ebe14d645eadc02193/data/polbooks.gml",
            ],
            bytes: Some(26_314),
            sha256: Some("29e2439036fa4e13b478a9d4ceda78b5ab4d4d8252882a7f2b6036b028e34848"),
        }],
        graphs: &[],
        labels: None,
    },
    Dataset {
        name: "football",
        title: super::FOOTBALL.title,
        citation: super::FOOTBALL.citation,
        licence: CITE,
        nodes: 115,
        edges: 613,
        communities: 12,
        multi_label: false,
        files: &[PublishedFile {
            path: "football/football.gml",
            urls: &[
                "https://raw.githubusercontent.com/qinyuenlp/CommunityDetection/master/data/football.gml",
            ],
            bytes: Some(33_379),
            sha256: Some("48bc58e19bf674cc9064e60fe7128f0b95a908e684fed575178f1388ac34e949"),
        }],
        graphs: &[],
        labels: None,
    },
    Dataset {
        name: "polblogs",
        title: super::POLBLOGS.title,
        citation: super::POLBLOGS.citation,
        licence: CITE,
        nodes: 1_490,
        edges: 16_715,
        communities: 2,
        multi_label: false,
        files: &[PublishedFile {
            path: "polblogs/polblogs.gml",
            urls: &[
                "https://raw.githubusercontent.com/qinyuenlp/CommunityDetection/ef7a7991ff2a19df66ac8a5152cec7f1a4fe65ed/data/polblogs.gml",
            ],
            bytes: Some(977_839),
            sha256: Some("bd83e3dd2397a57d2252cc212524c21fee6708663136898d4ace523224bdc632"),
        }],
        graphs: &[],
        labels: None,
    },
    Dataset {
        name: "dblp",
        title: "Computer scientists who wrote papers together, by the field of research of each",
        citation: "S. Cavallari, V. W. Zheng, H. Cai, K. C.-C. Chang and E. Cambria, Learning community embedding \
                   with community detection and node embedding on graphs, Proc. CIKM, 377-386 (2017)",
        licence: CITE,
        nodes: 13_184,
        edges: 47_937,
        communities: 5,
        multi_label: false,
        files: &[
            PublishedFile {
                path: "dblp/Dblp.mat",
                urls: &[
                    "https://raw.githubusercontent.com/andompesta/ComE/3b3f590d9c5d4febcb242340bb58490c8034f4ea/data/Dblp/Dblp.mat",
                    "https://raw.githubusercontent.com/vwz/ComE/master/data/Dblp/Dblp.mat",
                ],
                bytes: Some(1_204_416),
                sha256: Some("3896deb4db0e1d94ad97a8d5cf1910bed67b20caa4c7e7ffb727ebc390aacc44"),
            },
            PublishedFile {
                path: "dblp/Dblp.labels",
                urls: &[
                    "https://raw.githubusercontent.com/andompesta/ComE/3b3f590d9c5d4febcb242340bb58490c8034f4ea/data/Dblp/Dblp.labels",
                    "https://raw.githubusercontent.com/vwz/ComE/master/data/Dblp/Dblp.labels",
                ],
                bytes: Some(94_366),
                sha256: Some("12ce50994180ffe1cbbc0eb032512c607d2b484ac8934224b08890103b15a438"),
            },
        ],
        graphs: &["dblp/Dblp.mat"],
        labels: Some("dblp/Dblp.labels"),
    },
    Dataset {
        name: "wikipedia",
        title: "Words that stand near each other in the first million bytes of Wikipedia, by part of speech",
        citation: "A. Grover and J. Leskovec, node2vec: scalable feature learning for networks, Proc. KDD, 855-864 \
                   (2016); text: M. Mahoney, Large text compression benchmark (2011)",
        licence: CITE,
        nodes: 4_777,
        edges: 92_295,
        communities: 40,
        multi_label: true,
        files: &[PublishedFile {
            path: "wikipedia/POS.mat",
            urls: &[
                "https://raw.githubusercontent.com/thunlp/OpenNE/78eda10eee0fb060f831de4f449a60c6095fa8a1/data/Wikipedia/POS.mat",
                "https://snap.stanford.edu/node2vec/POS.mat",
            ],
            bytes: Some(2_318_552),
            sha256: Some("b40977b48dec1d5016af0f6d5d2bce6f1c1037ccab948c2bbe324cea16754835"),
        }],
        graphs: &["wikipedia/POS.mat"],
        labels: None,
    },
    Dataset {
        name: "blogcatalog",
        title: "Friendships between bloggers, by the topics that they chose for their blogs",
        citation: "L. Tang and H. Liu, Relational learning via latent social dimensions, Proc. KDD, 817-826 (2009)",
        licence: CITE,
        nodes: 10_312,
        edges: 333_983,
        communities: 39,
        multi_label: true,
        files: &[PublishedFile {
            path: "blogcatalog/blogcatalog.mat",
            urls: &[
                "https://raw.githubusercontent.com/phanein/deepwalk/abe220b60dd08bb270aa08cb19f2050feb9b1664/example_graphs/blogcatalog.mat",
                "http://leitang.net/code/social-dimension/data/blogcatalog.mat",
            ],
            bytes: Some(1_255_783),
            sha256: Some("d4f4fb89ce1ccd4b7e2a183386c000773cc9362cc61f1be5b246a6d9c259da8f"),
        }],
        graphs: &["blogcatalog/blogcatalog.mat", "blogcatalog"],
        labels: None,
    },
    Dataset {
        name: "flickr",
        title: "Contacts between users of Flickr, by the groups that they joined",
        citation: "L. Tang and H. Liu, Relational learning via latent social dimensions, Proc. KDD, 817-826 (2009)",
        licence: CITE,
        nodes: 80_513,
        edges: 5_899_882,
        communities: 195,
        multi_label: true,
        files: &[PublishedFile {
            path: "flickr/flickr.mat",
            urls: &["http://leitang.net/code/social-dimension/data/flickr.mat"],
            bytes: None,
            sha256: None, // not verified: no copy was available
        }],
        graphs: &["flickr/flickr.mat", "flickr"],
        labels: None,
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifest_counts_match_the_compiled_in_graphs() {
        for dataset in MANIFEST.iter().filter(|dataset| dataset.builtin().is_some()) {
            let loaded = dataset.load(None).unwrap().expect("it is compiled in");
            let labels = loaded.labels.expect("its classes are known");
            assert_eq!(loaded.graph.node_count(), dataset.nodes, "{}", dataset.name);
            assert_eq!(loaded.graph.edge_count(), dataset.edges, "{}", dataset.name);
            assert_eq!(labels.used_class_count(), dataset.communities, "{}", dataset.name);
            assert_eq!(labels.is_multi_label(), dataset.multi_label, "{}", dataset.name);
        }
    }

    #[test]
    fn paths_urls_and_checksums_are_well_formed() {
        for file in MANIFEST.iter().flat_map(|dataset| dataset.files) {
            let parts: Vec<&str> = file.path.split('/').collect();
            assert!(parts.len() == 2 && parts.iter().all(|part| !part.is_empty() && !part.starts_with('.')));
            let is_sum = |sum: &str| sum.len() == 64 && sum.bytes().all(|b| b"0123456789abcdef".contains(&b));
            assert!(file.sha256.is_none_or(is_sum), "{}", file.path);
            assert!(!file.urls.is_empty() && file.urls.iter().all(|url| url.starts_with("http")));
        }
    }

    #[test]
    fn every_required_file_has_a_url() {
        for dataset in MANIFEST.iter().filter(|dataset| dataset.builtin().is_none()) {
            let has = |place: &str| dataset.files.iter().any(|file| file.path == place);
            assert!(has(dataset.graphs[0]) && dataset.labels.is_none_or(has), "{}", dataset.name);
        }
    }

    #[test]
    fn a_dataset_is_found_only_if_complete() {
        let folder = tempfile::tempdir().unwrap();
        let dblp = dataset("dblp").expect("it is known");
        assert!(dblp.load(Some(folder.path())).unwrap().is_none());
        std::fs::create_dir(folder.path().join("dblp")).unwrap();
        std::fs::write(folder.path().join("dblp/Dblp.mat"), "").unwrap();
        assert_eq!(dblp.find(folder.path()), None);
        std::fs::write(folder.path().join("dblp/Dblp.labels"), "").unwrap();
        assert!(dblp.find(folder.path()).is_some());
    }

    #[test]
    fn a_folder_of_csv_files_is_accepted() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("flickr");
        std::fs::create_dir(&place).unwrap();
        std::fs::write(place.join("edges.csv"), "1,2\n2,3\n").unwrap();
        std::fs::write(place.join("group-edges.csv"), "1,1\n2,1\n").unwrap();
        let flickr = dataset("flickr").expect("it is known");
        let loaded = flickr.load(Some(folder.path())).unwrap().expect("its files are there");
        assert_eq!((loaded.name.as_str(), loaded.graph.edge_count()), ("flickr", 2));
        assert!(loaded.labels.is_some());
    }
}
