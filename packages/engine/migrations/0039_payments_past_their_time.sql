-- Why: lists of transactions end what its customer did not authorize in time before they are read (customers 13.7).
-- An index; older code runs on.
create index sca_challenges_overdue
  on sca_challenges (platform_id, environment, expires_at) where status = 'PENDING' and kind = 'PAYMENT';
