-- Why: streams of events read on from where they were, in the order of the outbox. A new index only; older code may still run.

create index events_in_order on events (platform_id, environment, seq);
