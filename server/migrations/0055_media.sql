-- Where uploaded files are used. Triggers, because texts and columns with file paths are written in many places.
alter table uploads add column is_used boolean not null default false;
alter table attachments add column is_used boolean not null default false;
create index uploads_thumb on uploads (thumb_path);
create index uploads_middle on uploads (middle_path) where middle_path is not null;

create table upload_uses (
  -- The row that uses the file: its table and its primary key.
  source text not null,
  row_key text not null,
  -- What people call it, and the id to show: that of the essay for its versions.
  kind text not null,
  target_id uuid,
  upload_id uuid references uploads (id) on delete cascade,
  attachment_id uuid references attachments (id) on delete cascade,
  check (num_nonnulls(upload_id, attachment_id) = 1),
  unique nulls not distinct (source, row_key, upload_id, attachment_id)
);
create index upload_uses_upload on upload_uses (upload_id, kind, target_id) where upload_id is not null;
create index upload_uses_attachment on upload_uses (attachment_id, kind, target_id) where attachment_id is not null;

-- Files without a row, which a job deletes later; an upload of the same content takes its path off the list before.
create table discarded_files (
  path text primary key,
  discarded_at timestamptz not null
);
create index discarded_files_order on discarded_files (discarded_at, path);

-- Bytes that a user has stored, and limits that differ from those of the site (null: as the site).
create table upload_totals (
  user_id uuid primary key references users (id) on delete cascade,
  image_bytes bigint not null default 0,
  attachment_bytes bigint not null default 0,
  image_quota bigint check (image_quota >= 0),
  attachment_quota bigint check (attachment_quota >= 0)
);

create function upload_counted() returns trigger language plpgsql as $$
declare
  images bigint := 0;
  files bigint := 0;
begin
  if tg_table_name = 'uploads' then
    images := case when tg_op = 'INSERT' then new.bytes else -old.bytes end;
  else
    files := case when tg_op = 'INSERT' then new.bytes else -old.bytes end;
  end if;
  if tg_op = 'INSERT' then
    insert into upload_totals (user_id, image_bytes, attachment_bytes) values (new.user_id, images, files)
    on conflict (user_id) do update set
      image_bytes = upload_totals.image_bytes + images, attachment_bytes = upload_totals.attachment_bytes + files;
  else
    -- Not an upsert: the user may be deleted in the same statement.
    update upload_totals set image_bytes = image_bytes + images, attachment_bytes = attachment_bytes + files
    where user_id = old.user_id;
  end if;
  return null;
end $$;
create trigger uploads_counted after insert or delete on uploads
  for each row execute function upload_counted();
create trigger attachments_counted after insert or delete on attachments
  for each row execute function upload_counted();

insert into upload_totals (user_id, image_bytes, attachment_bytes)
select user_id, sum(image_bytes), sum(attachment_bytes) from (
  select user_id, bytes as image_bytes, 0 as attachment_bytes from uploads
  union all
  select user_id, 0, bytes from attachments
) as files group by user_id;

create function file_paths(content text) returns text[] language sql immutable
return array(
  select distinct match[1]
  from regexp_matches(content, '(/files/[0-9a-f]{2}/[0-9a-f]{62}\.[a-z0-9]{2,5})', 'g') as match
);

-- Makes the given files those that a row uses.
create function upload_uses_set(
  new_source text, new_key text, new_kind text, new_target uuid, paths text[], attachment_ids uuid[]
) returns void language plpgsql as $$
declare
  added_uploads uuid[];
  added_attachments uuid[];
  dropped_uploads uuid[];
  dropped_attachments uuid[];
