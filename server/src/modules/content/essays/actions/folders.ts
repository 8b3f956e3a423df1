import { CallError } from '@mozhan/contract/errors.ts';
import { type Ctx, inTx, shows, touch, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { getUser } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/collections.ts';
import { MOST_FOLDERS, pickFolder, requireFolder, requireFree } from '../rules/collections.ts';
import type { FolderRow } from '../tables.ts';
import { lockFolders, moveInto } from './places.ts';
import { hide } from './told.ts';

export interface OwnedFolder {
  folder: FolderRow;
  user: User;
}

/** The folders that the asker may see, of a person or one alone; what they may not see is not there. */
export async function listVisibleFolders(
  ctx: Ctx,
  { userId, id }: { userId: string | undefined; id: string | undefined },
): Promise<OwnedFolder[]> {
  if (id !== undefined) return findVisibleFolder(ctx, id, userId);
  const ownerId = userId ?? ctx.viewer?.id;
  if (ownerId === undefined) throw new CallError('SIGN_IN_REQUIRED');
  shows(ctx, `user:${ownerId}`, `collect:${ownerId}`);
  const user = await getUser(ctx.db, ownerId);
  const folders = await queries.listFolders(ctx.db, ownerId);
  if (ctx.viewer?.id !== ownerId)
    return folders.filter((folder) => isOpen(folder, user)).map((folder) => ({ folder, user }));
  const own = folders.length > 0 ? folders : await inTx(ctx, (ctx) => lockFolders(ctx, ownerId));
  return own.map((folder) => ({ folder, user }));
}

const isOpen = (folder: FolderRow, owner: User): boolean =>
  folder.isPublic && owner.privacy.collect !== false;

async function findVisibleFolder(ctx: Ctx, id: string, userId: string | undefined): Promise<OwnedFolder[]> {
  const found = await queries.findFolder(ctx.db, id);
  if (found === null || (userId !== undefined && userId !== found.user.id)) return [];
  shows(ctx, `user:${found.user.id}`, `collect:${found.user.id}`);
  return ctx.viewer?.id === found.user.id || isOpen(found.folder, found.user) ? [found] : [];
}

async function withOwner(ctx: Ctx, userId: string, [folder]: FolderRow[]): Promise<OwnedFolder> {
  if (folder === undefined) throw new CallError('NOT_FOUND');
  touch(ctx, `collect:${userId}`);
  return { folder, user: await getUser(ctx.db, userId) };
}

/** What everyone may see is seen at once, and audited by nobody: any word of the lists is refused. */
async function requireClean(ctx: Ctx, name: string): Promise<void> {
  const { level, words } = await screenText(ctx, name);
  if (level !== null)
    throw new CallError('WORDS_REFUSED', { fields: { name: `公开的名称不能含有：${words.join('、')}` } });
}

export function createFolder(
  ctx: Ctx,
  viewer: Viewer,
  { name, isPublic = false }: { name: string; isPublic?: boolean | undefined },
): Promise<OwnedFolder> {
  return inTx(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    if (folders.length >= MOST_FOLDERS) throw new CallError('TOO_MANY_FOLDERS');
    requireFree(folders, name);
    if (isPublic) await requireClean(ctx, name);
    const made = await queries.insertFolder(ctx.db, {
      id: newId(),
      userId: viewer.id,
      name,
      isPublic,
      isDefault: false,
      createdAt: ctx.now,
    });
    return withOwner(ctx, viewer.id, made);
  });
}

export function updateFolder(
  ctx: Ctx,
  viewer: Viewer,
  { id, name, isPublic }: { id: string; name?: string | undefined; isPublic?: boolean | undefined },
): Promise<OwnedFolder> {
  return inTx(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = requireFolder(folders, id);
    const fields = { name: name ?? folder.name, isPublic: isPublic ?? folder.isPublic };
    requireFree(folders, fields.name, id);
    if (fields.isPublic && (!folder.isPublic || fields.name !== folder.name))
      await requireClean(ctx, fields.name);
    if (folder.isPublic && !fields.isPublic) await hide(ctx, viewer.id, await queries.listHeld(ctx.db, id));
    return withOwner(ctx, viewer.id, await queries.updateFolder(ctx.db, id, fields));
  });
}

/** What is in it goes to the default folder or another; what was private becomes public only by the owner's word. */
export function removeFolder(
  ctx: Ctx,
  viewer: Viewer,
  { id, moveTo }: { id: string; moveTo?: string | undefined },
): Promise<void> {
  return inTx(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = requireFolder(folders, id);
    if (folder.isDefault) throw new CallError('FOLDER_IS_DEFAULT');
    const others = folders.filter((each) => each.id !== id);
    const to = pickFolder(others, moveTo, 'moveTo');
    if (moveTo === undefined && folder.essayCount > 0 && !folder.isPublic && to.isPublic)
      throw new CallError('FOLDER_WOULD_PUBLISH');
    await moveInto(ctx, to, { folderId: id });
    await queries.removeFolder(ctx.db, id);
  });
}
