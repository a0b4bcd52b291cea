-- Why: who customers are: owners of businesses, documents, verifications and the links of the hosted page.
-- New tables only; older code may still run.

create table beneficial_owners (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED')),
  roles text[] not null check (cardinality(roles) > 0),
  ownership_percentage int not null check (ownership_percentage between 0 and 100),
  -- Who it is, sealed with the key of the business. Null once the business was erased.
  personal text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index beneficial_owners_of_customer
  on beneficial_owners (platform_id, environment, customer_id, created_at, id);
select corridor_protect('beneficial_owners');

-- What is known about a file. The file itself is in the blob store, sealed, under blob_key.
create table documents (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  -- A customer, or an owner of the customer.
  holder_id text not null,
  customer_id text not null,
  -- SUBMITTED: part of a submission, so it stays until it is replaced (customers 11.2).
  status text not null check (status in ('UPLOADED', 'SUBMITTED')),
  document_type text not null,
  side text check (side in ('FRONT', 'BACK')),
  country text not null,
  -- Number, authority and name of the file, sealed with the key of the customer. Null once it was erased.
  details text,
  content_type text not null,
  size_bytes int not null check (size_bytes > 0),
  blob_key text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, environment, id)
);
create index documents_listed on documents (platform_id, environment, created_at desc, id desc)
  where deleted_at is null;
create index documents_of_customer on documents (platform_id, environment, customer_id);
create index documents_of_holder on documents (platform_id, environment, holder_id) where deleted_at is null;
select corridor_protect('documents');

create table verifications (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  -- 1, 2, 3 … of one customer: of two submissions at once the second sees the first.
  number int not null,
  status text not null
    check (status in ('RESOLVE_ERRORS', 'PENDING_MANUAL_REVIEW', 'APPROVED', 'REJECTED')),
  errors jsonb not null,
  -- Of a review by a person, sealed with the key of the customer; shown to operators alone.
  review_note text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, environment, id),
  constraint verifications_one_at_a_time unique (platform_id, environment, customer_id, number)
);
create index verifications_listed on verifications (platform_id, environment, created_at desc, id desc);
-- The operator's list spans all books.
create index verifications_in_review on verifications (created_at, id) where status = 'PENDING_MANUAL_REVIEW';
select corridor_protect('verifications');

-- Links to the hosted page. Whoever has the token may fill in the customer's form, so only its hash is kept.
create table verification_links (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  status text not null check (status in ('ISSUED', 'USED')),
  token_hash text not null,
  redirect_uri text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create unique index verification_links_token on verification_links (token_hash);
select corridor_protect('verification_links');
