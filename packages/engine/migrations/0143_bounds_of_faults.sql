-- Why: one request can be hit by a hundred faults, so what was hit grew a hundred times as fast as what was asked, for as many days as
-- it is kept. The latest of a book are kept, which are found in this order. What was decided about a payment is not among
-- them: it is asked for until the payment has ended. Older code may still run.
create index fault_activations_by_age on fault_activations (platform_id, environment, created_at, id)
  where not (target = 'RAIL' and kind in ('OUTCOME', 'SILENCE', 'DELAY', 'REORDER'));
create index fault_encounters_by_age on fault_encounters (platform_id, environment, created_at, id) where fault_id <> '';
