create table follows (
  id uuid primary key,
  follower_id uuid not null references users (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  constraint follows_pair_key unique (follower_id, user_id),
  check (follower_id <> user_id)
);
-- Whom one follows and by whom one is followed, newest first.
create index follows_follower on follows (follower_id, id desc);
create index follows_user on follows (user_id, id desc);
