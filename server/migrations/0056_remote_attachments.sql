-- Attachments on other hosts are fetched like pictures.
alter table remote_pictures
  add column kind text not null default 'picture' check (kind in ('picture', 'attachment'));
