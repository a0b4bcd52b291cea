-- Why: what customers need beyond being somebody's owner. Only additions; code that knows none of it still runs.

alter table customers
  -- Status of each contact channel where the region demands it, else null (customers 9.1).
  add column contact_verification jsonb,
  -- The consent that is shown; customer_consents keeps the earlier ones.
  add column terms_consent jsonb,
  -- The first full name: the one that identity checks go by, whatever the name is changed to (customers 10.3).
  add column original_name text,
  -- The number of an identity document, sealed with the installation's key. It never leaves.
  add column identifier_sealed text;

create index customers_by_uma_address on customers (platform_id, environment, uma_address);

-- Immutable: every acceptance of the terms that was ever recorded.
create table customer_consents (
  platform_id uuid not null,
  environment text not null,
  customer_id text not null,
  recorded_at timestamptz not null,
  consent jsonb not null,
  primary key (platform_id, environment, customer_id, recorded_at)
);
select corridor_protect('customer_consents');
revoke update, delete on customer_consents from corridor_app;
