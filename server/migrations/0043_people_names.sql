-- People whose names are to be indexed for @-mentions: everyone at first, then whoever is new or has another name.
-- A trigger, because people are added and renamed in many places.
create table unindexed_people (
  user_id uuid primary key
);
insert into unindexed_people (user_id) select id from users;

create function person_named() returns trigger language plpgsql as $$
begin
  -- The update locks the row: the job leaves it until this transaction ends, and then reads the new name.
  insert into unindexed_people (user_id) values (coalesce(new.id, old.id))
  on conflict (user_id) do update set user_id = excluded.user_id;
  return null;
end $$;
create trigger users_named after insert or delete on users
  for each row execute function person_named();
create trigger users_renamed after update of display_name on users
  for each row when (old.display_name is distinct from new.display_name) execute function person_named();
