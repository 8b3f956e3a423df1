import type { Category } from '@mozhan/contract/categories.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { callAsAdmin } from './admin.ts';
import type { TestApp } from './app.ts';

export interface Writer {
  token: string;
  user: CurrentUser;
}

export async function makeWriter(t: TestApp, displayName = '写文章的人'): Promise<Writer> {
  const person = await t.register(undefined, { displayName });
  await t.app.services.pool.query('update users set cur_identity = $2 where id = $1', [
    person.user.id,
    IDENTITY.writer,
  ]);
  return person;
}

const idsBySlug = new WeakMap<TestApp, Record<string, string>>();

/** The ids of the categories of the first start, by slug. */
export async function categoryIds(t: TestApp): Promise<Record<string, string>> {
  const kept = idsBySlug.get(t);
  if (kept !== undefined) return kept;
  const { data } = await t.call('GET core/sys/category/');
  const ids = Object.fromEntries((data as Category[]).map(({ slug, id }) => [slug, id]));
  idsBySlug.set(t, ids);
  return ids;
}

let written = 0;

/** A complete essay, each with a title of its own. */
export async function essayFields(
  t: TestApp,
  more: Partial<EssayFields> = {},
): Promise<Partial<EssayFields>> {
  written += 1;
  return {
    title: `第 ${written} 篇：把事情说清楚`,
    content: `## 开头\n\n这是第 ${written} 篇文章的正文。\n`,
    categoryId: (await categoryIds(t)).tech ?? '',
    ...more,
  };
}

export async function submitEssay(
  t: TestApp,
  writer: Writer,
  more: Partial<EssayFields> = {},
): Promise<string> {
  const answer = await t.call(
    'POST core/essay/',
    { ...(await essayFields(t, more)), status: ESSAY_STATUS.waiting },
    { token: writer.token },
  );
  if (!answer.success) throw new Error(`not submitted: ${answer.errorMessage}`);
  return answer.data.id;
}

/** Written, handed in, approved by an administrator and put on the shelf. */
export async function publishEssay(
  t: TestApp,
  writer: Writer,
  more: Partial<EssayFields> = {},
): Promise<string> {
  const id = await submitEssay(t, writer, more);
  for (const status of [2, 3] as const) {
    const answer = await callAsAdmin(t, 'PUT core/essay/status', { id, status });
    if (!answer.success) throw new Error(`not published: ${answer.errorMessage}`);
  }
  return id;
}
