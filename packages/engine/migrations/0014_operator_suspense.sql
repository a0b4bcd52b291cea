-- Why: money that nobody is known to await becomes an item of suspense as well, so that the operator can list it,
-- move it to an account or give it back, and says why. Old code writes no such items and may go on running.

alter table suspense_items drop constraint suspense_items_kind_check;
alter table suspense_items add constraint suspense_items_kind_check
  check (kind in ('DEPOSIT', 'REFUND', 'UNMATCHED'));
-- What the operator gave as reason for the decision.
alter table suspense_items add column decided_reason text;
create index suspense_items_listed
  on suspense_items (platform_id, environment, status, created_at desc, id desc);
