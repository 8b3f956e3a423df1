import { createHash } from 'node:crypto';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries/runs.ts';
import type { ItemRow, TransferRow } from '../tables.ts';

const HEARTBEAT_MS = 5000;
/** The run was cancelled, removed or claimed by another process. */
export class RunStoppedError extends Error {}

export interface Run {
  row: TransferRow;
  ctx: () => Ctx;
  /** Must be called before each part of the work. */
  throwIfStopped: () => void;
  /** Must run in the transaction of the imported part; returns false if the item exists already. */
  recordItem: (ctx: Ctx, item: NewItem) => Promise<boolean>;
  setTotal: (total: number) => void;
  advance: (by?: number) => void;
}

export interface OpenRun extends Run {
  counts: () => { total: number; done: number };
  close: () => void;
}

export type NewItem = Omit<ItemRow, 'transferId' | 'seq' | 'note' | 'targetId' | 'detail'> &
  Partial<Pick<ItemRow, 'note' | 'targetId' | 'detail'>>;

/** The index of the keys limits their length. */
const MAX_KEY_LENGTH = 500;
const MAX_TITLE_LENGTH = 200;
const MAX_NOTE_LENGTH = 2000;

/** PostgreSQL cannot store NUL characters. */
const removeNul = (text: string): string => text.replaceAll('\0', '');

/** Long names are truncated and extended by their hash, so that keys stay unique. */
export function toItemKey(text: string): string {
  const key = removeNul(text);
  if (key.length <= MAX_KEY_LENGTH) return key;
  return `${key.slice(0, MAX_KEY_LENGTH - 65)}:${createHash('sha256').update(key).digest('hex')}`;
}

export function openRun(ctx: Ctx, row: TransferRow, runner: string): OpenRun {
  let { total } = row;
  let done = 0;
  let isStopped = false;
  const now = () => ctx.services.clock();
  const sendHeartbeat = async () => {
    const isClaimed = await queries.updateClaimedRun(ctx.db, row.id, runner, { aliveAt: now(), total, done });
    if (!isClaimed) isStopped = true;
  };
  const timer = setInterval(() => {
    // The next heartbeat makes up for a failed one.
    sendHeartbeat().catch(() => {});
  }, HEARTBEAT_MS);
  timer.unref();
  return {
    row,
    ctx: () => ({ ...ctx, now: now() }),
    throwIfStopped() {
      if (isStopped) throw new RunStoppedError();
    },
    async recordItem(ctx, { key, title, note = '', targetId = null, detail = null, ...item }) {
      // Fails if another process has claimed the run; otherwise the progress resets the failures.
      if (
        !(await queries.updateClaimedRun(ctx.db, row.id, runner, {
          aliveAt: now(),
          total,
          done,
          failures: 0,
        }))
      )
        throw new RunStoppedError();
      return queries.insertItem(ctx.db, {
        ...item,
        transferId: row.id,
        seq: newId(),
        key: toItemKey(key),
        title: removeNul(title).slice(0, MAX_TITLE_LENGTH),
        note: removeNul(note).slice(0, MAX_NOTE_LENGTH),
        targetId,
        detail,
      });
    },
    setTotal(count) {
      total = count;
    },
    advance(by = 1) {
      done += by;
    },
    counts: () => ({ total, done }),
    close: () => clearInterval(timer),
  };
}
