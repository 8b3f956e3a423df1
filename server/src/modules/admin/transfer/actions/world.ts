import { setTimeout as sleep } from 'node:timers/promises';
import { CallError } from '@mozhan/contract/errors.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { fromDatabase } from '../../../../db/errors.ts';
import type { User } from '../../../accounts/users/tables.ts';
import type { OpenArchive } from '../archive.ts';
import { listAllItems } from '../queries/runs.ts';
import { findUser } from '../queries/targets.ts';
import type { ItemRow } from '../tables.ts';
import { keyOf, type NewItem, type Run, Stopped } from './run.ts';

/** An import under way: the archive, and what is known by now. */
export interface World {
  run: Run;
  archive: OpenArchive;
  /** What was done before the run was cut off. */
  before: ReadonlyMap<string, ItemRow>;
  people: Map<string, Viewer>;
  /** Pictures and attachments of the archive by whose they are, and where they are kept now; null: refused. */
  files: Map<string, { id: string; path: string } | null>;
  /** Columns of the archive, and what they are here. */
  columns: Map<string, string>;
  /** Essays of the archive that came in by this run, and what they are here. */
  essays: Map<string, string>;
  /** Whose becomes what has no author. */
  fallback: Viewer | null;
  /** Nobody knows the password of those who come. */
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

/** Whose doing an import is. */
export async function ordererOf(run: Run): Promise<Viewer> {
  const { userId } = run.row;
  const user = userId === null ? null : await findUser(run.ctx().db, userId);
  if (user === null) throw new CallError('INVALID', { message: '发起的人已不在' });
  return toViewer(user, '');
}

export async function openWorld(run: Run, archive: OpenArchive): Promise<World> {
  const { db } = run.ctx();
  const items = await listAllItems(db, run.row.id);
  const came = (kind: ItemRow['kind']) =>
    items.flatMap(({ kind: each, key, targetId }) =>
      each === kind && targetId !== null ? [[key.slice(kind.length + 1), targetId] as const] : [],
    );
  const fallback = run.row.authorId === null ? null : await findUser(db, run.row.authorId);
  return {
    run,
    archive,
    before: new Map(items.map((item) => [item.key, item])),
    people: new Map(),
    files: new Map(
      items.flatMap(({ kind, key, targetId, detail }) =>
        kind === 'file'
          ? [[key, targetId === null ? null : { id: targetId, path: detail?.path ?? '' }] as const]
          : [],
      ),
    ),
    columns: new Map(came('column')),
    essays: new Map(came('essay')),
    fallback: fallback === null ? null : toViewer(fallback, ''),
    passwordHash: null,
  };
}

/** Times to come are none that anything here can have, nor such as were before there were any. */
export const notLater = (given: Date, now: Date): Date =>
  new Date(Math.max(0, Math.min(given.getTime(), now.getTime())));

/** What stood in the way, field by field where it is known. */
export function sentenceOf(error: CallError): string {
  const fields = Object.values(error.fields ?? {});
  return fields.length > 0 ? fields.join('；') : error.message;
}

/** A minute in all; what is away for longer is waited for by the run as a whole. */
const PAUSES_MS = [1000, 4000, 15_000, 40_000];

/** No fault of what is being brought. */
export const isBusy = (error: unknown): boolean => error instanceof CallError && error.code === 'UNAVAILABLE';

/** What the server is too busy for, or cannot reach, is done again a little later. */
export async function patiently<T>(run: Run, work: () => Promise<T>, nth = 0): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const error = fromDatabase(thrown);
    const pause = PAUSES_MS[nth];
    if (pause === undefined || !isBusy(error)) throw error;
    await sleep(pause);
    run.check();
    return patiently(run, work, nth + 1);
  }
}

/** One part of an import: done once, however often the run is cut off; what fails is left out and named. */
export async function attempt(
  { run, before }: World,
  item: Pick<NewItem, 'key' | 'kind' | 'title'>,
  work: (ctx: Ctx) => Promise<void>,
  weight = 1,
): Promise<void> {
  run.check();
  if (!before.has(keyOf(item.key))) {
    try {
      await patiently(run, () => work(run.ctx()));
    } catch (error) {
      if (error instanceof Stopped || isBusy(error)) throw error;
      const isExpected = error instanceof CallError;
      if (!isExpected) run.ctx().services.log.error({ err: error, key: item.key }, 'import');
      const note = isExpected ? sentenceOf(error) : '处理时出错，没有导入';
      await run.note(run.ctx(), { ...item, outcome: 'skipped', note });
    }
  }
  run.advance(weight);
}
