-- Counted when it is saved; what was saved before is counted by a job.
alter table essay_revisions add column word_count integer;
create index essay_revisions_uncounted on essay_revisions (essay_id, version) where word_count is null;
