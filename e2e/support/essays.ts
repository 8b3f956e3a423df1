import type { Input } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import { getAdmin } from './admin.ts';
import { connect, type Person, register } from './people.ts';

type Fields = Omit<Input<'POST core/essay/'>, 'status'>;

interface Published {
  id: string;
  title: string;
  writer: Person;
  admin: Person;
}

/** Someone who may write: a new reader whom the administrator has made a writer. */
export async function newWriter(baseURL = '', fields: { displayName?: string } = {}): Promise<Person> {
  const [person, admin] = await Promise.all([register(baseURL, fields), getAdmin(baseURL)]);
  await admin.call('PUT core/sys/user/', { id: person.user.id, curIdentity: IDENTITY.writer });
  return { ...person, user: { ...person.user, curIdentity: IDENTITY.writer } };
}

const categoryIds = new Map<string, string>();

/** The id of the site's first category, which no test removes. */
async function firstCategoryId(baseURL: string): Promise<string> {
  const kept = categoryIds.get(baseURL);
  if (kept !== undefined) return kept;
  const { categories } = await connect(baseURL)('GET core/site/', {});
  const id = categories[0]?.id;
  if (id === undefined) throw new Error('no category');
  categoryIds.set(baseURL, id);
  return id;
}

type Given = Fields & { writer?: Person };

/** An essay that waits for its audit. */
export async function submitEssay(
  baseURL = '',
  { writer: given, ...fields }: Given = {},
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

/** An essay on the shelf, taken all the way by its writer and the administrator. */
export async function publishEssay(baseURL = '', given: Given = {}): Promise<Published> {
  const [essay, admin] = await Promise.all([submitEssay(baseURL, given), getAdmin(baseURL)]);
  await admin.call('PUT core/essay/status', { id: essay.id, status: ESSAY_STATUS.approved });
  await admin.call('PUT core/essay/status', { id: essay.id, status: ESSAY_STATUS.onShelf });
  return { ...essay, admin };
}
