import { createHash } from 'node:crypto';
import { createCategory as categoryCall, MAX_CATEGORY_NAME } from '@mozhan/contract/categories.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { defaultMapping, type ImportMapping, type LockedAs } from '@mozhan/contract/import-checks.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { createCategory } from '../../../content/categories/index.ts';
import type { Category } from '../../../content/categories/tables.ts';
import { STATUS_REASONS } from '../formats/status.ts';
import type { ImportedAuthor, ImportedEssay, ImportedItem } from '../formats/types.ts';
import { findCheck, findUserIds, listUsableAuthors } from '../queries/checks.ts';
import { listCategories } from '../queries/targets.ts';
import type { CheckRow } from '../tables.ts';
import { otherAccountOf, toAccount } from './authors.ts';
import { findCategory } from './foreign-essay.ts';
import type { IncomingEssay } from './import-essay.ts';
import { type ImportState, importItem } from './import-state.ts';
import { toItemKey } from './run.ts';

/** Applies what the operator chose after the check; an import that was not checked keeps the defaults. */
export interface Mapping {
  /** Turns essays into pages or pages into essays, by their section. */
  toKind: (item: ImportedItem) => ImportedItem;
  /** `convert` gets the essay with its mapped categories and authors. */
  toIncoming: (given: ImportedEssay, convert: (mapped: ImportedEssay) => IncomingEssay) => IncomingEssay;
}

/** As long as the name of a category may be. */
const shortName = (name: string): string => [...name].slice(0, MAX_CATEGORY_NAME).join('').trim();

const goneError = (message: string) => new CallError('INVALID', { message });

/** Names in Chinese have no spelling here; operators may change the slug later. */
function chooseSlug(name: string, known: readonly Category[]): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[0-9-]+|-$/g, '');
  const isFree = !known.some(({ slug }) => slug === words);
  if (words.length > 1 && isFree && categoryCall.input.shape.slug.safeParse(words).success) return words;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 6);
  return `${words.slice(0, 24) || 'category'}-${hash}`;
}

/** Creates the new categories, and returns the names of categories here by the old names; null for tags. */
async function createCategories(
  state: ImportState,
  { categories: entries }: ImportMapping,
): Promise<Map<string, string | null>> {
  const { run } = state;
  const known = await listCategories(run.ctx().db);
  const names = new Map<string, string | null>();
  for (const { name, to, categoryId, newName } of entries) {
    if (to === 'tag') names.set(name, null);
    else if (to === 'category') {
      const category = known.find(({ id }) => id === categoryId);
      if (category === undefined) throw goneError(`「${name}」对应的分类已不在，请重新导入`);
      names.set(name, category.name);
    } else {
      const wanted = newName ?? shortName(name);
      names.set(name, wanted);
      if (findCategory(known, wanted) !== undefined) continue;
      const item = { key: `category:${wanted}`, kind: 'category' as const, title: wanted };
      const work = (ctx: Ctx) =>
        inTransaction(ctx, async (ctx) => {
          const category = await createCategory(ctx, { name: wanted, slug: chooseSlug(wanted, known) });
          await run.recordItem(ctx, { ...item, outcome: 'created', targetId: category.id });
          known.push(category);
        });
      await importItem(state, item, work, 0);
    }
  }
  return names;
}

/** Returns the account here for each old account. */
async function resolveAuthors(state: ImportState, { site, mapping }: CheckRow): Promise<Map<string, string>> {
  const { db } = state.run.ctx();
  const chosen = mapping.authors.flatMap(({ userId }) => userId ?? []);
  const usable = new Set((await listUsableAuthors(db, chosen)).map(({ id }) => id));
  const taken = await findUserIds(
    db,
    mapping.authors.flatMap(({ account, to }) => (to === 'new' ? [toAccount(account)] : [])),
  );
  return new Map(
    mapping.authors.map(({ account, to, userId = '' }) => {
      if (to === 'user') {
        if (!usable.has(userId)) throw goneError(`「${account}」对应的作者已不在，或已停用，请重新导入`);
        return [account, userId];
      }
      const own = toAccount(account);
      // An account that this run created before it was interrupted belongs to the author.
      const isFree = !taken.has(own) || state.before.has(toItemKey(`author:${own}`));
      return [account, isFree ? own : otherAccountOf(site, account)];
    }),
  );
}

