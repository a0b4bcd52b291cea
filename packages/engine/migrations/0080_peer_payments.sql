-- Why: an institution that gives one invoice for two payments is paid once, and both would count as paid: the proof of the
-- first proves the second. Each payment to one is known by a hash that no other quote of the environment has, whichever
-- platform made it, because they pay from one node.
create unique index quotes_peer_payment on quotes (environment, (options #>> '{delivery,peer,paymentHash}'))
  where options #>> '{delivery,peer,paymentHash}' is not null;
