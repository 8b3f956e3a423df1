-- What is said live: between two people, the smaller id first, or in the room of an essay.
create table conversations (
  id uuid primary key,
  essay_id uuid unique references essays (id) on delete cascade,
  user_a uuid references users (id) on delete cascade,
  user_b uuid references users (id) on delete cascade,
  -- Of two people, who spoke first.
  started_by uuid,
  last_seq bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint conversations_pair unique (user_a, user_b),
  check (case when essay_id is null then user_a < user_b and user_b is not null
    else user_a is null and user_b is null end)
) with (fillfactor = 50);
create index conversations_b on conversations (user_b) where user_b is not null;

-- Both of two people, and whoever has read or said something in a room. It changes with every message they read.
create table conversation_members (
  conversation_id uuid not null references conversations (id) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  read_seq bigint not null default 0,
  -- Of two people, the newest message: its place in the list. A room's is that of the conversation.
  listed_at timestamptz,
  -- When they last said something.
  said_at timestamptz,
  muted_until timestamptz,
  left_at timestamptz,
  primary key (conversation_id, user_id)
) with (fillfactor = 70);
create index conversation_members_list on conversation_members (user_id, listed_at desc, conversation_id desc);
create index conversation_members_muted on conversation_members (conversation_id, muted_until)
  where muted_until is not null;

-- Numbered from 1 without a gap: what is taken away keeps its place.
create table chat_messages (
  conversation_id uuid not null references conversations (id) on delete cascade,
  seq bigint not null,
  id uuid not null,
  -- By it the sender knows a message again; none: whoever said it is gone.
  client_id text not null,
  from_id uuid references users (id) on delete set null,
  kind text not null check (kind in ('text', 'image', 'essay')),
  content text not null,
  -- As it is shown, where some words are hidden.
  masked text,
  html text not null,
  image jsonb,
  reply_to_seq bigint,
  removed_at timestamptz,
  removed_by uuid,
  created_at timestamptz not null,
  -- What a text is found by: its words as they are compared, and hashes of its characters and their pairs, which are
  -- another in every conversation.
  folded text not null,
  tokens integer[] not null,
  primary key (conversation_id, seq),
  constraint chat_messages_id unique (id),
  constraint chat_messages_client unique (from_id, conversation_id, client_id)
);
alter table chat_messages alter column tokens set statistics 0;
create index chat_messages_removed on chat_messages (conversation_id, seq) where removed_at is not null;
create index chat_messages_tokens on chat_messages using gin (tokens) with (fastupdate = off);

-- Says something: the next number, the message and how far whoever said it has read, while nobody else can take that
-- number. No number if the sender has said it before. Planned while tables are empty it would read them from end to
-- end ever after: hence `enable_seqscan`.
create function chat_say(new_message jsonb, out new_seq bigint, out said_before timestamptz)
language plpgsql set enable_seqscan = off as $$
declare
  new_one chat_messages := jsonb_populate_record(null::chat_messages, new_message);
  is_room boolean;
begin
  select last_seq + 1, essay_id is not null into new_one.seq, is_room
  from conversations where id = new_one.conversation_id for no key update;
  insert into chat_messages select new_one.* on conflict (from_id, conversation_id, client_id) do nothing;
  if not found then return; end if;
  new_seq := new_one.seq;
  update conversations set last_seq = new_seq, updated_at = greatest(updated_at, new_one.created_at)
  where id = new_one.conversation_id;
  select said_at into said_before from conversation_members
  where conversation_id = new_one.conversation_id and user_id = new_one.from_id;
  -- What they have not read yet stays so.
  insert into conversation_members as place (conversation_id, user_id, read_seq, said_at)
  values (new_one.conversation_id, new_one.from_id, new_seq, new_one.created_at)
  on conflict (conversation_id, user_id) do update set
    read_seq = case when place.read_seq = new_seq - 1 then new_seq else place.read_seq end,
    said_at = new_one.created_at, left_at = null;
  if is_room then return; end if;
  update conversation_members set listed_at = new_one.created_at where conversation_id = new_one.conversation_id;
end
$$;
