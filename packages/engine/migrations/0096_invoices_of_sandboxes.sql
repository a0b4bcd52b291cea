-- Why: all of production pay from one node, which pays an invoice once; in the sandbox each platform has a world of its own, and one
-- that paid an invoice kept every other from paying it. Old code claims as before.
drop index lightning_payouts_once;
create unique index lightning_payouts_once on lightning_payouts (id) where environment = 'PRODUCTION';
