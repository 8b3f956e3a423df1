-- Which essay or page an item of another site became, so that a second import of that site does not bring it again.
create table imported_sources (
  -- The hash of the item's id in the source, which may be long.
  source_hash text primary key,
  essay_id uuid references essays (id) on delete cascade,
  page_id uuid references pages (id) on delete cascade,
  transfer_id uuid references transfers (id) on delete set null,
  content_hash text not null,
  check (num_nonnulls(essay_id, page_id) = 1)
);
create index imported_sources_by_essay on imported_sources (essay_id) where essay_id is not null;
create index imported_sources_by_page on imported_sources (page_id) where page_id is not null;
create index imported_sources_by_transfer on imported_sources (transfer_id) where transfer_id is not null;
