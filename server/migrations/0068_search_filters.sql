-- The hot copy is also searched by time and sorted by it.
alter table search_hot add column fresh real;
update search_hot set fresh = search_essays.fresh from search_essays where search_essays.id = search_hot.id;
delete from search_hot where fresh is null;
alter table search_hot alter column fresh set not null;

-- Entries get tokens of their author, tags, column, price and month, so all essays are indexed again.
update reindex_runs set position = '00000000-0000-0000-0000-000000000000', done = 0 where state = 'running';
insert into reindex_runs (id, state, term_version, position, total, created_at)
-- The id begins with the time, like the others, because runs are listed by it.
select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid, 'running', version, '00000000-0000-0000-0000-000000000000',
  (select count(*) from essays where status = 3), now()
from search_term_lists
where exists (select from essays where status = 3)
  and not exists (select from reindex_runs where state = 'running');