const ESCAPED = /[\\`*_{}[\]<>()#+\-!|~&@:/]/g;

/** Several authors of a post are kept by name, because an essay here has one author. */
function addAuthorNames(given: ImportedEssay, names: readonly string[]): ImportedEssay {
  if (names.length === 0) return given;
  const line = `原作者：${names.map((name) => name.replace(/\s+/g, ' ').replace(ESCAPED, '\\$&')).join('、')}`;
  return { ...given, content: `${given.content.trimEnd()}\n\n${line}\n` };
}

/** Posts that were only sent by e-mail, and those without a date, stay drafts. */
function chooseLock({ status, statusReason, publishedAt }: ImportedEssay, mapping: ImportMapping): LockedAs {
  if (status !== 'members' && status !== 'paid') return 'draft';
  if (statusReason !== STATUS_REASONS[status] || publishedAt === null) return 'draft';
  return status === 'members' ? mapping.membersAs : mapping.paidAs;
}

/** Without a preview, because the original had none that is known. */
function lockEssay(incoming: IncomingEssay, as: LockedAs, price: number): IncomingEssay {
  const { draft } = incoming;
  const locked = { price: as === 'buy' ? price : 0, memberFree: as === 'member', previewPercent: 0 };
  return { ...incoming, draft: { ...draft, fields: { ...draft.fields, ...locked } } };
}

async function findTarget(state: ImportState, allTo: string | null) {
  if (allTo === null) return null;
  const [user] = await listUsableAuthors(state.run.ctx().db, [allTo]);
  if (user === undefined) throw goneError('选定的作者已不在，或已停用，请重新导入');
  return user;
}

/** Who gets what nobody signed, if the operator chose nobody: the same account in every import of a site. */
const ownerOf = ({ site, result }: CheckRow): ImportedAuthor => ({
  account: otherAccountOf(site, ''),
  displayName: result.siteOwner || result.siteTitle || '佚名',
});

export async function openMapping(state: ImportState): Promise<Mapping> {
  const check = await findCheck(state.run.ctx().db, state.run.row.id);
  const mapping = check?.mapping ?? defaultMapping;
  const target = await findTarget(state, mapping.allTo);
  const accounts =
    check === null || target !== null ? new Map<string, string>() : await resolveAuthors(state, check);
  const categories = await createCategories(state, mapping);
  const kinds = new Map(mapping.sections.map(({ name, as }) => [name, as]));
  const unsigned = check === null || state.fallback !== null ? null : ownerOf(check);
  const isOneOfSeveral = (check?.result.counts.authors ?? 0) > 1;

  function toAuthor(author: ImportedAuthor | null): ImportedAuthor | null {
    if (target !== null) return { account: target.id, displayName: target.displayName };
    if (author === null) return unsigned;
    const account = accounts.get(author.account);
    return account === undefined ? author : { ...author, account };
  }

  function namesToKeep({ author, authors }: ImportedEssay): readonly string[] {
    if (authors.length > 1) return authors;
    const isRenamed = target !== null && isOneOfSeveral && author !== null;
    return isRenamed && author.displayName !== target.displayName ? [author.displayName] : [];
  }

  return {
    toKind(item) {
      if (item.kind !== 'essay' && item.kind !== 'page') return item;
      const kind = kinds.get(item.section);
      return kind === undefined || kind === item.kind ? item : ({ ...item, kind } as ImportedItem);
    },
    toIncoming(given, convert) {
      const as = chooseLock(given, mapping);
      const mapped = given.categories.map((name) => ({ name, to: categories.get(name) }));
      const incoming = convert(
        addAuthorNames(
          {
            ...given,
            author: toAuthor(given.author),
            categories: [...new Set(mapped.flatMap(({ name, to }) => (to === null ? [] : [to ?? name])))],
            tags: [...given.tags, ...mapped.flatMap(({ name, to }) => (to === null ? [name] : []))],
            ...(as === 'draft' ? {} : { status: 'published', statusReason: '' }),
          },
          namesToKeep(given),
        ),
      );
      return as === 'draft' ? incoming : lockEssay(incoming, as, mapping.price);
    },
  };
}
