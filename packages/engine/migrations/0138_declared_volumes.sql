-- Why: whether a review takes two people depends on what its customer says that it will move in a month, and a platform may change
-- that while the review lasts. What was said when it was submitted counts as well. One new column that may be empty.
-- Empty in older rows: of those counts what is said now.

-- One of the bands of the API; empty where nothing was said.
alter table verifications add column declared_volume text;
