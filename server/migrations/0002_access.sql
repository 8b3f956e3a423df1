alter table roles add column built_in boolean not null default false;
update roles set built_in = true where code in ('super', 'auditor', 'operator', 'finance');

-- What the program knows a menu by that carries no permission.
alter table menus add column code text unique;
create index menus_parent on menus (parent_id);
create index role_menus_menu on role_menus (menu_id);

-- Until now nobody could edit menus: those of the first release take their places in the new order.
update menus set code = 'user', sort = 2 where kind = 'group' and name = '用户' and permission is null;
update menus set code = 'system', sort = 3 where kind = 'group' and name = '系统' and permission is null;
update menus set icon = 'user' where permission = 'user:list';
update menus set icon = 'log', sort = 4 where permission = 'log:list';

-- Permissions that built-in roles have had their chance to get: one that is taken away never comes back by itself.
create table seeded_permissions (permission text primary key);
insert into seeded_permissions select permission from menus where permission is not null;

-- The accounts of a role in order, the disabled ones in order, and accounts by the beginning of a name.
drop index account_roles_role;
create index account_roles_role on account_roles (role_id, user_id);
create index accounts_disabled on accounts (user_id) where not enabled;
create index accounts_name_prefix on accounts (name text_pattern_ops);
create index accounts_email_prefix on accounts (email text_pattern_ops) where email is not null;
