"""Takes a job's lock and tells whether the job is still this attempt's, in one round trip."""

from agencyclaw.store.migrate import execute_script

revision = "0120"
down_revision = "0128"


def upgrade() -> None:
    # Volatile: the second statement sees what was committed before the lock was granted, which a
    # single statement's snapshot would not.
    execute_script("""
create function hold_job(job bigint, attempt integer) returns boolean
language plpgsql volatile as $$
begin
  if not pg_try_advisory_lock(hashtextextended('job:' || job, 11)) then
    return null;
  end if;
  return exists (select from procrastinate_jobs where id = job and attempts = attempt);
end
$$
""")
