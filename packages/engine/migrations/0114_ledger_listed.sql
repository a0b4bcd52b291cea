-- Why: a platform reads its ledger accounts by what they are for. Those of one transaction come and go with it and are
-- read with it, so their writing pays nothing for this index. Older code may still run.
create index ledger_accounts_listed on ledger_accounts (platform_id, environment, split_part(id, ':', 1), currency, id)
  where split_part(id, ':', 1) not in ('txn', 'refund', 'pfee');
