-- Why: what an institution asks about a receiver and the record does not say, the platform may answer. Old code does not know
-- the table: it asks the platform nothing, and refuses who insists.

-- What a platform answered with its approval, from then until the institution has been told: seconds.
create table uma_payee_information (
  platform_id uuid not null,
  environment text not null,
  -- The transaction.
  id text not null,
  customer_id text not null,
  sealed_part text not null,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index uma_payee_information_old on uma_payee_information (platform_id, environment, created_at);
select corridor_protect('uma_payee_information');
