import { createHash } from 'node:crypto';
import { IDENTITY } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { before, trimEnd } from '@mozhan/contract/scan.ts';
import { displayName as nameSchema, PHONE, updateUser as profileCall } from '@mozhan/contract/users.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { createPerson, hashPassword, newPassword, updateUser } from '../../../accounts/users/index.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import type { AuthorLine } from '../documents.ts';
import { findPerson, findUser } from '../queries/targets.ts';
import { bringPicture } from './pictures.ts';
import { attempt, notLater, toViewer, type World } from './world.ts';

/** Other programs allow more in a name than an account here may have. */
export function toAccount(given: string): string {
  const name = before(given, '@')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^-+/, '');
  const plain = trimEnd(name, '-').slice(0, 25);
  // It could be the phone of somebody here.
  if (PHONE.test(plain)) return `author-${plain}`;
  if (/^[a-z0-9_-]{4,32}$/.test(given)) return given;
  if (plain.length >= 4) return plain;
  return `author-${plain === '' ? createHash('sha256').update(given).digest('hex').slice(0, 8) : plain}`;
}

/** A name is shown to everyone: one that may not be has to be chosen anew. */
async function toDisplayName(ctx: Ctx, given: string, account: string): Promise<string> {
  const parsed = nameSchema.safeParse([...given.replace(/\s+/g, ' ').trim()].slice(0, 20).join(''));
  if (!parsed.success || (await screenText(ctx, parsed.data)).words.length > 0) return account.slice(0, 20);
  return parsed.data;
}

type NewAuthor = Pick<AuthorLine, 'account' | 'displayName'> & Partial<AuthorLine>;

const profile = profileCall.input.shape;

/** As far as they could have set it here; the rest is theirs to fill in. */
function toProfile({ bio, city, company, position, homepage, github }: NewAuthor) {
  const given = { bio, city, company, position, homepage, github };
  const fits = Object.entries(given).filter(
    ([field, value]) => profile[field as keyof typeof given].safeParse(value).success,
  );
  return Object.fromEntries(fits) as Partial<typeof given>;
}

async function createAuthor(world: World, ctx: Ctx, given: NewAuthor): Promise<void> {
  const { account } = given;
  world.passwordHash ??= await hashPassword(ctx, newPassword());
  const { passwordHash } = world;
  const displayName = await toDisplayName(ctx, given.displayName, account);
  const created = notLater(given.createdAt ?? ctx.now, ctx.now);
  const id = await inTx(ctx, async (ctx) => {
    const id = await createPerson(
      { ...ctx, now: created },
      {
        account,
        displayName,
        passwordHash,
        curIdentity: given.identity ?? IDENTITY.writer,
        ...toProfile(given),
      },
    );
    const note = '新建的账号，管理员重置密码后才能登录';
    await world.run.note(ctx, {
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
  const face = await bringPicture(world, toViewer(user, account), given.headImg.slice(3));
  if (face !== null) await updateUser(ctx.db, id, { headImg: face.path });
}

/** Somebody of the archive: who has that account here, or an account made for them. */
export async function bringAuthor(world: World, given: NewAuthor): Promise<void> {
  const item = { key: `author:${given.account}`, kind: 'author' as const, title: given.displayName };
  await attempt(world, item, async (ctx) => {
    if ((await findPerson(ctx.db, given.account)) !== null) {
      const note = '已有这个账号，内容归到它名下';
      await world.run.note(ctx, { ...item, outcome: 'skipped', note });
      return;
    }
    await createAuthor(world, ctx, given);
  });
}

/** Null: nobody here has that account. */
export async function findAuthor(world: World, account: string): Promise<Viewer | null> {
  const known = world.people.get(account);
  if (known !== undefined) return known;
  const user = await findPerson(world.run.ctx().db, account);
  if (user === null) return null;
  const viewer = toViewer(user, account);
  world.people.set(account, viewer);
  return viewer;
}

/** Who wrote an essay: by account, made when there is none; without a name, whoever was chosen. */
export async function getAuthor(
  world: World,
  author: { account: string; displayName: string } | null,
): Promise<Viewer> {
  if (author === null) {
    if (world.fallback === null)
      throw new CallError('INVALID', { message: '没有署名，导入时也没有选定作者' });
    return world.fallback;
  }
  const account = toAccount(author.account);
  const known = await findAuthor(world, account);
  if (known !== null) return known;
  await createAuthor(world, world.run.ctx(), { account, displayName: author.displayName });
  const made = await findAuthor(world, account);
  if (made === null) throw new CallError('INVALID', { message: '没有找到作者' });
  return made;
}
