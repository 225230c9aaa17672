"""The one catalogue of metrics, dimensions and flags.

Ingest checks documents against it, questions are parsed with it, the dashboard
reads it from /api/v1/catalog. A name that is not here has no meaning anywhere.
"""

from macmeter.catalog.dimensions import (
    ANY_LABEL,
    DETERMINES_WHERE,
    DIMENSIONS,
    LABEL_PREFIX,
    LINK_LIMIT,
    STORAGE,
    dimension,
    has,
    having,
    is_of_sample,
)
from macmeter.catalog.flags import FLAGS, OUT_OF_RANGE, WITHDRAWN, flag, is_doubt
from macmeter.catalog.metrics import METRICS
from macmeter.catalog.pages import OPEN_FILTERS, PAGES, FilteredPage, Page
from macmeter.catalog.traits import (
    PLAUSIBLE_MINIMUM,
    Better,
    Dimension,
    Each,
    Flag,
    Kind,
    Metric,
    Role,
    Severity,
    Trait,
    Unit,
)

__all__ = [
    "ANY_LABEL",
    "DETERMINES_WHERE",
    "DIMENSIONS",
    "FLAGS",
    "LABEL_PREFIX",
    "LINK_LIMIT",
    "METRICS",
    "OPEN_FILTERS",
    "OUT_OF_RANGE",
    "PAGES",
    "PLAUSIBLE_MINIMUM",
    "STORAGE",
    "WITHDRAWN",
    "Better",
    "Dimension",
    "Each",
    "FilteredPage",
    "Flag",
    "Kind",
    "Metric",
    "Page",
    "Role",
    "Severity",
    "Trait",
    "Unit",
    "dimension",
    "flag",
    "has",
    "having",
    "is_doubt",
    "is_of_sample",
]
