import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Ctx, Viewer } from '../../ctx.ts';
import { listEnabledCategories } from '../categories/index.ts';
import { changeStatus, createColumn, createEssay } from '../essays/index.ts';

const FOLDER = new URL('./texts/', import.meta.url);
const HOUR_MS = 3_600_000;

const head = z.object({
  author: z.string(),
  category: z.string(),
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  column: z.string().optional(),
});
type DemoEssay = z.output<typeof head> & { content: string };

function readText(file: string): DemoEssay {
  const [, front = '', content = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(file) ?? [];
  return { ...head.parse(parse(front)), content };
}

async function listTexts(): Promise<DemoEssay[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(names.map(async (name) => readText(await readFile(new URL(name, FOLDER), 'utf8'))));
}

/** Somebody who writes, and passes what was written. */
const asAuthor = (id: string, displayName: string): Viewer => ({
  id,
  sessionId: '',
  account: '',
  displayName,
  curIdentity: 2,
  isStaff: true,
  isSuper: true,
  permissions: [],
  mustChangePassword: false,
});

/** The demo people's essays, through the same doors as everyone's, published over the last weeks. */
export async function publishTexts(
  ctx: Ctx,
  authors: Map<string, { id: string; displayName: string }>,
): Promise<void> {
  const texts = await listTexts();
  const categories = new Map((await listEnabledCategories(ctx)).map(({ slug, id }) => [slug, id]));
  const columns = new Map<string, string>();
  for (const [i, { author, category, column, ...text }] of shuffled(texts).entries()) {
    const person = authors.get(author);
    if (person === undefined) throw new Error(`no demo person ${author}`);
    const viewer = asAuthor(person.id, person.displayName);
    const now = new Date(ctx.now.getTime() - (texts.length - i) * 19 * HOUR_MS);
    const then: Ctx = { ...ctx, viewer, now };
    if (column !== undefined && !columns.has(column))
      columns.set(column, (await createColumn(then, viewer, { name: column })).column.id);
    const { id } = await createEssay(then, viewer, {
      ...text,
      categoryId: categories.get(category) ?? null,
      columnId: column === undefined ? null : (columns.get(column) ?? null),
      status: 1,
    });
    for (const status of [2, 3] as const) await changeStatus(then, viewer, { id, status });
  }
}

/** Authors take turns; each one's essays keep their order. */
function shuffled(texts: DemoEssay[]): DemoEssay[] {
  const byAuthor = Map.groupBy(texts, ({ author }) => author);
  const place = (text: DemoEssay) => {
    const own = byAuthor.get(text.author) ?? [];
    return (own.indexOf(text) + 0.5) / own.length;
  };
  return texts.toSorted((a, b) => place(a) - place(b));
}
