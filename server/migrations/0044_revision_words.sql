-- Counted when it is saved; null in what was saved before, until somebody looks at the history.
alter table essay_revisions add column word_count integer;
