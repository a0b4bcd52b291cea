-- Why: a sandbox tenant could end the proxy subdomain of a production platform, with a UMA domain that begins alike. The
-- subdomain of a label now stays with the domain that was taken first. Rows from before count in the order in which the
-- table has them. Older code may still run.
alter table uma_domains
  add column claim bigint not null generated always as identity,
  add column label text not null generated always as (split_part(domain, '.', 1)) stored;
create index uma_domains_label on uma_domains (label, environment, claim);
