"""Classes of points, learnt from points whose classes are known."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from sklearn.base import ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import _hycome
from .._warnings import warn
from ._points import Coordinates, PointEstimator

Array = npt.NDArray[np.float64]


class PointClassifier(ClassifierMixin, PointEstimator):
    """What the classifiers share: the library learns, and gives each class a score at each point."""

    _method: ClassVar[str]

    def fit(self, X: Any, y: Any) -> Any:
        """Learns from points and their classes."""
        X, y = validate_data(self, X, y, dtype=np.float64, order="C")
        check_classification_targets(y)
        points = self._inside(X)
        self.classes_, ids = np.unique(y, return_inverse=True)
        starts = np.arange(len(ids) + 1, dtype=np.uint64)
        labels = _hycome.Labels([str(class_) for class_ in self.classes_], starts, ids.astype(np.uint32))
        regularization = float(getattr(self, "regularization", 0.0))
        self.model_, converged = _hycome.Classifier.learn(self._method, points, labels, regularization, 1)
        if not converged:
            warn("the search was cut off before it came to rest", ConvergenceWarning)
        return self

    def decision_function(self, X: Any) -> Array:
        """The score of each class at each point; of two classes, how much the second is ahead."""
        check_is_fitted(self)
        scores = self.model_.scores(self._points(X, reset=False))
        return np.asarray(scores[:, 1] - scores[:, 0]) if scores.shape[1] == 2 else scores

    def predict_proba(self, X: Any) -> Array:
        """The probability of each class at each point."""
        check_is_fitted(self)
        return self.model_.probabilities(self._points(X, reset=False))

    def predict_log_proba(self, X: Any) -> Array:
        """Its logarithm."""
        return np.log(self.predict_proba(X))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The most probable class of each point."""
        best = self.predict_proba(X).argmax(axis=1)
        return np.asarray(self.classes_[best])


class HyperbolicLogisticRegression(PointClassifier):
    """Logistic regression whose borders are hyperplanes of hyperbolic space.

    Parameters
    ----------
    regularization
        How strongly gentle slopes are preferred, zero or more: as much as so many points.
    coordinates
        What a row of numbers is: a point of the ``"ball"``, or a ``"tangent"`` vector at the origin.

    Attributes
    ----------
    classes_
        The classes.
    model_
        What was learnt; :meth:`hycome.Run.plot` shows its regions.
    """

    _method = "logistic"

    def __init__(self, *, regularization: float = 0.1, coordinates: Coordinates = "ball") -> None:
        self.regularization = regularization
        self.coordinates = coordinates


class HyperbolicSVC(PointClassifier):
    """Support vector machine: borders of hyperbolic space with as wide a margin as possible.

    Parameters
    ----------
    regularization
        How strongly gentle slopes are preferred, zero or more: as much as so many points.
    coordinates
        What a row of numbers is: a point of the ``"ball"``, or a ``"tangent"`` vector at the origin.

    Attributes
    ----------
    classes_
        The classes.
    model_
        What was learnt; :meth:`hycome.Run.plot` shows its regions.
    """

    _method = "svm"

    def __init__(self, *, regularization: float = 0.1, coordinates: Coordinates = "ball") -> None:
        self.regularization = regularization
        self.coordinates = coordinates


class NearestBarycenter(PointClassifier):
    """The class whose barycenter is nearest.

    Parameters
    ----------
    coordinates
        What a row of numbers is: a point of the ``"ball"``, or a ``"tangent"`` vector at the origin.

    Attributes
    ----------
    classes_
        The classes.
    barycenters_
        The barycenter of each class, a point of the ball.
    model_
        What was learnt; :meth:`hycome.Run.plot` shows its regions.
    """

    _method = "kmeans"

    def __init__(self, *, coordinates: Coordinates = "ball") -> None:
        self.coordinates = coordinates

    @property
    def barycenters_(self) -> Array:
        """The barycenter of each class."""
        check_is_fitted(self)
        means = self.model_.means()
        assert means is not None, "this method has barycenters"
        return means
