-- The due jobs of one kind in one book, so that those behind ten thousand of a platform whose bank does not
-- answer are found without passing all of these.
create index jobs_slot on jobs (platform_id, environment, kind, due_at) where dead_at is null;
