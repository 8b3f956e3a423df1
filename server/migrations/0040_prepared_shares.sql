-- A code that is only shown has not been shared yet: it counts when it is taken along, or when somebody comes by it.
alter table shares add column counted boolean not null default true;
drop index shares_user;
create index shares_user on shares (user_id, id desc) where counted;
