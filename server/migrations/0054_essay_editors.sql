-- The staff member who saved a version for the author; null if the author saved it.
alter table essay_revisions add column editor_id uuid references users (id) on delete set null;
create index essay_revisions_editor on essay_revisions (editor_id) where editor_id is not null;
