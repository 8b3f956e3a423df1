create table columns (
  id uuid primary key,
  author_id uuid not null references users (id) on delete cascade,
  name text not null,
  summary text not null default '',
  cover text not null default '',
  price integer not null default 0,
  essay_count integer not null default 0,
  created_at timestamptz not null
);
create index columns_author on columns (author_id, id desc);
create index columns_name on columns (lower(name) text_pattern_ops);

-- An essay as lists and pages show it. On the shelf these fields are those of the audited version; otherwise
-- they follow the author's writing, which nobody else sees.
create table essays (
  id uuid primary key,
  author_id uuid not null references users (id) on delete cascade,
  status smallint not null default 0 check (status between 0 and 5),
  -- Of what the author changed while the essay is on the shelf: 0 being written, 1 waiting, 5 refused.
  revision_status smallint check (revision_status in (0, 1, 5)),
  -- The author's newest version, the one handed in for audit, and the one readers see.
  version integer not null default 1,
  submitted_version integer,
  shelved_version integer,
  title text not null default '',
  summary text not null default '',
  cover text not null default '',
  category_id uuid references categories (id) on delete restrict,
  tags text[] not null default '{}',
  price integer not null default 0,
  member_free boolean not null default false,
  preview_percent smallint not null default 30,
  allow_comment boolean not null default true,
  declaration text not null default 'none',
  source text not null default '',
  column_id uuid references columns (id) on delete set null,
  column_sort integer not null default 0,
  attachments text[] not null default '{}',
  word_count integer not null default 0,
  read_minutes integer not null default 0,
  region text not null default '',
  -- Who took it off the shelf.
  off_by_staff boolean not null default false,
  scheduled_at timestamptz,
  submitted_at timestamptz,
  published_at timestamptz,
  -- When what readers see changed, and when the author last saved.
  updated_at timestamptz not null,
  saved_at timestamptz not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  read_count integer not null default 0,
  like_count integer not null default 0,
  cmt_count integer not null default 0,
  collect_count integer not null default 0,
  share_count integer not null default 0,
  download_count integer not null default 0,
  reward_count integer not null default 0,
  -- Grows with the time of publication, so that nothing has to be computed anew as time goes by.
  hot_score double precision not null default 0,
  constraint essays_revision_on_shelf check (revision_status is null or status = 3),
  constraint essays_shelved_text check (status <> 3 or (shelved_version is not null and published_at is not null))
) with (fillfactor = 85);
create index essays_latest on essays (published_at desc, id desc) where status = 3;
create index essays_hot on essays (hot_score desc, id desc) where status = 3;
create index essays_category on essays (category_id, published_at desc, id desc) where status = 3;
create index essays_category_hot on essays (category_id, hot_score desc, id desc) where status = 3;
create index essays_author on essays (author_id, published_at desc, id desc) where status = 3;
create index essays_column on essays (column_id, column_sort, id) where column_id is not null;
create index essays_mine on essays (author_id, saved_at desc, id desc) where deleted_at is null;
create index essays_mine_status on essays (author_id, status, saved_at desc, id desc) where deleted_at is null;
create index essays_queue on essays (submitted_at, id)
  where submitted_at is not null and deleted_at is null;
create index essays_recent on essays (saved_at desc, id desc) where deleted_at is null;
create index essays_status on essays (status, saved_at desc, id desc) where deleted_at is null;
create index essays_title on essays (lower(title) text_pattern_ops) where deleted_at is null;
-- Whether a category is in use.
create index essays_by_category on essays (category_id) where deleted_at is null;

-- Every saved version: what the author wrote, unrendered.
create table essay_revisions (
  essay_id uuid not null references essays (id) on delete cascade,
  version integer not null,
  -- Saved by the editor itself: those that follow each other closely are one version.
  auto boolean not null,
  title text not null,
  characters integer not null,
  fields jsonb not null,
  content text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (essay_id, version)
);

-- What everyone may read of a version that was handed in: all of it, or its preview.
create table essay_texts (
  essay_id uuid not null references essays (id) on delete cascade,
  version integer not null,
  title text not null,
  html text not null,
  toc jsonb not null,
  text text not null,
  summary text not null,
  word_count integer not null,
  read_minutes integer not null,
  has_math boolean not null,
  has_diagrams boolean not null,
  -- What the audit should look at.
  words text[] not null default '{}',
  primary key (essay_id, version)
);
-- The whole text of those versions of which not everyone may read all: never joined by what answers everyone.
create table essay_locked_texts (
  essay_id uuid not null references essays (id) on delete cascade,
  version integer not null,
  html text not null,
  toc jsonb not null,
  text text not null,
  primary key (essay_id, version)
);

-- Every change of state: who, when, why.
create table essay_records (
  id uuid primary key,
  essay_id uuid not null references essays (id) on delete cascade,
  user_id uuid references users (id) on delete set null,
  version integer not null,
  from_status smallint,
  to_status smallint not null,
  revision boolean not null,
  appeal boolean not null default false,
  reason text not null default '',
  created_at timestamptz not null
);
create index essay_records_essay on essay_records (essay_id, id desc);

-- On-shelf essays of a tag, and how many there are.
create table essay_tags (
  tag text not null,
  published_at timestamptz not null,
  essay_id uuid not null references essays (id) on delete cascade,
  primary key (tag, published_at, essay_id)
);
create index essay_tags_essay on essay_tags (essay_id);
create table tags (
  name text primary key,
  id uuid not null unique,
  essay_count integer not null default 0
);
create index tags_count on tags (essay_count desc, name) where essay_count > 0;

-- How many essays are on the shelf, in all ('') and of each category: lists never count them.
create table essay_counts (
  key text primary key,
  count integer not null
);

-- Who read what on which day: a reader counts once a day. Kept for two days.
create table essay_reads (
  day date not null,
  essay_id uuid not null references essays (id) on delete cascade,
  reader bytea not null,
  primary key (day, essay_id, reader)
);
create index essay_reads_essay on essay_reads (essay_id);
create table essay_history (
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  progress smallint not null default 0,
  read_at timestamptz not null,
  primary key (user_id, essay_id)
);
create index essay_history_user on essay_history (user_id, read_at desc, essay_id desc);
create index essay_history_essay on essay_history (essay_id);
