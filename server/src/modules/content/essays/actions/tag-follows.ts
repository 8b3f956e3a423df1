import type { Page } from '@mozhan/contract/common.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_FOLLOWED_TAGS } from '@mozhan/contract/tag-follows.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import type { PageQuery } from '../../../../db/page.ts';
import type { TagRow } from '../queries/shelf.ts';
import * as queries from '../queries/tag-follows.ts';
import { resolveTagAliases, tagNotFound } from '../queries/tags.ts';
import { removeUnusedTags } from './shelf.ts';

/** A renamed tag is found by its former names. */
async function findTag(ctx: Ctx, name: string): Promise<TagRow | null> {
  const [current] = await resolveTagAliases(ctx.db, [name]);
  return current === undefined ? null : queries.findTag(ctx.db, current);
}

export const followTag = (ctx: Ctx, { id: userId }: Viewer, name: string) =>
  inTransaction(ctx, async (ctx) => {
    const tag = await findTag(ctx, name);
    if (tag === null) throw tagNotFound(name);
    await queries.lockTagFollows(ctx.db, userId);
    const isNew = !(await queries.isTagFollowed(ctx.db, userId, tag.id));
    if (isNew && (await queries.countTagFollows(ctx.db, userId)) >= MAX_FOLLOWED_TAGS)
      throw new CallError('TOO_MANY_TAGS');
    await queries.insertTagFollow(ctx.db, { userId, tagId: tag.id, createdAt: ctx.now });
    return { tag: tag.name, followed: true };
  });

export const unfollowTag = (ctx: Ctx, { id: userId }: Viewer, name: string) =>
  inTransaction(ctx, async (ctx) => {
    const tag = await findTag(ctx, name);
    if (tag === null) return { tag: name, followed: false };
    await queries.removeTagFollow(ctx.db, userId, tag.id);
    await removeUnusedTags(ctx, [tag.name]);
    return { tag: tag.name, followed: false };
  });

export async function removeTagFollowsOf(ctx: Ctx, userId: string): Promise<void> {
  await removeUnusedTags(ctx, await queries.removeTagFollowsOf(ctx.db, userId));
}

export async function listFollowedTags(
  ctx: Ctx,
  { id: userId }: Viewer,
  { tag: name, ...query }: PageQuery & { tag?: string | undefined },
): Promise<Page<queries.FollowedTagRow>> {
  const tag = name === undefined ? null : await findTag(ctx, name);
  if (name !== undefined && tag === null)
    return { list: [], total: 0, page: query.page, pageSize: query.pageSize, next: null };
  return queries.listFollowedTags(ctx.db, { ...query, userId, tagId: tag?.id ?? null });
}