begin
  with wanted as (
    select id as upload_id, null::uuid as attachment_id from uploads where path = any (paths)
    union select id, null from uploads where thumb_path = any (paths)
    union select id, null from uploads where middle_path = any (paths)
    union select null, id from attachments where id = any (attachment_ids)
  ), dropped as (
    delete from upload_uses as known where source = new_source and row_key = new_key and not exists (
      select from wanted where wanted.upload_id = known.upload_id or wanted.attachment_id = known.attachment_id)
    returning upload_id, attachment_id
  ), added as (
    insert into upload_uses (source, row_key, kind, target_id, upload_id, attachment_id)
    select new_source, new_key, new_kind, new_target, upload_id, attachment_id from wanted
    on conflict do nothing
    returning upload_id, attachment_id
  )
  select (select array_agg(upload_id) from added), (select array_agg(attachment_id) from added),
    (select array_agg(upload_id) from dropped), (select array_agg(attachment_id) from dropped)
  into added_uploads, added_attachments, dropped_uploads, dropped_attachments;

  -- The foreign keys hold a lock on the added files, so that nobody deletes them meanwhile. Locks are taken in order.
  if added_uploads is not null then
    update uploads set is_used = true where id in (
      select id from uploads where id = any (added_uploads) and not is_used order by id for no key update);
  end if;
  if added_attachments is not null then
    update attachments set is_used = true where id in (
      select id from attachments where id = any (added_attachments) and not is_used order by id for no key update);
  end if;
  -- The lock waits for transactions that add a use, which the second statement then finds.
  if dropped_uploads is not null then
    perform from uploads where id = any (dropped_uploads)
      and not exists (select from upload_uses where upload_id = uploads.id) order by id for update;
    update uploads set is_used = false where id = any (dropped_uploads) and is_used
      and not exists (select from upload_uses where upload_id = uploads.id);
  end if;
  if dropped_attachments is not null then
    perform from attachments where id = any (dropped_attachments)
      and not exists (select from upload_uses where attachment_id = attachments.id) order by id for update;
    update attachments set is_used = false where id = any (dropped_attachments) and is_used
      and not exists (select from upload_uses where attachment_id = attachments.id);
  end if;
end $$;

-- Arguments: kind, column of the target (or empty), columns of the primary key, columns with file paths.
create function upload_uses_tracked() returns trigger language plpgsql as $$
declare
  fields jsonb := case when tg_op = 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
  row_key text := (
    select string_agg(fields ->> name, ':') from unnest(string_to_array(tg_argv[2], ',')) as name);
  paths text[] := '{}';
  ids uuid[] := '{}';
begin
  if tg_op <> 'DELETE' then
    paths := file_paths((
      select string_agg(fields ->> name, ' ') from unnest(string_to_array(tg_argv[3], ',')) as name));
    ids := array(
      select value::uuid from jsonb_array_elements_text(coalesce(fields -> 'attachments', fields -> 'fields' -> 'attachments', '[]')));
    -- Somebody was about to use a file when staff removed it: the removal was first.
    if exists (
      select from discarded_files where path = any (paths)
        and not exists (select from uploads where uploads.path = discarded_files.path)
        and not exists (select from uploads where uploads.thumb_path = discarded_files.path)
        and not exists (select from uploads where uploads.middle_path = discarded_files.path)
    ) or exists (
      select from unnest(ids) as wanted (id) where not exists (select from attachments where attachments.id = wanted.id)
    ) then
      raise foreign_key_violation using message = 'a removed file is used', constraint = 'uploads_removed';
    end if;
  end if;
  perform upload_uses_set(
    tg_table_name, row_key, tg_argv[0], (fields ->> nullif(tg_argv[1], ''))::uuid, paths, ids);
  return null;
end $$;

