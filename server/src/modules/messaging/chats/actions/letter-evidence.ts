import type { LetterEvidence } from '@mozhan/contract/reports.ts';
import type { Ctx, Viewer } from '../../../../ctx.ts';
import { findVisibleLetter, listLettersBetween } from '../queries/letters.ts';
import type { LetterRow } from '../tables.ts';

const LETTERS_BEFORE = 2;
const LETTERS_AFTER = 1;
const MAX_CONTEXT_LENGTH = 300;

/** Returns the sender of a letter and what staff may see of its thread; null unless the viewer can see the letter. */
export async function findLetterEvidence(
  ctx: Ctx,
  viewer: Viewer,
  id: string,
): Promise<{ fromId: string; evidence: LetterEvidence } | null> {
  const found = await findVisibleLetter(ctx.db, viewer.id, id);
  if (found === null) return null;
  const { letter, subject, hiddenSeq } = found;
  const rows = await listLettersBetween(ctx.db, letter.threadId, {
    from: Math.max(letter.seq - LETTERS_BEFORE, hiddenSeq + 1),
    to: letter.seq + LETTERS_AFTER,
  });
  const textFor = (row: LetterRow) => (row.fromId === viewer.id ? row.content : (row.masked ?? row.content));
  return {
    fromId: letter.fromId,
    evidence: {
      subject,
      letters: rows.map((row) => ({
        isReported: row.id === id,
        isByReporter: row.fromId === viewer.id,
        content: row.id === id ? textFor(row) : [...textFor(row)].slice(0, MAX_CONTEXT_LENGTH).join(''),
        createdAt: row.createdAt.toISOString(),
      })),
    },
  };
}
