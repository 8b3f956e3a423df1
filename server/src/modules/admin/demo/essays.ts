import { readdir, readFile } from 'node:fs/promises';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Ctx } from '../../../ctx.ts';
import { listEnabledCategories } from '../../content/categories/index.ts';
import { changeStatus, createColumn, createEssay } from '../../content/essays/index.ts';
import { columns } from './community/affairs.ts';
import { type Deed, deedOf, getColumnId, hoursBefore } from './history.ts';

const FOLDER = new URL('./texts/', import.meta.url);
/** The last one came out this long ago, and one a little more than every day before. */
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

export interface DemoEssay extends z.output<typeof head> {
  /** The name of its file. */
  slug: string;
  content: string;
}

/** An essay and when it comes out. */
export interface PlannedEssay extends DemoEssay {
  at: Date;
}

function readText(slug: string, file: string): DemoEssay {
  const [, front = '', content = ''] = /^---\n(.*?)\n---\n+(.*)$/s.exec(file) ?? [];
  return { ...head.parse(parse(front)), slug, content };
}

async function listTexts(): Promise<DemoEssay[]> {
  const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.md')).sort();
  return Promise.all(
    names.map(async (name) => readText(name.slice(0, -3), await readFile(new URL(name, FOLDER), 'utf8'))),
  );
}

/** The demo people's essays, over the last weeks. */
export const planEssays = async (now: Date): Promise<PlannedEssay[]> =>
  shuffled(await listTexts()).map((text, i, { length }) => ({
    ...text,
    at: hoursBefore(now, NEWEST_HOURS + (length - 1 - i) * HOURS_BETWEEN),
  }));

/** Through the same doors as everyone's. */
export async function publishEssays(ctx: Ctx, planned: PlannedEssay[]): Promise<Deed[]> {
  const categories = new Map((await listEnabledCategories(ctx)).map(({ slug, id }) => [slug, id]));
  return planned.map(({ slug, at, author, category, column, ...text }) =>
    deedOf(at, author, async (ctx, viewer, world) => {
      if (column !== undefined && !world.columns.has(column)) {
        const made = await createColumn(ctx, viewer, { name: column, ...columns[column] });
        world.columns.set(column, made.column.id);
      }
      const { id } = await createEssay(ctx, viewer, {
        ...text,
        categoryId: categories.get(category) ?? null,
        columnId: column === undefined ? null : getColumnId(world, column),
        status: ESSAY_STATUS.waiting,
      });
      for (const status of [ESSAY_STATUS.approved, ESSAY_STATUS.onShelf] as const)
        await changeStatus(ctx, viewer, { id, status });
      world.essays.set(slug, id);
    }),
  );
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
