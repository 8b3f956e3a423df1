import type { Input } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { getAdmin } from './admin.ts';
import { createApiClient, register, type TestUser } from './users.ts';

type Fields = Omit<Input<'POST core/essay/'>, 'status'>;

interface Published {
  id: string;
  title: string;
  writer: TestUser;
  admin: TestUser;
}

/** Registers a reader whom the administrator makes a writer. */
export async function newWriter(baseURL = '', fields: { displayName?: string } = {}): Promise<TestUser> {
  const [person, admin] = await Promise.all([register(baseURL, fields), getAdmin(baseURL)]);
  await admin.call('PUT core/sys/user/', { id: person.user.id, curIdentity: IDENTITY.writer });
  return { ...person, user: { ...person.user, curIdentity: IDENTITY.writer } };
}

const categoryIds = new Map<string, string>();

/** The id of the site's first category, which no test removes. */
async function firstCategoryId(baseURL: string): Promise<string> {
  const cachedId = categoryIds.get(baseURL);
  if (cachedId !== undefined) return cachedId;
  const { categories } = await createApiClient(baseURL)('GET core/site/', {});
  const id = categories[0]?.id;
  if (id === undefined) throw new Error('no category');
  categoryIds.set(baseURL, id);
  return id;
}

type EssayOptions = Fields & { writer?: TestUser };

export async function submitEssay(
  baseURL = '',
  { writer: given, ...fields }: EssayOptions = {},
): Promise<Omit<Published, 'admin'>> {
  const writer = given ?? (await newWriter(baseURL));
  const title = fields.title ?? `浏览器测试的文章 ${Math.random().toString(36).slice(2, 8)}`;
  const { id } = await writer.call('POST core/essay/', {
    content: '第一段。\n\n第二段。',
    categoryId: await firstCategoryId(baseURL),
    ...fields,
    title,
    status: ESSAY_STATUS.waiting,
  });
  return { id, title, writer };
}

/** Creates an essay, passes its audit and shelves it. */
export async function publishEssay(baseURL = '', given: EssayOptions = {}): Promise<Published> {
  const [essay, admin] = await Promise.all([submitEssay(baseURL, given), getAdmin(baseURL)]);
  await admin.call('PUT core/essay/status', { id: essay.id, status: ESSAY_STATUS.approved });
  await admin.call('PUT core/essay/status', { id: essay.id, status: ESSAY_STATUS.onShelf });
  return { ...essay, admin };
}
