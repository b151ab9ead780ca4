"""${message}."""

import sqlalchemy as sa
from alembic import op
% if imports:
${imports}
% endif

revision = "${up_revision}"
down_revision = ${f'"{down_revision}"' if down_revision else None}


def upgrade() -> None:
    ${upgrades if upgrades else "pass"}
