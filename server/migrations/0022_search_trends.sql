-- What was searched for, told to its owner alone, once a day. The target is made of the words.
alter table trends add column keyword text;
create unique index trends_searched on trends (user_id, target_id, ((created_at at time zone 'Asia/Shanghai')::date))
  where type = 19;

-- Who no longer follows somebody is not told of as following them.
delete from trends where type = 9 and not exists (
  select 1 from follows where follows.follower_id = trends.user_id and follows.user_id = trends.target_id);
