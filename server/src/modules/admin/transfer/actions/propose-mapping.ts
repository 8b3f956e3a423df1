import { FLAG, toFlag } from '@mozhan/contract/enums.ts';
import {
  type AuthorMapping,
  type CategoryMapping,
  type CheckResult,
  defaultMapping,
  type ImportMapping,
} from '@mozhan/contract/import-checks.ts';
import type { Category } from '../../../content/categories/tables.ts';
import { findEarlierCheck, findUserIds, listUsableAuthors } from '../queries/checks.ts';
import { listCategories } from '../queries/targets.ts';
import type { CheckRow, TransferRow } from '../tables.ts';
import { otherAccountOf, toAccount } from './authors.ts';
import { findCategory } from './foreign-essay.ts';
import type { Run } from './run.ts';

export type Proposal = Pick<CheckRow, 'site' | 'mapping' | 'repeated'>;

type Given = Pick<CheckResult, 'program' | 'siteTitle' | 'siteUrl' | 'categories' | 'authors' | 'sections'>;

/** Archives without an address are distinguished by their title or the name of the file. */
const siteKey = ({ program, siteTitle, siteUrl }: Given, { fileName }: TransferRow): string =>
  `${program}\n${siteUrl || siteTitle || fileName}`;

function proposeCategory(
  name: string,
  categories: readonly Category[],
  earlier: CategoryMapping | undefined,
): CategoryMapping {
  if (earlier?.to === 'tag') return earlier;
  if (earlier?.to === 'category' && categories.some(({ id }) => id === earlier.categoryId)) return earlier;
  const known = findCategory([...categories], earlier?.newName ?? name);
  if (earlier?.to === 'new' && known === undefined) return earlier;
  return known === undefined ? { name, to: 'tag' } : { name, to: 'category', categoryId: known.id };
}

const byKey = <T>(entries: readonly T[], keyOf: (entry: T) => string): Map<string, T> =>
  new Map(entries.map((entry) => [keyOf(entry), entry]));

/** The mapping of the last import of the same site, and defaults for what is new or no longer exists. */
export async function proposeMapping(run: Run, given: Given): Promise<Proposal> {
  const { row } = run;
  const { db } = run.ctx();
  const site = siteKey(given, row);
  const earlier = (await findEarlierCheck(db, site))?.mapping ?? null;
  const categories = await listCategories(db);
  const accounts = given.authors.flatMap(({ account }) => [
    toAccount(account),
    otherAccountOf(site, account),
  ]);
  const sameAccount = await findUserIds(db, accounts);
  const candidates = [row.authorId, row.userId, earlier?.authorId, earlier?.allTo].filter((id) => id != null);
  const earlierUsers = (earlier?.authors ?? []).flatMap(({ userId }) => userId ?? []);
  const usable = new Set(
    (await listUsableAuthors(db, [...candidates, ...earlierUsers, ...sameAccount.values()])).map(
      ({ id }) => id,
    ),
  );
  const firstUsable = (...ids: (string | null | undefined)[]): string | null =>
    ids.find((id) => id != null && usable.has(id)) ?? null;
  const earlierAuthors = byKey(earlier?.authors ?? [], ({ account }) => account);
  const earlierCategories = byKey(earlier?.categories ?? [], ({ name }) => name);
  const earlierSections = byKey(earlier?.sections ?? [], ({ name }) => name);

  function proposeAuthor(account: string): AuthorMapping {
    const before = earlierAuthors.get(account);
    const made = sameAccount.get(otherAccountOf(site, account));
    const userId = firstUsable(before?.userId, made, sameAccount.get(toAccount(account)));
    return userId === null ? { account, to: 'new' } : { account, to: 'user', userId };
  }

  const { categoryId = null, asDrafts = false, fetchPictures = true } = row.options;
  const chosenCategory = categoryId ?? earlier?.categoryId ?? null;
  const mapping: ImportMapping = {
    ...(earlier ?? defaultMapping),
    // Nobody, if nobody was chosen the last time, because the account that was created then is used again.
    authorId: firstUsable(row.authorId, earlier === null ? row.userId : earlier.authorId),
    categoryId: categories.some(({ id }) => id === chosenCategory) ? chosenCategory : null,
    asDrafts: toFlag(asDrafts || earlier?.asDrafts === FLAG.on),
    fetchPictures: toFlag(fetchPictures && earlier?.fetchPictures !== FLAG.off),
    categories: given.categories.map(({ name }) =>
      proposeCategory(name, categories, earlierCategories.get(name)),
    ),
    allTo: firstUsable(earlier?.allTo),
    authors: given.authors.map(({ account }) => proposeAuthor(account)),
    sections: given.sections.map(
      ({ name, isMain }) => earlierSections.get(name) ?? { name, as: isMain ? 'essay' : 'page' },
    ),
  };
  return { site, mapping, repeated: earlier !== null };
}
