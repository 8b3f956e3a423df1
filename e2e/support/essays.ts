import type { Input } from '#contract/client.ts';
import { type Person, register, signIn } from './people.ts';
import { ADMIN } from './server.ts';

type Fields = Omit<Input<'POST core/essay/'>, 'status'>;

interface Published {
  id: string;
  title: string;
  writer: Person;
  admin: Person;
}

/** Someone who may write: a new reader whom the administrator has made a writer. */
export async function newWriter(baseURL = '', fields: { displayName?: string } = {}): Promise<Person> {
  const [person, admin] = await Promise.all([register(baseURL, fields), signIn(baseURL, ADMIN)]);
  await admin.call('PUT core/sys/user/', { id: person.user.id, curIdentity: 2 });
  return { ...person, user: { ...person.user, curIdentity: 2 } };
}

/** The id of a category by its address; of the first one when none is named. */
async function categoryId(person: Person, slug?: string): Promise<string> {
  const { categories } = await person.call('GET core/site/', {});
  const found = categories.find((category) => slug === undefined || category.slug === slug);
  if (found === undefined) throw new Error('no such category');
  return found.id;
}

type Given = Fields & { category?: string; writer?: Person };

/** An essay that waits for its audit. */
export async function submitEssay(
  baseURL = '',
  { category, writer: given, ...fields }: Given = {},
): Promise<Omit<Published, 'admin'>> {
  const writer = given ?? (await newWriter(baseURL));
  const title = fields.title ?? `浏览器测试的文章 ${Math.random().toString(36).slice(2, 8)}`;
  const { id } = await writer.call('POST core/essay/', {
    content: '第一段。\n\n第二段。',
    categoryId: await categoryId(writer, category),
    ...fields,
    title,
    status: 1,
  });
  return { id, title, writer };
}

/** An essay on the shelf, taken all the way by its writer and the administrator. */
export async function publishEssay(baseURL = '', given: Given = {}): Promise<Published> {
  const [essay, admin] = await Promise.all([submitEssay(baseURL, given), signIn(baseURL, ADMIN)]);
  await admin.call('PUT core/essay/status', { id: essay.id, status: 2 });
  await admin.call('PUT core/essay/status', { id: essay.id, status: 3 });
  return { ...essay, admin };
}
