-- Why: events showed to whoever reads the database what the API shows to platforms. Their bodies are sealed now, with the
-- key of the customer whom they tell of. Those that were written before stay as they are until they go. Older code would
-- send what is sealed, so stop it first.

-- The customer with whose key the body is sealed; null: the installation's, or not at all.
alter table events add column sealed_for text;
