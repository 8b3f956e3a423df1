import { CallError } from '@mozhan/contract/errors.ts';
import { addPageTags, type Ctx, inTransaction, invalidate, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { getUser } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { screenText } from '../../../platform/sensitive-words/index.ts';
import * as queries from '../queries/collections.ts';
import { getFolderOrDefault, MAX_FOLDERS, requireFolder, requireUniqueName } from '../rules/collections.ts';
import type { FolderRow } from '../tables.ts';
import { retractCollected } from './collect-notices.ts';
import { lockFolders, moveIntoFolder } from './folder-contents.ts';

export interface FolderWithOwner {
  folder: FolderRow;
  user: User;
}

/** Lists the folders of a user, or one folder by id, that the viewer may see. */
export async function listVisibleFolders(
  ctx: Ctx,
  { userId, id }: { userId: string | undefined; id: string | undefined },
): Promise<FolderWithOwner[]> {
  if (id !== undefined) return findVisibleFolder(ctx, id, userId);
  const ownerId = userId ?? ctx.viewer?.id;
  if (ownerId === undefined) throw new CallError('SIGN_IN_REQUIRED');
  addPageTags(ctx, `user:${ownerId}`, `collect:${ownerId}`);
  const user = await getUser(ctx.db, ownerId);
  const folders = await queries.listFolders(ctx.db, ownerId);
  if (ctx.viewer?.id !== ownerId)
    return folders.filter((folder) => isVisibleToOthers(folder, user)).map((folder) => ({ folder, user }));
  const own = folders.length > 0 ? folders : await inTransaction(ctx, (ctx) => lockFolders(ctx, ownerId));
  return own.map((folder) => ({ folder, user }));
}

const isVisibleToOthers = (folder: FolderRow, owner: User): boolean =>
  folder.isPublic && owner.privacy.collect !== false;

async function findVisibleFolder(
  ctx: Ctx,
  id: string,
  userId: string | undefined,
): Promise<FolderWithOwner[]> {
  const found = await queries.findFolder(ctx.db, id);
  if (found === null || (userId !== undefined && userId !== found.user.id)) return [];
  addPageTags(ctx, `user:${found.user.id}`, `collect:${found.user.id}`);
  return ctx.viewer?.id === found.user.id || isVisibleToOthers(found.folder, found.user) ? [found] : [];
}

async function withOwner(ctx: Ctx, userId: string, [folder]: FolderRow[]): Promise<FolderWithOwner> {
  if (folder === undefined) throw new CallError('NOT_FOUND');
  invalidate(ctx, `collect:${userId}`);
  return { folder, user: await getUser(ctx.db, userId) };
}

/** Names of public folders are not audited, so a sensitive word of any level is refused. */
async function requireCleanName(ctx: Ctx, name: string): Promise<void> {
  const { level, words } = await screenText(ctx, name);
  if (level !== null)
    throw new CallError('WORDS_REFUSED', { fields: { name: `公开的名称不能含有：${words.join('、')}` } });
}

export function createFolder(
  ctx: Ctx,
  viewer: Viewer,
  { name, isPublic = false }: { name: string; isPublic?: boolean | undefined },
): Promise<FolderWithOwner> {
  return inTransaction(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    if (folders.length >= MAX_FOLDERS) throw new CallError('TOO_MANY_FOLDERS');
    requireUniqueName(folders, name);
    if (isPublic) await requireCleanName(ctx, name);
    const created = await queries.insertFolder(ctx.db, {
      id: newId(),
      userId: viewer.id,
      name,
      isPublic,
      isDefault: false,
      createdAt: ctx.now,
    });
    return withOwner(ctx, viewer.id, created);
  });
}

export function updateFolder(
  ctx: Ctx,
  viewer: Viewer,
  { id, name, isPublic }: { id: string; name?: string | undefined; isPublic?: boolean | undefined },
): Promise<FolderWithOwner> {
  return inTransaction(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = requireFolder(folders, id);
    const fields = { name: name ?? folder.name, isPublic: isPublic ?? folder.isPublic };
    requireUniqueName(folders, fields.name, id);
    if (fields.isPublic && (!folder.isPublic || fields.name !== folder.name))
      await requireCleanName(ctx, fields.name);
    if (folder.isPublic && !fields.isPublic)
      await retractCollected(ctx, viewer.id, await queries.listFolderEssays(ctx.db, id));
    return withOwner(ctx, viewer.id, await queries.updateFolder(ctx.db, id, fields));
  });
}

/** Moves the essays to `moveTo` or the default folder. Private contents need an explicit target to become public. */
export function removeFolder(
  ctx: Ctx,
  viewer: Viewer,
  { id, moveTo }: { id: string; moveTo?: string | undefined },
): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const folders = await lockFolders(ctx, viewer.id);
    const folder = requireFolder(folders, id);
    if (folder.isDefault) throw new CallError('FOLDER_IS_DEFAULT');
    const others = folders.filter((each) => each.id !== id);
    const to = getFolderOrDefault(others, moveTo, 'moveTo');
    if (moveTo === undefined && folder.essayCount > 0 && !folder.isPublic && to.isPublic)
      throw new CallError('FOLDER_WOULD_PUBLISH');
    await moveIntoFolder(ctx, to, { folderId: id });
    await queries.removeFolder(ctx.db, id);
  });
}
