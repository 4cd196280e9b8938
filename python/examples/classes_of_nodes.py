"""Node classification with a scikit-learn pipeline and cross-validation.

python classes_of_nodes.py
"""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import Pipeline

import hycome
from hycome.estimators import CommunityEmbedding, HyperbolicLogisticRegression


def main() -> None:
    football = hycome.datasets.load("football")
    teams, conferences = np.asarray(football.nodes), np.asarray(football.labels)
    pipeline = Pipeline(
        [
            ("embed", CommunityEmbedding(graph=football, dim=5, restarts=1, walks=3)),
            ("classify", HyperbolicLogisticRegression()),
        ]
    )
    scores = cross_val_score(pipeline, teams, conferences, cv=3)
    print(f"accuracy on held-out teams: {100 * scores.mean():.0f} %")

    grid = {"embed__dim": [2, 5]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(teams, conferences)
    print(f"best: {search.best_params_}, {100 * search.best_score_:.0f} %")


if __name__ == "__main__":
    main()
