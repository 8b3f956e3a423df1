-- Passages that readers highlighted, with their thoughts. Positions are in the text of the version on the shelf,
-- without whitespace.
create table highlights (
  id uuid primary key,
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  color text not null,
  -- The words when they were highlighted, which only the reader sees; never changed.
  quote text not null,
  -- The words in the current text.
  exact text not null,
  prefix text not null,
  suffix text not null,
  start_at integer not null,
  end_at integer not null,
  state text not null default 'found',
  -- Only those who may read the full text may see the words.
  locked boolean not null,
  note text not null default '',
  -- The comment that makes the thought public, and its status. Without a foreign key, because comments refer to highlights.
  comment_id uuid,
  thought_status smallint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint highlights_color check (color in ('yellow', 'green', 'blue', 'pink')),
  constraint highlights_state check (state in ('found', 'moved', 'orphaned')),
  constraint highlights_range check (0 <= start_at and start_at < end_at),
  constraint highlights_thought check ((comment_id is null) = (thought_status is null))
);
create index highlights_user on highlights (user_id, id desc);
create index highlights_user_color on highlights (user_id, color, id desc);
create index highlights_user_essay on highlights (user_id, essay_id, id desc);
create index highlights_essay on highlights (essay_id, user_id, id);
create unique index highlights_comment on highlights (comment_id) where comment_id is not null;
create index highlights_thoughts on highlights (essay_id, start_at) where thought_status = 0;

-- How many passages a reader highlighted in an essay.
create table highlighted_essays (
  user_id uuid not null references users (id) on delete cascade,
  essay_id uuid not null references essays (id) on delete cascade,
  count integer not null,
  updated_at timestamptz not null,
  primary key (user_id, essay_id)
);
create index highlighted_essays_user on highlighted_essays (user_id, updated_at desc, essay_id desc);
create index highlighted_essays_essay on highlighted_essays (essay_id);

-- What readers of an essay highlighted together.
create table highlight_passages (
  essay_id uuid primary key references essays (id) on delete cascade,
  passages jsonb not null default '[]',
  -- The text has changed, and the positions of the highlights are not computed yet.
  is_stale boolean not null default false,
  -- A job is queued that computes positions and passages.
  is_queued boolean not null default false
);

alter table comments add column highlight_id uuid references highlights (id) on delete set null;
create index comments_highlight on comments (highlight_id) where highlight_id is not null;
