-- Why: an account could be closed, and its customer deleted, while a card charge was still owed: nobody could be charged for it
-- afterwards. Both now look for open exceptions, of which there are few among the card transactions.
create index card_transactions_unpaid on card_transactions (platform_id, environment, account_id)
  where status = 'EXCEPTION';
create index card_transactions_unpaid_by_customer on card_transactions (platform_id, environment, customer_id)
  where status = 'EXCEPTION';
