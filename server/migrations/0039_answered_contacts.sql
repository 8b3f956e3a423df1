-- Once both have written, neither is a stranger to the other any more.
alter table contacts add column answered boolean not null default false;
update contacts set answered = true, unanswered = 0 where exists (
    select 1 from conversations
    join conversation_members a on a.conversation_id = conversations.id and a.user_id = contacts.user_a
    join conversation_members b on b.conversation_id = conversations.id and b.user_id = contacts.user_b
    where conversations.user_a = contacts.user_a and conversations.user_b = contacts.user_b
      and a.said_at is not null and b.said_at is not null
  ) or (
    select count(distinct letters.from_id) from letter_threads
    join letters on letters.thread_id = letter_threads.id
    where letter_threads.user_a = contacts.user_a and letter_threads.user_b = contacts.user_b
  ) = 2;
