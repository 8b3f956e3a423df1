alter table essays add column title_breaks smallint[] not null default '{}';
-- Indexing them again also finds the breaks.
insert into unindexed_essays (essay_id) select id from essays where status = 3 on conflict do nothing;
