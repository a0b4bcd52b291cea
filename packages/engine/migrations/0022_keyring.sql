-- Why: the keys of an installation are random and wrapped by the master key, so that the master key can be
-- replaced beside a running server, or live in a service of its own. Older code cannot run on this.

-- The same keyring once for each master key that may open it: two while one replaces the other.
create table keyrings (
  -- Names the master key.
  id text primary key,
  wrapped text not null,
  updated_at timestamptz not null
);
