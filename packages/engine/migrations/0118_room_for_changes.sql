-- Why: a payment's transaction changes soon after it is written. With room on its page the change stays there and the four
-- indexes keep their entries; on full pages four changes of five went elsewhere. For new pages only; older code may still run.
alter table transactions set (fillfactor = 60);
