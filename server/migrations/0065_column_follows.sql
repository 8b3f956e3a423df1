-- Readers who follow a column. They get a notice when an essay of it is published.
create table column_follows (
  user_id uuid not null references users (id) on delete cascade,
  column_id uuid not null references columns (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, column_id)
);
create index column_follows_column on column_follows (column_id, user_id);
create index column_follows_newest on column_follows (user_id, created_at desc, column_id desc);
alter table columns add column follower_count integer not null default 0;
-- The sitemap lists columns with essays, newest first.
create index columns_filled on columns (id desc) where essay_count > 0;
