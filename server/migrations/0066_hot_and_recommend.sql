-- Engagement of the last days, which weighs more in the hot list than that of all time (decision 0057).
alter table essays add column recent_engagement integer not null default 0;
-- Essays whose recent engagement will expire.
create index essays_recently_read on essays (id) where recent_engagement <> 0;

update essays set recent_engagement = recent.engagement
from (
  select essay_id, sum(reads + 10 * likes + 20 * cmts + 20 * collects + 20 * shares + 50 * rewards)::int as engagement
  from essay_days where day > (now() at time zone 'Asia/Shanghai')::date - 3 group by essay_id) as recent
where essays.id = recent.essay_id and recent.engagement <> 0;

update essays set hot_score = log((1 + total.engagement + 4 * greatest(recent_engagement, 0))::float8)
  + extract(epoch from published_at)::float8 / 604800 - case when total.engagement < 20 then 1000000 else 0 end
from (
  select id, read_count + 10 * like_count + 20 * cmt_count + 20 * collect_count + 20 * share_count
    + 50 * reward_count as engagement
  from essays where published_at is not null) as total
where essays.id = total.id;

-- With the author, so that the recommendations of visitors are ordered from the index alone.
drop index essays_hot;
create index essays_hot on essays (hot_score desc, id desc) include (author_id) where status = 3;

-- Tags that users follow.
create table tag_follows (
  user_id uuid not null references users (id) on delete cascade,
  tag_id uuid not null references tags (id) on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, tag_id)
);
create index tag_follows_user on tag_follows (user_id, created_at desc, tag_id desc);
create index tag_follows_tag on tag_follows (tag_id);

-- The newest essays of a followed column.
create index essays_column_published on essays (column_id, published_at desc, id desc)
  where status = 3 and column_id is not null;

-- A sentence below the title of a banner.
alter table covers add column summary text not null default '';

-- When a user last opened the list of followed authors; later essays are new to them.
create table following_visits (
  user_id uuid primary key references users (id) on delete cascade,
  visited_at timestamptz not null
);
