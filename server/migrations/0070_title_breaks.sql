-- The run that 0068 starts fills it.
alter table essays add column title_breaks smallint[] not null default '{}';
