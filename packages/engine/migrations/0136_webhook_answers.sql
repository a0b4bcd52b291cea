-- Why: whoever looks for what is wrong with an endpoint compares its answers, and only the last one that was an error was
-- kept; of a listener, only the last attempt was known. Older code goes on as it did: it knows neither.

-- What was answered to the latest attempts of an event, at the endpoint and at each listener.
create table webhook_answers (
  platform_id uuid not null,
  environment text not null,
  -- The event, who was asked and the number of the attempt, with spaces between them: rises with time.
  id text not null,
  event_id text not null,
  -- `endpoint`, or `listen:` and the name of a listener.
  via text not null,
  attempt int not null,
  -- The first 64 KiB, sealed as the body of the event is.
  body text not null,
  sealed_for text,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index webhook_answers_of_event on webhook_answers (event_id);
create index webhook_answers_sealed_for on webhook_answers (sealed_for)
  where sealed_for is not null;
select corridor_protect('webhook_answers');

-- The last attempts, oldest first, as `events.attempt_log` has those at the endpoint.
alter table webhook_attempts add column attempt_log jsonb;
