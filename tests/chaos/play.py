"""`make chaos`: kill the assistant again and again, and count what got lost or doubled."""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from campaign import Campaign, Outcome  # noqa: E402
from databases import fast_folder  # noqa: E402
from ground import agency_of_its_own, open_ground  # noqa: E402
from neighbours import OTHER, Neighbours  # noqa: E402
from processes import open_pool  # noqa: E402


def say(line: str) -> None:
    """Print a line at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def run(kills: int, seed: int, keep: bool, outage_s: float = 0.0) -> Outcome:
    """Play one run on a Postgres of its own, as the demo has it."""
    folder = Path(tempfile.mkdtemp(prefix="agencyclaw-chaos-", dir=fast_folder()))
    home = folder / "home"
    try:
        where = {"AGENCYCLAW_HOME": str(home)}
        async with (
            agency_of_its_own(home) as postgres,
            open_pool(folder) as pool,
            open_ground(pool, postgres.dsn, **where) as ground,
            open_ground(pool, postgres.dsn, team_id=OTHER, **where) as other,
        ):
            rng = random.Random(seed)
            neighbours = Neighbours(other, random.Random(seed))
            campaign = Campaign(
                ground, rng, kills, home=home, outage_s=outage_s, say=say, neighbours=neighbours
            )
            return await campaign.play()
    finally:
        if keep:
            say(f"kept: {folder}")
        else:
            shutil.rmtree(folder)


def main() -> int:
    """Read the options, play, print the verdict."""
    parser = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=None, help="to play the same choices again")
    parser.add_argument("--outage", type=float, default=0.0, help="seconds without a database")
    parser.add_argument("--keep", action="store_true", help="keep the logs")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    say(f"seed {seed} (again: make chaos KILLS={options.kills} SEED={seed})")
    outcome = asyncio.run(run(options.kills, seed, options.keep, options.outage))
    verdict = outcome.verdict
    for trouble in (*verdict.turned_away, *verdict.lost, *verdict.doubled):
        say(f"  {trouble}")
    say(
        f"{outcome.verdict.answered} messages answered ({outcome.verdict.set_aside} of them set "
        f"aside with an apology), {outcome.verdict.created} tasks created, "
        f"{outcome.verdict.changed} changed, {outcome.verdict.fired} schedules posted, "
        f"{outcome.verdict.gone_on} results of the background, "
        f"{outcome.points} processes killed at a named point, Postgres killed {outcome.storms} "
        f"times, {outcome.seconds:.0f} s"
    )
    say(outcome.turned_away)
    say(outcome.line)
    return 0 if outcome.verdict.is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
