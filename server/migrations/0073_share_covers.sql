alter table essays add column share_cover text not null default '';

-- Replaced, because the conditions decide which rows count as uses of files.
drop trigger essays_upload_uses_added on essays;
drop trigger essays_upload_uses_dropped on essays;
drop trigger essay_revisions_upload_uses_added on essay_revisions;
drop trigger essay_revisions_upload_uses_dropped on essay_revisions;

create trigger essays_upload_uses_added
  after insert or update of cover, share_cover, attachments on essays for each row
  when (new.cover like '%/files/%' or new.share_cover like '%/files/%' or cardinality(new.attachments) > 0)
  execute function upload_uses_tracked('essay', 'id', 'id', 'cover,share_cover,attachments');
create trigger essays_upload_uses_dropped
  after delete or update of cover, share_cover, attachments on essays for each row
  when (old.cover like '%/files/%' or old.share_cover like '%/files/%' or cardinality(old.attachments) > 0)
  execute function upload_uses_tracked('essay', 'id', 'id', 'cover,share_cover,attachments');
create trigger essay_revisions_upload_uses_added
  after insert or update of content, fields on essay_revisions for each row
  when (new.content like '%/files/%' or new.fields ->> 'cover' like '%/files/%'
    or new.fields ->> 'shareCover' like '%/files/%' or new.fields -> 'attachments' <> '[]')
  execute function upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'content,fields');
create trigger essay_revisions_upload_uses_dropped
  after delete or update of content, fields on essay_revisions for each row
  when (old.content like '%/files/%' or old.fields ->> 'cover' like '%/files/%'
    or old.fields ->> 'shareCover' like '%/files/%' or old.fields -> 'attachments' <> '[]')
  execute function upload_uses_tracked('essay', 'essay_id', 'essay_id,version', 'content,fields');
