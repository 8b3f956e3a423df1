-- Two who have written to each other, whichever way: the smaller id first.
create table contacts (
  user_a uuid not null references users (id) on delete cascade,
  user_b uuid not null references users (id) on delete cascade,
  -- Who wrote last, and how many of theirs wait for an answer; none counts while the other follows them.
  from_id uuid not null,
  unanswered smallint not null check (unanswered between 0 and 3),
  primary key (user_a, user_b),
  check (user_a < user_b and from_id in (user_a, user_b))
);
create index contacts_b on contacts (user_b);

-- Letters of two people, the smaller id first, about one thing.
create table letter_threads (
  id uuid primary key,
  user_a uuid not null references users (id) on delete cascade,
  user_b uuid not null references users (id) on delete cascade,
  -- As the other sees it, where some words are hidden.
  subject text not null,
  essay_id uuid references essays (id) on delete set null,
  created_at timestamptz not null,
  check (user_a < user_b)
);
create index letter_threads_a on letter_threads (user_a);
create index letter_threads_b on letter_threads (user_b);
create index letter_threads_essay on letter_threads (essay_id) where essay_id is not null;

create table letters (
  id uuid primary key,
  thread_id uuid not null references letter_threads (id) on delete cascade,
  -- In the thread, from 1.
  seq integer not null,
  from_id uuid not null references users (id) on delete cascade,
  parent_id uuid references letters (id) on delete set null,
  content text not null,
  -- As the other sees it, where some words are hidden.
  masked text,
  html text not null,
  -- What is shown as plain text, to be listed and found by.
  plain text not null,
  created_at timestamptz not null,
  constraint letters_seq unique (thread_id, seq)
);
create index letters_from on letters (from_id);
create index letters_parent on letters (parent_id) where parent_id is not null;

-- A thread as each of the two has it.
create table letter_places (
  thread_id uuid not null references letter_threads (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- How far it was read, and how far it was deleted.
  read_seq integer not null default 0,
  hidden_seq integer not null default 0,
  -- Of the other's letters.
  unread integer not null default 0,
  -- Of the newest letter, which is what its place in the list goes by; none: all of it was deleted.
  last_id uuid,
  primary key (thread_id, user_id)
);
create index letter_places_list on letter_places (user_id, last_id desc) where last_id is not null;
create index letter_places_unread on letter_places (user_id) where unread > 0;
