-- Backups are copied to an S3 bucket.
alter table backups
  add copied_at timestamptz,
  add copy_failed_at timestamptz,
  add copy_error text not null default '';
