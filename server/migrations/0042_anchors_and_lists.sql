-- The link beside a heading is for the mouse alone: screen readers read the heading without it.
update essay_texts set html = replace(html, ' aria-label="本节链接"></a></h', ' aria-hidden="true" tabindex="-1"></a></h')
  where html like '%"本节链接"></a></h%';
update essay_locked_texts set html = replace(html, ' aria-label="本节链接"></a></h', ' aria-hidden="true" tabindex="-1"></a></h')
  where html like '%"本节链接"></a></h%';
update info_pages set html = replace(html, ' aria-label="本节链接"></a></h', ' aria-hidden="true" tabindex="-1"></a></h')
  where html like '%"本节链接"></a></h%';
update announcements set html = replace(html, ' aria-label="本节链接"></a></h', ' aria-hidden="true" tabindex="-1"></a></h')
  where html like '%"本节链接"></a></h%';

-- The back office sorts all essays by what readers did. Counters share their update with the heat, which is indexed
-- already: a few more entries, and no other kind of write.
create index essays_by_reads on essays (read_count, id) where deleted_at is null;
create index essays_by_likes on essays (like_count, id) where deleted_at is null;
create index essays_by_comments on essays (cmt_count, id) where deleted_at is null;
create index essays_by_collects on essays (collect_count, id) where deleted_at is null;

-- A tag lives as long as an essay on the shelf has it.
delete from tags where essay_count = 0
  and not exists (select 1 from tag_aliases where tag_aliases.name = tags.name and pending);
