-- A second import of a site updates what was not edited here; the version tells whether it was.
alter table imported_sources add column version integer not null default 1;

alter table transfer_items
  drop constraint transfer_items_outcome_check,
  add constraint transfer_items_outcome_check check (outcome in ('created', 'updated', 'skipped', 'removed', 'kept'));
