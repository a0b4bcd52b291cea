-- Why: what is known about people is kept sealed, with a key per owner. Deleting that key makes everything
-- sealed with it unreadable for good. Older code cannot run on this.

do $$ begin
  if exists (select from customers) or exists (select from external_accounts) then
    raise exception 'this database was made before personal data was sealed, and nothing was released then: start with an empty one';
  end if;
end $$;

-- The key of a customer's data, or of the platform's own (`owner_id` = `platform`), sealed with the master key.
create table data_keys (
  platform_id uuid not null,
  environment text not null,
  owner_id text not null,
  sealed_key text not null,
  created_at timestamptz not null,
  primary key (platform_id, environment, owner_id)
);
select corridor_protect('data_keys');

alter table customers
  drop column profile,
  drop column terms_consent,
  drop column original_name,
  -- Names, contacts, addresses, dates and consent: one sealed text. Null once the customer was erased.
  add column personal text;

alter table customer_consents alter column consent type text using consent::text;

alter table external_accounts
  drop column account_info,
  drop column beneficiary_verified_data,
  -- Account numbers and who the holder is: one sealed text. Null once the owner was erased.
  add column details text;
