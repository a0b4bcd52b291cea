-- Why: UMA payments settle over Lightning where there is no bilateral agreement, what was agreed settles by what was kept
-- with it, and a credit line is about what is owed in the end. Old code does not know the columns, and makes bilateral
-- promises alone.

alter table uma_payments
  add column layer text not null default 'BILATERAL' check (layer in ('BILATERAL', 'LIGHTNING')),
  -- The key that signed the pay request, uncompressed in hexadecimal: it signs the settlement too.
  add column peer_signing_key text,
  -- How much the peer might owe when it was agreed; null between platforms of one installation.
  add column credit_line_msats bigint;

-- What a peer has used of its credit line falls when it is paid, below zero where more is owed to it.
alter table volume_counters drop constraint volume_counters_used_check;
alter table volume_counters add constraint volume_counters_used_check
  check (used >= 0 or id like 'uma-credit/%');

-- So far it was counted gross.
update volume_counters c set used = l.debits_posted - l.credits_posted
from ledger_accounts l
where l.platform_id = c.platform_id and l.environment = c.environment
  and c.id like 'uma-credit/%' and l.id = 'cpty:' || substr(c.id, length('uma-credit/') + 1) || ':MSAT';
insert into volume_counters (platform_id, environment, id, used)
select platform_id, environment, 'uma-credit/' || substr(id, 6, length(id) - 10), debits_posted - credits_posted
from ledger_accounts where id like 'cpty:%:MSAT'
on conflict do nothing;
