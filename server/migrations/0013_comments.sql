-- What people say about an essay: comments, and replies to them, which name their comment as root.
create table comments (
  id uuid primary key,
  essay_id uuid not null references essays (id) on delete cascade,
  root_id uuid references comments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- Whose reply it answers; none: the comment itself, or somebody who is gone.
  reply_to_user_id uuid references users (id) on delete set null,
  -- 0 shown, 1 held for staff, 2 removed by staff, 3 deleted: only where it stands is left, for its replies.
  status smallint not null check (status between 0 and 3),
  content text not null,
  -- As others see it, where some words are hidden.
  masked text,
  html text not null,
  words text[] not null default '{}',
  mentions text[] not null default '{}',
  region text not null default '',
  pinned boolean not null default false,
  like_count integer not null default 0,
  -- Of shown replies.
  reply_count integer not null default 0,
  created_at timestamptz not null,
  edited_at timestamptz,
  constraint comments_pinned_root check (not pinned or (root_id is null and status = 0))
) with (fillfactor = 85);
-- The comments of an essay, pinned ones first. What is not shown itself stays in its place for its replies.
create index comments_new on comments (essay_id, pinned desc, id desc)
  where root_id is null and (status = 0 or reply_count > 0);
create index comments_hot on comments (essay_id, pinned desc, like_count desc, id desc)
  where root_id is null and (status = 0 or reply_count > 0);
create index comments_replies on comments (root_id, id) where root_id is not null;
-- One's own that wait for staff.
create index comments_own_held on comments (user_id, essay_id, id desc) where status = 1;
-- For staff, and by what they belong to.
create index comments_status on comments (status, id desc) where status in (1, 2);
create index comments_essay on comments (essay_id, id desc);
create index comments_user on comments (user_id, id desc);
create index comments_user_essay on comments (user_id, essay_id);
create index comments_answered on comments (reply_to_user_id) where reply_to_user_id is not null;

create table comment_likes (
  comment_id uuid not null references comments (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  created_at timestamptz not null,
  primary key (comment_id, user_id)
);
create index comment_likes_user on comment_likes (user_id);

-- How many comments the list of an essay has, replies not counted.
create table comment_counts (
  essay_id uuid primary key references essays (id) on delete cascade,
  count integer not null
);
