import type { Category } from '@mozhan/contract/categories.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { EssayFields } from '@mozhan/contract/essays.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { callAsAdmin } from './admin.ts';
import type { TestApp } from './app.ts';

export interface TestUser {
  token: string;
  user: CurrentUser;
}

export async function createWriter(t: TestApp, displayName = '写文章的人'): Promise<TestUser> {
  const user = await t.register(undefined, { displayName });
  await t.app.services.pool.query('update users set cur_identity = $2 where id = $1', [
    user.user.id,
    IDENTITY.writer,
  ]);
  return user;
}

const idsBySlug = new WeakMap<TestApp, Record<string, string>>();

export async function categoryIds(t: TestApp): Promise<Record<string, string>> {
  const cachedIds = idsBySlug.get(t);
  if (cachedIds !== undefined) return cachedIds;
  const { data } = await t.call('GET core/sys/category/');
  const ids = Object.fromEntries((data as Category[]).map(({ slug, id }) => [slug, id]));
  idsBySlug.set(t, ids);
  return ids;
}

let essayCount = 0;

export async function essayFields(
  t: TestApp,
  more: Partial<EssayFields> = {},
): Promise<Partial<EssayFields>> {
  essayCount += 1;
  return {
    title: `第 ${essayCount} 篇：把事情说清楚`,
    content: `## 开头\n\n这是第 ${essayCount} 篇文章的正文。\n`,
    categoryId: (await categoryIds(t)).tech ?? '',
    ...more,
  };
}

export async function submitEssay(
  t: TestApp,
  writer: TestUser,
  more: Partial<EssayFields> = {},
): Promise<string> {
  const response = await t.call(
    'POST core/essay/',
    { ...(await essayFields(t, more)), status: ESSAY_STATUS.waiting },
    { token: writer.token },
  );
  if (!response.success) throw new Error(`not submitted: ${response.errorMessage}`);
  return response.data.id;
}

/** Submits an essay, and an administrator approves and shelves it. */
export async function publishEssay(
  t: TestApp,
  writer: TestUser,
  more: Partial<EssayFields> = {},
): Promise<string> {
  const id = await submitEssay(t, writer, more);
  for (const status of [2, 3] as const) {
    const response = await callAsAdmin(t, 'PUT core/essay/status', { id, status });
    if (!response.success) throw new Error(`not published: ${response.errorMessage}`);
  }
  return id;
}
