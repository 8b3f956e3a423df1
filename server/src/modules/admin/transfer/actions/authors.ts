import { createHash } from 'node:crypto';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { textBefore, trimEnd } from '@mozhan/contract/text-scan.ts';
import {
  MAINLAND_PHONE,
  displayName as nameSchema,
  updateUser as profileCall,
} from '@mozhan/contract/users.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { createUser, hashPassword, newPassword, updateUser } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import type { AuthorRecord } from '../documents.ts';
import { findUser, findUserByAccount } from '../queries/targets.ts';
import { importPicture } from './import-files.ts';
import { clampToPast, type ImportState, importItem, toViewer } from './import-state.ts';

export function toAccount(given: string): string {
  const name = textBefore(given, '@')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+/, '');
  const plain = trimEnd(name, '-').slice(0, 25);
  // An account that looks like a phone number could belong to another user.
  if (MAINLAND_PHONE.test(plain)) return `author-${plain}`;
  if (/^[a-z0-9_-]{4,32}$/.test(given)) return given;
  if (plain.length >= 4) return plain;
  return `author-${plain === '' ? createHash('sha256').update(given).digest('hex').slice(0, 8) : plain}`;
}

/** For a new account of an author whose own account name somebody else has; the same in every import of a site. */
export const otherAccountOf = (site: string, account: string): string =>
  `${toAccount(account).slice(0, 25)}-${createHash('sha256').update(`${site}\n${account}`).digest('hex').slice(0, 6)}`;

/** Uses the account if the name is invalid or contains sensitive words. */
async function toDisplayName(ctx: Ctx, given: string, account: string): Promise<string> {
  const parsed = nameSchema.safeParse([...given.replace(/\s+/g, ' ').trim()].slice(0, 20).join(''));
  if (!parsed.success || (await screenText(ctx, parsed.data)).words.length > 0) return account.slice(0, 20);
  return parsed.data;
}

type NewAuthor = Pick<AuthorRecord, 'account' | 'displayName'> & Partial<AuthorRecord>;

const profile = profileCall.input.shape;

function toProfile({ bio, city, company, position, homepage, github }: NewAuthor) {
  const given = { bio, city, company, position, homepage, github };
  const validFields = Object.entries(given).filter(
    ([field, value]) => profile[field as keyof typeof given].safeParse(value).success,
  );
  return Object.fromEntries(validFields) as Partial<typeof given>;
}

async function createAuthor(state: ImportState, ctx: Ctx, given: NewAuthor): Promise<void> {
  const { account } = given;
  state.passwordHash ??= await hashPassword(ctx, newPassword());
  const { passwordHash } = state;
  const displayName = await toDisplayName(ctx, given.displayName, account);
  const createdAt = clampToPast(given.createdAt ?? ctx.now, ctx.now);
  const id = await inTransaction(ctx, async (ctx) => {
    const id = await createUser(
      { ...ctx, now: createdAt },
      {
        account,
        displayName,
        passwordHash,
        curIdentity: given.identity ?? IDENTITY.writer,
        ...toProfile(given),
      },
    );
    const note = '新建的账号，管理员重置密码后才能登录';
    await state.run.recordItem(ctx, {
      key: `author:${account}`,
      kind: 'author',
      outcome: 'created',
      title: displayName,
      note,
      targetId: id,
    });
    return id;
  });
  const user = await findUser(ctx.db, id);
  if (user === null || !given.headImg?.startsWith('../')) return;
  const avatar = await importPicture(state, toViewer(user, account), given.headImg.slice(3));
  if (avatar !== null) await updateUser(ctx.db, id, { headImg: avatar.path });
}

export async function importAuthor(state: ImportState, given: NewAuthor): Promise<void> {
  const item = { key: `author:${given.account}`, kind: 'author' as const, title: given.displayName };
  await importItem(state, item, async (ctx) => {
    if ((await findUserByAccount(ctx.db, given.account)) !== null) {
      const note = '已有这个账号，内容归到它名下';
      await state.run.recordItem(ctx, { ...item, outcome: 'skipped', note });
      return;
    }
    await createAuthor(state, ctx, given);
  });
}

export async function findAuthor(state: ImportState, account: string): Promise<Viewer | null> {
  const known = state.authors.get(account);
  if (known !== undefined) return known;
  const user = await findUserByAccount(state.run.ctx().db, account);
  if (user === null) return null;
  const viewer = toViewer(user, account);
  state.authors.set(account, viewer);
  return viewer;
}

/** Finds or creates the author by account; an essay without an author gets the one chosen for the import. */
export async function getAuthor(
  state: ImportState,
  author: { account: string; displayName: string } | null,
): Promise<Viewer> {
  if (author === null) {
    if (state.fallback === null)
      throw new CallError('INVALID', { message: '没有署名，导入时也没有选定作者' });
    return state.fallback;
  }
  const account = toAccount(author.account);
  const known = await findAuthor(state, account);
  if (known !== null) return known;
  await createAuthor(state, state.run.ctx(), { account, displayName: author.displayName });
  const newAuthor = await findAuthor(state, account);
  if (newAuthor === null) throw new CallError('INVALID', { message: '没有找到作者' });
  return newAuthor;
}
