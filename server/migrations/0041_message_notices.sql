-- Of messages the newest tells of a conversation; those before it go.
delete from notices old using (
  select user_id, target_id, max(position) as position from notices
  where kind = 'message' and target_id is not null group by user_id, target_id
) as newest
where old.kind = 'message' and old.user_id = newest.user_id and old.target_id = newest.target_id
  and old.position < newest.position;
update notice_counts set total = kept.total, unread = kept.unread
from (
  select notice_counts.user_id, count(notices.id) as total,
    count(notices.id) filter (where notices.read_at is null and notices.position > box.read_to) as unread
  from notice_counts
  join notice_boxes box on box.user_id = notice_counts.user_id
  left join notices on notices.user_id = notice_counts.user_id and notices.kind = 'message'
  where notice_counts.kind = 'message' group by notice_counts.user_id
) as kept
where notice_counts.user_id = kept.user_id and notice_counts.kind = 'message';
