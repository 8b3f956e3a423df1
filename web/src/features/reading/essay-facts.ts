import type { Essay } from '@mozhan/contract/essays.ts';

const COUNTS = [
  'readCount',
  'likeCount',
  'cmtCount',
  'collectCount',
  'shareCount',
  'downloadCount',
  'rewardCount',
] as const satisfies readonly (keyof Essay)[];

/** The numbers that change while an essay is read. */
export const essayCounts = (essay: Essay): string => COUNTS.map((name) => essay[name]).join(' ');

const OMITTED: ReadonlySet<string> = new Set([...COUNTS, 'html', 'toc']);

const serializedFacts = new WeakMap<Essay, string>();

/** Everything but the text and the numbers, as input of cached fragments; serialized once for all of a page. */
export function essayFacts(essay: Essay): string {
  if (!import.meta.env.SSR) return '';
  let facts = serializedFacts.get(essay);
  if (facts === undefined) {
    facts = JSON.stringify(Object.entries(essay).filter(([name]) => !OMITTED.has(name)));
    serializedFacts.set(essay, facts);
  }
  return facts;
}
