-- Events that ask something are claimed ahead of all others, whatever an endpoint has under way.
create index events_questions on events (platform_id, environment, seq) where status = 'QUEUED' and question is not null;
-- The operator names an incoming UMA payment by its transaction alone.
create index uma_payments_by_transaction on uma_payments (transaction_id);
