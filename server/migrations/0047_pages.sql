-- Operators write pages of their own; those that came with the program are pages like any other.
alter table info_pages rename to pages;
alter table pages rename column name to slug;
alter table info_page_versions rename to page_versions;

alter table pages
  add column id uuid not null default gen_random_uuid(),
  add column published boolean not null default true,
  -- When it was first published here, or at the site it was imported from; null for pages of the program.
  add column published_at timestamptz,
  -- The import that created the page, its key there, and the version that the import wrote: a page whose
  -- version is higher was edited since.
  add column transfer_id uuid,
  add column import_key text,
  add column imported_version integer;
alter table pages alter column id drop default, alter column published drop default;

alter table page_versions drop constraint info_page_versions_name_fkey;
alter table page_versions add column page_id uuid;
update page_versions set page_id = pages.id from pages where pages.slug = page_versions.name;
alter table page_versions drop constraint info_page_versions_pkey;
alter table page_versions drop column name;
alter table page_versions alter column page_id set not null;

alter table pages drop constraint info_pages_pkey;
alter table pages add constraint pages_pkey primary key (id);
alter table pages add constraint pages_slug_key unique (slug);
create index pages_transfer on pages (transfer_id, import_key) where transfer_id is not null;

alter table page_versions add constraint page_versions_pkey primary key (page_id, version);
alter table page_versions add constraint page_versions_page_id_fkey
  foreign key (page_id) references pages (id) on delete cascade;
alter table page_versions rename constraint info_page_versions_user_id_fkey to page_versions_user_id_fkey;
alter index info_page_versions_user rename to page_versions_user;

-- Addresses that pages had before: they lead to the present ones.
create table former_page_slugs (
  slug text primary key,
  page_id uuid not null references pages (id) on delete cascade,
  created_at timestamptz not null
);
create index former_page_slugs_page on former_page_slugs (page_id);

-- One row. A part that is null was never edited: the site shows its default.
create table navigation (
  id boolean primary key default true check (id),
  header jsonb,
  footer jsonb,
  version integer not null default 1
);
insert into navigation default values;

create table friend_links (
  id uuid primary key,
  name text not null,
  url text not null,
  description text not null,
  logo text not null,
  sort integer not null,
  enabled boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index friend_links_order on friend_links (sort, id);

-- Menus that operators did not rename get the new name, and a group with the other screens of the site.
update menus set name = '页面' where permission = 'page:list' and name = '说明页面';
update menus set name = '修改页面' where permission = 'page:update' and name = '修改说明页面';
with page as (
  select child.id from menus child join menus parent on parent.id = child.parent_id
  where child.permission = 'page:list' and parent.code = 'content'
), grouped as (
  insert into menus (id, name, icon, kind, sort, code)
  select gen_random_uuid(), '网站', 'site', 'group', 2, 'site' from page
  returning id
)
update menus set parent_id = grouped.id, sort = 0 from grouped, page where menus.id = page.id;
