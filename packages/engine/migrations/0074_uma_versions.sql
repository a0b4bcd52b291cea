-- Why: institutions that speak version 0 of UMA are answered in it. Old code answers version 1 alone, to what is kept here as 1.
alter table uma_requests add column major_version smallint not null default 1 check (major_version in (0, 1));
