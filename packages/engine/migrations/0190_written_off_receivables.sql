-- Why: a receivable that can never be collected stayed open for good, and with it the account and the customer of its owner. An
-- operator can now write off what is left of it. Older code does not know the new status, so none may run beside this.
alter table receivables
  add column written_off bigint not null default 0,
  drop constraint receivables_status_check,
  drop constraint receivables_check,
  drop constraint receivables_check1,
  drop constraint receivables_check2;
alter table receivables
  add constraint receivables_known check (status in ('OPEN', 'SETTLED', 'WRITTEN_OFF')),
  add constraint receivables_amounts check (remaining >= 0 and written_off >= 0 and remaining + written_off <= amount),
  add constraint receivables_left check ((status = 'OPEN') = (remaining > 0)),
  add constraint receivables_written_off check ((status = 'WRITTEN_OFF') = (written_off > 0)),
  add constraint receivables_ended check ((status = 'OPEN') = (settled_at is null));
