-- Why: that a frozen internal account neither gains nor loses was decided in each flow, and some forgot it. The ledger account
-- says so now, and the write refuses what would change it. Older code writes without asking, so none may run beside this.

alter table ledger_accounts add column is_frozen boolean not null default false;

insert into ledger_accounts (platform_id, environment, id, currency, must_not_go_negative, moved_at, is_frozen)
select platform_id, environment, available_account, currency, true, updated_at, true
from internal_accounts where status = 'FROZEN'
on conflict (platform_id, environment, id) do update set is_frozen = true;

create function corridor_frozen(anyelement) returns anyelement language plpgsql as $$
begin
  raise exception 'the account is frozen' using errcode = 'CR005';
end $$;
