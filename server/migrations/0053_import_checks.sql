-- An import may be checked first: counts and a proposed mapping, before anything is changed.
alter table transfers drop constraint transfers_status_check;
alter table transfers add constraint transfers_status_check check (
  status in ('checking', 'ready', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')
);
drop index transfers_under_way;
create index transfers_under_way on transfers (id) where status in ('checking', 'waiting', 'running', 'undoing');
create index transfers_checked on transfers (alive_at) where status = 'ready';

-- In a table of its own, because a list of imports does not need it.
create table import_checks (
  transfer_id uuid primary key references transfers (id) on delete cascade,
  -- Identifies the old site, so that its next import proposes the same mapping.
  site text not null,
  result jsonb not null,
  -- The proposed mapping, and from the start on the used one.
  mapping jsonb not null,
  -- The proposed mapping comes from an earlier import of the site.
  repeated boolean not null,
  started boolean not null default false
);
create index import_checks_site on import_checks (site, transfer_id) where started;
