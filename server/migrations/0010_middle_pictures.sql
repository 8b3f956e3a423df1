-- For screens between a thumbnail and the whole picture; none where the picture is no larger.
alter table uploads add column middle_path text;
