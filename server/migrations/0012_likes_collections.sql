-- The ids are of the time of the deed: lists are in their order.
create table essay_likes (
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  id uuid not null,
  created_at timestamptz not null,
  primary key (user_id, essay_id)
);
create index essay_likes_user on essay_likes (user_id, id desc);
create index essay_likes_essay on essay_likes (essay_id, id desc);

create table folders (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  name text not null,
  is_public boolean not null,
  is_default boolean not null,
  essay_count integer not null default 0,
  created_at timestamptz not null,
  constraint folders_name_key unique (user_id, name)
);
create unique index folders_default on folders (user_id) where is_default;

-- An essay is in one folder of a person.
create table collections (
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  id uuid not null,
  folder_id uuid not null references folders (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, essay_id)
);
create index collections_user on collections (user_id, id desc);
create index collections_folder on collections (folder_id, id desc);
create index collections_essay on collections (essay_id);
