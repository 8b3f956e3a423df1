-- Names that writers give to versions, and how many autosaves a version replaced.
alter table essay_revisions
  add column name text constraint essay_revisions_name_check check (name <> ''),
  add column merged integer not null default 0;
create index essay_revisions_named on essay_revisions (essay_id, version desc) where name is not null;
