-- Why: the full audit reads every row, and each console asked for its own, in every process at once. One runs at a time now; whoever asks
-- meanwhile gets the last result, which has to be where all processes find it. The audit in the background keeps its place here, too, so
-- that any process goes on with it. Rows belong to the installation.
create table audit_runs (
  platform_id uuid not null,
  environment text not null,
  id text not null check (id in ('FULL', 'ROUND')),
  -- What was found: by the last full audit, or by each step of the round when it was taken last.
  report jsonb not null,
  -- Of the round: the next step, where it is in that, and since when it goes round.
  step bigint not null default 0,
  place jsonb,
  started_at timestamptz,
  completed_at timestamptz,
  due_at timestamptz,
  primary key (id, platform_id, environment)
);
select corridor_protect('audit_runs');
