import { readdir, readFile } from 'node:fs/promises';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Ctx } from '../../../ctx.ts';
import { listEnabledCategories } from '../../content/categories/index.ts';
import { changeStatus, createColumn, createEssay } from '../../content/essays/index.ts';
import { columns } from './community/content.ts';
import { createAction, type DemoAction, getColumnId, hoursBefore } from './timeline.ts';

const FOLDER = new URL('./texts/', import.meta.url);
const NEWEST_HOURS = 7;
const HOURS_BETWEEN = 30;

const head = z.object({
  author: z.string(),
  category: z.string(),
  title: z.string(),
  summary: z.string(),
  tags: z.array(z.string()),
  column: z.string().optional(),
  price: z.int(),
  memberFree: z.boolean().default(false),
});

const drawings = z.array(z.object({ source: z.string(), light: z.string(), dark: z.string() }));

export interface DemoEssay extends z.output<typeof head> {
  /** The name of its file without the extension. */
  slug: string;
  content: string;
  /** Drawn by `e2e/draw-demo.ts`. */
  drawings: z.output<typeof drawings>;
}

export interface PlannedEssay extends DemoEssay {
  at: Date;
}

const readFileOf = (name: string): Promise<string> => readFile(new URL(name, FOLDER), 'utf8');

async function readText(slug: string, hasDrawings: boolean): Promise<DemoEssay> {
  const file = await readFileOf(`${slug}.md`);
  const [, front = '', content = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(file) ?? [];
  const drawn = hasDrawings ? JSON.parse(await readFileOf(`${slug}.drawings.json`)) : [];
  return { ...head.parse(parse(front)), slug, content, drawings: drawings.parse(drawn) };
}

async function listTexts(): Promise<DemoEssay[]> {
  const names = new Set(await readdir(FOLDER));
  const slugs = [...names].filter((name) => name.endsWith('.md')).map((name) => name.slice(0, -3));
  return Promise.all(slugs.sort().map((slug) => readText(slug, names.has(`${slug}.drawings.json`))));
}

export const planEssays = async (now: Date): Promise<PlannedEssay[]> =>
  interleaveAuthors(await listTexts()).map((text, i, { length }) => ({
    ...text,
    at: hoursBefore(now, NEWEST_HOURS + (length - 1 - i) * HOURS_BETWEEN),
  }));

/** Uses the same actions as regular users. */
export async function publishEssays(ctx: Ctx, planned: PlannedEssay[]): Promise<DemoAction[]> {
  const categories = new Map((await listEnabledCategories(ctx)).map(({ slug, id }) => [slug, id]));
  return planned.map(({ slug, at, author, category, column, drawings, ...text }) =>
    createAction(at, author, async (ctx, viewer, state) => {
      if (column !== undefined && !state.columns.has(column)) {
        const created = await createColumn(ctx, viewer, { name: column, ...columns[column] });
        state.columns.set(column, created.column.id);
      }
      const { id } = await createEssay(ctx, viewer, {
        ...text,
        categoryId: categories.get(category) ?? null,
        columnId: column === undefined ? null : getColumnId(state, column),
      });
      await changeStatus(ctx, viewer, { id, status: ESSAY_STATUS.waiting, drawings });
      for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf] as const)
        await changeStatus(ctx, viewer, { id, status });
      state.essays.set(slug, id);
    }),
  );
}

/** Mixes the authors and keeps the order of each author's essays. */
function interleaveAuthors(texts: DemoEssay[]): DemoEssay[] {
  const byAuthor = Map.groupBy(texts, ({ author }) => author);
  const relativePosition = (text: DemoEssay) => {
    const own = byAuthor.get(text.author) ?? [];
    return (own.indexOf(text) + 0.5) / own.length;
  };
  return texts.toSorted((a, b) => relativePosition(a) - relativePosition(b));
}
