import type pg from 'pg';

/** Lists everything that migrations define, one line each, to compare two databases. */
const SCHEMA = `
  with ours as (select * from pg_class where relnamespace = 'public'::regnamespace)
  select concat_ws(' ', 'relation', relname, relkind, relpersistence, reloptions) as line from ours
  where relkind <> 'i'
  union all
  select concat_ws(' ', 'column', relname, attnum, attname, format_type(atttypid, atttypmod), attnotnull,
    pg_get_expr(adbin, adrelid), attgenerated, attidentity, attstorage, attcollation::regcollation, attstattarget)
  from pg_attribute join ours on ours.oid = attrelid and relkind = 'r'
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select concat_ws(' ', 'constraint', relname, conname, pg_get_constraintdef(pg_constraint.oid), convalidated)
  from pg_constraint join ours on ours.oid = conrelid
  union all
  select concat_ws(' ', 'index', pg_get_indexdef(indexrelid), indisvalid)
  from pg_index join ours on ours.oid = indrelid
  union all
  select concat_ws(' ', 'trigger', pg_get_triggerdef(pg_trigger.oid), tgenabled)
  from pg_trigger join ours on ours.oid = tgrelid where not tgisinternal
  union all
  select concat_ws(' ', 'function', pg_get_functiondef(oid)) from pg_proc
  where pronamespace = 'public'::regnamespace
  union all
  select concat_ws(' ', 'sequence', relname, seqtypid::regtype, seqstart, seqincrement, seqmax, seqcycle)
  from pg_sequence join ours on ours.oid = seqrelid
  union all
  select concat_ws(' ', 'view', relname, pg_get_viewdef(oid)) from ours where relkind in ('v', 'm')
  union all
  select concat_ws(' ', 'type', typname, typtype) from pg_type
  where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
  order by 1`;

export const describeSchema = async (db: Pick<pg.Pool, 'query'>): Promise<string[]> =>
  (await db.query<{ line: string }>(SCHEMA)).rows.map(({ line }) => line);
