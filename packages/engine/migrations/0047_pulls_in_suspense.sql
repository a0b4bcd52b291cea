-- Why: what a bank paid for an account that is frozen or full by then waits in suspense, while its payment stays on
-- its way. Old code writes no such items; it would not know what to do with one, so stop it first.

alter table suspense_items drop constraint suspense_items_kind_check;
alter table suspense_items add constraint suspense_items_kind_check
  check (kind in ('DEPOSIT', 'PULL', 'REFUND', 'UNMATCHED'));
