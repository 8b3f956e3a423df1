import { createHash } from 'node:crypto';
import type { Ctx } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import * as queries from '../queries/runs.ts';
import type { ItemRow, TransferRow } from '../tables.ts';

const BEAT_MS = 5000;
/** The run is no longer ours: it was cancelled, removed or taken over. */
export class Stopped extends Error {}

/** A run under way in this process. */
export interface Run {
  row: TransferRow;
  /** The context as of now. */
  ctx: () => Ctx;
  /** Throws when the run is over; to be asked before each part of the work. */
  check: () => void;
  /** In the transaction of what it stands for: false when that was done before. */
  note: (ctx: Ctx, item: NewItem) => Promise<boolean>;
  setTotal: (total: number) => void;
  advance: (by?: number) => void;
}

export interface OpenRun extends Run {
  counts: () => { total: number; done: number };
  close: () => void;
}

export type NewItem = Omit<ItemRow, 'transferId' | 'seq' | 'note' | 'targetId' | 'detail'> &
  Partial<Pick<ItemRow, 'note' | 'targetId' | 'detail'>>;

/** Of what archives call their parts, as much as the index takes. */
const LONGEST_KEY = 500;
const LONGEST_TITLE = 200;
const LONGEST_NOTE = 2000;

/** PostgreSQL keeps no NUL. */
const plain = (text: string): string => text.replaceAll('\0', '');

/** The same for the same part, whatever its archive calls it. */
export function keyOf(text: string): string {
  const key = plain(text);
  if (key.length <= LONGEST_KEY) return key;
  return `${key.slice(0, LONGEST_KEY - 65)}:${createHash('sha256').update(key).digest('hex')}`;
}

export function openRun(ctx: Ctx, row: TransferRow, runner: string): OpenRun {
  let { total } = row;
  let done = 0;
  let isOver = false;
  const now = () => ctx.services.clock();
  const beat = async () => {
    const isOurs = await queries.keepRun(ctx.db, row.id, runner, { aliveAt: now(), total, done });
    if (!isOurs) isOver = true;
  };
  const timer = setInterval(() => {
    // Missed once: the next one counts.
    beat().catch(() => {});
  }, BEAT_MS);
  timer.unref();
  return {
    row,
    ctx: () => ({ ...ctx, now: now() }),
    check() {
      if (isOver) throw new Stopped();
    },
    async note(ctx, { key, title, note = '', targetId = null, detail = null, ...item }) {
      // Taken over while it was at work: what the other one does counts. And it gets on.
      if (!(await queries.keepRun(ctx.db, row.id, runner, { aliveAt: now(), total, done, failures: 0 })))
        throw new Stopped();
      return queries.insertItem(ctx.db, {
        ...item,
        transferId: row.id,
        seq: newId(),
        key: keyOf(key),
        title: plain(title).slice(0, LONGEST_TITLE),
        note: plain(note).slice(0, LONGEST_NOTE),
        targetId,
        detail,
      });
    },
    setTotal(given) {
      total = given;
    },
    advance(by = 1) {
      done += by;
    },
    counts: () => ({ total, done }),
    close: () => clearInterval(timer),
  };
}