-- The condition skips rows without files; `@` stands for the new and for the old row.
create function track_upload_uses(
  tracked regclass, kind text, target text, keys text, columns text, condition text
) returns void language plpgsql as $$
begin
  execute format(
    'create trigger %I after insert or update of %s on %s for each row when (%s)
      execute function upload_uses_tracked(%L, %L, %L, %L)',
    tracked || '_upload_uses_added', columns, tracked, replace(condition, '@', 'new'), kind, target, keys, columns);
  execute format(
    'create trigger %I after delete or update of %s on %s for each row when (%s)
      execute function upload_uses_tracked(%L, %L, %L, %L)',
    tracked || '_upload_uses_dropped', columns, tracked, replace(condition, '@', 'old'), kind, target, keys, columns);
  -- Rows from before.
  execute format(
    'select upload_uses_set(%1$L, key, %2$L, target, file_paths(content), ids) from (
      select concat_ws('':'', %3$s) as key, %4$s::uuid as target, concat_ws('' '', %5$s) as content, array(
        select value::uuid from jsonb_array_elements_text(coalesce(
          to_jsonb(it) -> ''attachments'', to_jsonb(it) -> ''fields'' -> ''attachments'', ''[]''))) as ids
      from %1$s as it where %6$s) as known',
    tracked, kind, keys, coalesce(nullif(target, ''), 'null'), columns, replace(condition, '@', 'it'));
end $$;

select track_upload_uses('essays', 'essay', 'id', 'id', 'cover,attachments',
  '@.cover like ''%/files/%'' or cardinality(@.attachments) > 0');
select track_upload_uses('essay_revisions', 'essay', 'essay_id', 'essay_id,version', 'content,fields',
  '@.content like ''%/files/%'' or @.fields ->> ''cover'' like ''%/files/%'' or @.fields -> ''attachments'' <> ''[]''');
select track_upload_uses('essay_texts', 'essay', 'essay_id', 'essay_id,version', 'html', '@.html like ''%/files/%''');
select track_upload_uses('essay_locked_texts', 'essay', 'essay_id', 'essay_id,version', 'html',
  '@.html like ''%/files/%''');
select track_upload_uses('columns', 'column', 'id', 'id', 'cover', '@.cover like ''%/files/%''');
select track_upload_uses('comments', 'comment', 'id', 'id', 'content,html',
  '@.content like ''%/files/%'' or @.html like ''%/files/%''');
select track_upload_uses('pages', 'page', 'id', 'id', 'content,html',
  '@.content like ''%/files/%'' or @.html like ''%/files/%''');
select track_upload_uses('page_versions', 'page', 'page_id', 'page_id,version', 'content',
  '@.content like ''%/files/%''');
select track_upload_uses('announcements', 'announcement', 'id', 'id', 'content,html,link',
  '@.content like ''%/files/%'' or @.html like ''%/files/%'' or @.link like ''%/files/%''');
select track_upload_uses('covers', 'cover', 'id', 'id', 'image,link',
  '@.image like ''%/files/%'' or @.link like ''%/files/%''');
select track_upload_uses('friend_links', 'friend-link', 'id', 'id', 'logo', '@.logo like ''%/files/%''');
select track_upload_uses('users', 'avatar', 'id', 'id', 'head_img', '@.head_img like ''%/files/%''');
select track_upload_uses('navigation', 'navigation', '', 'id', 'header,footer',
  'concat(@.header, @.footer) like ''%/files/%''');
select track_upload_uses('settings', 'setting', '', 'key', 'value', '@.value::text like ''%/files/%''');
select track_upload_uses('chat_messages', 'chat', 'id', 'id', 'image,html',
  '@.image is not null or @.html like ''%/files/%''');
select track_upload_uses('letters', 'letter', 'id', 'id', 'content,html',
  '@.content like ''%/files/%'' or @.html like ''%/files/%''');
select track_upload_uses('remote_pictures', 'import', 'transfer_id', 'id', 'path', '@.path is not null');

-- Lists of the media library, and what can be removed.
create index uploads_size on uploads (bytes, id);
create index uploads_unused on uploads (id) where not is_used;
create index uploads_unused_size on uploads (bytes, id) where not is_used;
create index uploads_unused_user on uploads (user_id, id) where not is_used;
create index attachments_name on attachments (lower(name) text_pattern_ops);
create index attachments_size on attachments (bytes, id);
create index attachments_unused on attachments (id) where not is_used;
create index attachments_unused_size on attachments (bytes, id) where not is_used;
create index attachments_unused_user on attachments (user_id, id) where not is_used;
