-- `tg_table_name` has the collation "C". A function that receives it compares all its texts by "C", for which the indexes of
-- paths and keys cannot be used: each saved row with files read all rows of `uploads` and `upload_uses`.
create or replace function upload_uses_tracked() returns trigger language plpgsql as $$
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
    tg_table_name::text collate "default", row_key, tg_argv[0], (fields ->> nullif(tg_argv[1], ''))::uuid, paths, ids);
  return null;
end $$;
