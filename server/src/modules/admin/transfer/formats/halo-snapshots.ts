import { z } from 'zod';
import { MAX_ESSAY_LENGTH } from './types.ts';

/** A version of a text of Halo: the first one in full, later ones as differences to the first one. */
export interface Snapshot {
  rawType: string;
  rawPatch: string;
  contentPatch: string;
}

const chunk = z.object({ position: z.int().min(0), lines: z.array(z.string()).nullish() });
const deltas = z.array(
  z.object({ source: chunk, target: chunk, type: z.enum(['CHANGE', 'INSERT', 'DELETE', 'EQUAL']) }),
);

/** Applies differences to a text line by line; null if they do not fit. */
export function applyPatch(original: string, patch: string): string | null {
  if (patch.length > 4 * MAX_ESSAY_LENGTH) return null;
  let parsed: z.output<typeof deltas>;
  try {
    parsed = deltas.parse(JSON.parse(patch || '[]'));
  } catch {
    return null;
  }
  const lines = original.trim() === '' ? [] : original.split('\n');
  const result: string[] = [];
  let done = 0;
  for (const { source, target, type } of parsed.toSorted((a, b) => a.source.position - b.source.position)) {
    if (type === 'EQUAL') continue;
    if (source.position < done || source.position > lines.length) return null;
    for (; done < source.position; done += 1) result.push(lines[done] ?? '');
    if (type !== 'INSERT') done += source.lines?.length ?? 0;
    if (type !== 'DELETE') for (const line of target.lines ?? []) result.push(line);
  }
  for (; done < lines.length; done += 1) result.push(lines[done] ?? '');
  return result.join('\n');
}

export function applySnapshot(base: Snapshot, current: Snapshot): { raw: string; content: string } | null {
  if (base === current) return { raw: base.rawPatch, content: base.contentPatch };
  const raw = applyPatch(base.rawPatch, current.rawPatch);
  const content = applyPatch(base.contentPatch, current.contentPatch);
  return raw === null || content === null ? null : { raw, content };
}
