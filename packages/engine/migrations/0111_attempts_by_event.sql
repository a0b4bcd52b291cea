-- Why: what listeners have tried was forgotten when somebody opened a listener, and stayed where nobody did. It goes by
-- itself now like everything that is over, along the ids of its events, which rise with time. Older code may still run.

create index webhook_attempts_of_event on webhook_attempts (event_id);
