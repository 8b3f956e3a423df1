import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import type { Db } from '../../../../db/client.ts';
import { mapDatabaseError } from '../../../../db/errors.ts';
import type { User } from '../../../accounts/users/tables.ts';
import type { OpenArchive } from '../archive.ts';
import { listAllItems } from '../queries/runs.ts';
import { findUser, listPageIds } from '../queries/targets.ts';
import type { ItemRow } from '../tables.ts';
import type { ImportedFile, RefusedFile } from './import-files.ts';
import { type NewItem, type Run, RunStoppedError, toItemKey } from './run.ts';

export interface ImportState {
  run: Run;
  archive: OpenArchive;
  /** Items that were recorded before the run was interrupted. */
  before: ReadonlyMap<string, ItemRow>;
  authors: Map<string, Viewer>;
  /** Imported pictures and attachments by owner and name. */
  files: Map<string, ImportedFile | RefusedFile>;
  /** Column ids of the archive, mapped to ids of this site. */
  columns: Map<string, string>;
  /** Ids of essays imported by this run, mapped to ids of this site. */
  essays: Map<string, string>;
  /** Keys of items of pages imported by this run, mapped to slugs. */
  pages: Map<string, string>;
  /** The author of essays without one. */
  fallback: Viewer | null;
  /** The hash of a random password for new accounts. */
  passwordHash: string | null;
}

export const toViewer = (user: User, account: string): Viewer => ({
  id: user.id,
  sessionId: '',
  account,
  displayName: user.displayName,
  curIdentity: user.curIdentity,
  isStaff: false,
  isSuper: false,
  permissions: [],
  mustChangePassword: false,
});

export async function getRequester(run: Run): Promise<Viewer> {
  const { userId } = run.row;
  const user = userId === null ? null : await findUser(run.ctx().db, userId);
  if (user === null) throw new CallError('INVALID', { message: '发起的人已不在' });
  return toViewer(user, '');
}

async function findPageSlugs(db: Db, items: ItemRow[]): Promise<Map<string, string>> {
  const imported = items.filter(({ kind, targetId }) => kind === 'page' && targetId !== null);
  if (imported.length === 0) return new Map();
  const slugs = new Map((await listPageIds(db)).map(({ id, slug }) => [id, slug]));
  return new Map(imported.map(({ key, targetId }) => [key, slugs.get(targetId ?? '') ?? '']));
}

export async function openImportState(run: Run, archive: OpenArchive): Promise<ImportState> {
  const { db } = run.ctx();
  const items = await listAllItems(db, run.row.id);
  const mapImported = (kind: ItemRow['kind']) =>
    items.flatMap(({ kind: each, key, targetId }) =>
      each === kind && targetId !== null ? [[key.slice(kind.length + 1), targetId] as const] : [],
    );
  const fallback = run.row.authorId === null ? null : await findUser(db, run.row.authorId);
  return {
    run,
    archive,
    before: new Map(items.map((item) => [item.key, item])),
    authors: new Map(),
    files: new Map(
      items.flatMap(({ kind, key, targetId, detail, note }) =>
        kind === 'file'
          ? [
              [
                key,
                targetId === null ? { reason: note } : { id: targetId, path: detail?.path ?? '' },
              ] as const,
            ]
          : [],
      ),
    ),
    columns: new Map(mapImported('column')),
    essays: new Map(mapImported('essay')),
    pages: await findPageSlugs(db, items),
    fallback: fallback === null ? null : toViewer(fallback, ''),
    passwordHash: null,
  };
}

/** Limits a date to the range from 1970 to now. */
export const clampToPast = (given: Date, now: Date): Date =>
  new Date(Math.max(0, Math.min(given.getTime(), now.getTime())));

export function describeError(error: CallError): string {
  const fields = Object.values(error.fields ?? {});
  return fields.length > 0 ? fields.join('；') : error.message;
}

/** One minute in total; after a longer outage the entire run is repeated. */
const RETRY_DELAYS_MS = [1000, 4000, 15_000, 40_000];

export const isTemporaryError = (error: unknown): boolean =>
  error instanceof CallError && error.code === 'UNAVAILABLE';

/** Repeats work that fails because the server is busy or a service is unavailable. */
export async function withRetries<T>(run: Run, work: () => Promise<T>, attempt = 0): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = mapDatabaseError(thrown);
    const delay = RETRY_DELAYS_MS[attempt];
    if (delay === undefined || !isTemporaryError(error)) throw error;
    await sleep(delay);
    run.throwIfStopped();
    return withRetries(run, work, attempt + 1);
  }
}

/** Imports one item at most once, even if the run is interrupted; failures are recorded and skipped. */
export async function importItem(
  { run, before }: ImportState,
  item: Pick<NewItem, 'key' | 'kind' | 'title'>,
  work: (ctx: Ctx) => Promise<void>,
  count = 1,
): Promise<void> {
  run.throwIfStopped();
  if (!before.has(toItemKey(item.key))) {
    try {
      await withRetries(run, () => work(run.ctx()));
    } catch (error) {
      if (error instanceof RunStoppedError || isTemporaryError(error)) throw error;
      const isExpected = error instanceof CallError;
      if (!isExpected) run.ctx().services.log.error({ err: error, key: item.key }, 'import');
      const note = isExpected ? describeError(error) : '处理时出错，没有导入';
      await run.recordItem(run.ctx(), { ...item, outcome: 'skipped', note });
    }
  }
  run.advance(count);
}
