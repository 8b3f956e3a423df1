-- Where a part of the sitemap ends and the next begins, in the order of publication.
create table sitemap_parts (
  published_at timestamptz not null,
  essay_id uuid not null,
  primary key (published_at, essay_id)
);
-- Those who have essays on the shelf.
create index users_writers on users (id) where essay_count > 0;

-- Who downloaded from what on which day: a reader counts once a day. Kept for two days.
create table essay_downloads (
  day date not null,
  essay_id uuid not null references essays (id) on delete cascade,
  reader bytea not null,
  primary key (day, essay_id, reader)
);
create index essay_downloads_essay on essay_downloads (essay_id);
