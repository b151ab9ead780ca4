"""Names of indexes of targets and results as those of all records."""

from agencyclaw.store.migrate import execute_script

revision = "0138"
down_revision = "0132"

_NAMES = """
alter index kpi_targets_active rename to brand_market_kpi_targets_active;
alter index kpi_results_active rename to brand_market_kpi_results_active;
"""


def upgrade() -> None:
    execute_script(_NAMES)
