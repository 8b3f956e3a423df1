alter table reports drop constraint reports_kind_check;
alter table reports add constraint reports_kind_check
  check (kind in ('essay', 'comment', 'user', 'chat', 'letter'));
-- The letter and its neighbours as the reporter saw them: a thread is deleted with either of its users.
alter table reports add column evidence jsonb;
