"""Classifiers of points."""

from __future__ import annotations

from typing import Any, ClassVar, get_args

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _hycome
from .._arrays import refuse_masked
from .._docs import filled
from .._settings import choice, real, whole
from .._warnings import warn
from ..metrics import MultiClass
from ._points import Coordinates, PointEstimator

Array = npt.NDArray[np.float64]


class PointClassifier(ClassifierMixin, PointEstimator):
    """Base class of classifiers."""

    _method: ClassVar[str]

    def _settings(self) -> tuple[str, float, int, str, int]:
        """Method, regularization, neighbours, treatment of several classes and restarts."""
        return (self._method, 0.0, 1, "multinomial", 1)

    def fit(self, X: Any, y: Any) -> Any:
        """Fits the classifier.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.
        y : array_like, shape (n,)
            Class of each point.

        Returns
        -------
        self : object
            The fitted classifier.
        """
        refuse_masked(X, "X")
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        points = self._inside(X)
        self.classes_, ids = np.unique(y, return_inverse=True)
        starts = np.arange(len(ids) + 1, dtype=np.uint64)
        labels = _hycome.Labels([str(class_) for class_ in self.classes_], starts, ids.astype(np.uint32))
        self.model_, converged = _hycome.Classifier.fit(points, labels, self._settings())
        if not converged:
            warn(f"{type(self).__name__} did not converge", ConvergenceWarning)
        return self

    def decision_function(self, X: Any) -> Array:
        """Score of each class at each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n, classes) or (n,)
            Scores; for two classes, the score of the second minus that of the first.
        """
        check_is_fitted(self)
        scores = self.model_.scores(self._points(X, reset=False))
        return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

    def predict_proba(self, X: Any) -> Array:
        """Probability of each class at each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n, classes)
            Probabilities, in the order of ``classes_``.
        """
        check_is_fitted(self)
        return self.model_.probabilities(self._points(X, reset=False))

    def predict_log_proba(self, X: Any) -> Array:
        """Log-probability of each class at each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n, classes)
            Log-probabilities, in the order of ``classes_``.
        """
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Most probable class of each point.

        Parameters
        ----------
        X : array_like, shape (n, dim)
            Points, in the coordinates given by ``coordinates``.

        Returns
        -------
        ndarray, shape (n,)
            The classes.
        """
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


_REGULARIZATION = """
regularization : float, default: 0.1
    L2 regularization strength, zero or more, in units of the loss of one point.
"""

_RESTARTS = """
restarts : int, default: 1
    Number of random restarts of the optimizer; the fit with the lowest loss is kept.
"""

_COORDINATES = """
coordinates : {'ball', 'tangent'}, default: 'ball'
    Whether rows are points of the ball or tangent vectors at the origin.
"""

_ATTRIBUTES = """
classes_ : ndarray
    The classes.
model_ : object
    The fitted model; :meth:`hycome.Run.plot` draws its decision regions if it is two-dimensional.
"""

_EXAMPLE = """
>>> import hycome
>>> run = hycome.embed("karate", communities=2)
>>> hycome.{name}().fit(run.embedding, run.graph.labels).score(run.embedding, run.graph.labels) > 0.8
True
"""


def _documented(name: str) -> Any:
    parts = {"coordinates": _COORDINATES, "attributes": _ATTRIBUTES, "example": _EXAMPLE.replace("{name}", name)}
    return filled(regularization=_REGULARIZATION, restarts=_RESTARTS, **parts)


@_documented("HyperbolicLogisticRegression")
class HyperbolicLogisticRegression(PointClassifier):
    """Logistic regression whose decision boundaries are hyperplanes of hyperbolic space (Ganea et al. 2018).

    Parameters
    ----------
    {regularization}
    multi_class : {'multinomial', 'one-vs-rest'}, default: 'multinomial'
        Whether the classes are fitted jointly, or each against the rest.
    {restarts}
    {coordinates}

    Attributes
    ----------
    {attributes}

    Examples
    --------
    {example}
    """

    _method = "logistic"

    def __init__(
        self,
        *,
        regularization: float = 0.1,
        multi_class: MultiClass = "multinomial",
        restarts: int = 1,
        coordinates: Coordinates = "ball",
    ) -> None:
        self.regularization = regularization
        self.multi_class = multi_class
        self.restarts = restarts
        self.coordinates = coordinates

    def _settings(self) -> tuple[str, float, int, str, int]:
        multi_class = choice("multi_class", self.multi_class, get_args(MultiClass))
        restarts = whole("restarts", self.restarts)
        return (self._method, real("regularization", self.regularization), 1, multi_class, restarts)


@_documented("HyperbolicSVC")
class HyperbolicSVC(PointClassifier):
    """Support vector machine whose decision boundaries are hyperplanes of hyperbolic space (Cho et al. 2019).

    Parameters
    ----------
    {regularization}
    {restarts}
    {coordinates}

    Attributes
    ----------
    {attributes}

    Examples
    --------
    {example}
    """

    _method = "svm"

    def __init__(self, *, regularization: float = 0.1, restarts: int = 1, coordinates: Coordinates = "ball") -> None:
        self.regularization = regularization
        self.restarts = restarts
        self.coordinates = coordinates

    def _settings(self) -> tuple[str, float, int, str, int]:
        restarts = whole("restarts", self.restarts)
        return (self._method, real("regularization", self.regularization), 1, "multinomial", restarts)


@_documented("NearestBarycenter")
class NearestBarycenter(PointClassifier):
    """Nearest-centroid classifier: the class whose Fréchet mean (barycenter) is nearest.

    Parameters
    ----------
    {coordinates}

    Attributes
    ----------
    barycenters_ : ndarray, shape (classes, dim)
        Barycenter of each class, a point of the ball.
    {attributes}

    Examples
    --------
    {example}
    """

    _method = "nearest-centroid"

    def __init__(self, *, coordinates: Coordinates = "ball") -> None:
        self.coordinates = coordinates

    @property
    def barycenters_(self) -> Array:
        """Barycenter of each class."""
        check_is_fitted(self)
        means = self.model_.means()
        assert means is not None, "this method has barycenters"
        return means
