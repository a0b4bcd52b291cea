-- Why: whoever builds against the API sees that a request was refused and not which of its fields was wrong. Their names alone:
-- what a caller has made up himself is left out unless it has the form of one. Older code may still run.
alter table request_log add column fields text[];
