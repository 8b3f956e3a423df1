-- A backup may also be made before an update.
alter table backups drop constraint backups_made_by_check;
alter table backups add constraint backups_made_by_check
  check (made_by in ('manual', 'scheduled', 'command', 'update'));
