-- What staff sort and narrow their lists by.
create index essays_published on essays (coalesce(published_at, '-infinity'::timestamptz), id)
  where deleted_at is null;
create index essays_paid on essays (saved_at desc, id desc) where deleted_at is null and price > 0;
create index essays_member on essays (saved_at desc, id desc) where deleted_at is null and member_free;

create index columns_size on columns (essay_count, id);
create index columns_priced on columns (id) where price > 0;

create index comments_likes on comments (like_count, id);
create index comments_replied on comments (reply_count, id);

-- Whose it is that was reported, kept when the thing itself is gone.
alter table reports add column owner_id uuid references users (id) on delete set null;
update reports set owner_id =
  case reports.kind
    when 'user' then (select users.id from users where users.id = reports.target_id)
    when 'essay' then (select essays.author_id from essays where essays.id = reports.target_id)
    when 'comment' then (select comments.user_id from comments where comments.id = reports.target_id)
    when 'chat' then (select chat_messages.from_id from chat_messages where chat_messages.id = reports.target_id)
  end;
create index reports_owner on reports (owner_id, id) where owner_id is not null;
create index reports_reason on reports (reason, id);
drop index reports_user;
create index reports_user on reports (user_id, id) where user_id is not null;

-- Info pages as they were before each change.
create table info_page_versions (
  name text not null references info_pages (name) on delete cascade,
  version integer not null,
  title text not null,
  content text not null,
  -- Who wrote it; none: it came with the program, or they are gone.
  user_id uuid references users (id) on delete set null,
  created_at timestamptz not null,
  primary key (name, version)
);
create index info_page_versions_user on info_page_versions (user_id) where user_id is not null;
