-- Why: an endpoint that is down makes events wait, and an operator has to see which platforms have some and since when, of all of
-- them at once. A new index only, of the few that wait; it takes as long as the table is large. Older code may still run.
create index events_waiting on events (platform_id, environment, created_at, id) where status = 'RETRYING';
