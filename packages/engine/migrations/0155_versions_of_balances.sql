-- Why: receivers of webhooks keep the newest state of an account. The time of a change could not tell them which one that is:
-- it was the time at which the request began, and a later commit could carry an earlier one. Each change of a balance or of the
-- status now raises `version` by one, in the row that the change writes anyway. Older code may still run: it leaves the version
-- as it is, so stop it before receivers compare versions.
alter table ledger_accounts add column version bigint not null default 0;
