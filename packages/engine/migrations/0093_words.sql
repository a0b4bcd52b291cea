-- Why: what people wrote with a payment, and what rails and other institutions told about who paid, stood in plain in quotes
-- and transactions until its customer was erased. It is sealed with the customer's key now, in a column of its own. Rows
-- that were written before stay as they are; a transaction that goes on is sealed with its next step.
-- Older code shows such payments without their words, so stop it first.

alter table quotes add column words text;
-- The customer with whose key the words are sealed; null: the installation's.
alter table quotes add column words_for text;
alter table transactions add column words text;
alter table transactions add column words_for text;
