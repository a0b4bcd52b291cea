-- Why: whoever asks how a payment came about is told what failed on purpose on its way. What hits a rail or a webhook names the
-- payment or the event; what hits the API names a request, and by this column what that was about. Older code may still run.
alter table fault_activations add column resource_id text;
create index fault_activations_of_resource on fault_activations (platform_id, environment, resource_id, created_at)
  where resource_id is not null;
