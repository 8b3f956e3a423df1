import type { Column } from '@mozhan/contract/columns.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayCard, ListedEssay } from '@mozhan/contract/essays.ts';
import type { RevisionSummary } from '@mozhan/contract/revisions.ts';
import type { EssayRecord, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { StaffTag } from '@mozhan/contract/tags.ts';
import { replaceTags } from '@mozhan/contract/text-scan.ts';
import { type Config, publicFilesUrl } from '../../../../config/config.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { toPublicUrl, type WebhookData } from '../../../accounts/webhooks/index.ts';
import type { FollowedColumn } from '../queries/column-follows.ts';
import type { CardRow } from '../queries/lists.ts';
import type { StaffTagRow } from '../queries/tags.ts';
import { essayPathOf } from '../rules/essays.ts';
import type { ColumnRow, EssayRecordRow, EssayRow, RevisionRow } from '../tables.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const LINKED = /^<(?:a|img)\b/;
const ADDRESS = /(\s(?:href|src)=")(\/(?:files\/)?)(?!\/)/;
const SOURCES = /(\ssrcset=")([^"]*)/;

/** Stored HTML contains root-relative URLs. This adds the base path of the site, and the file server's URL to files. */
export function withBasePath(html: string, config: Pick<Config, 'basePath' | 's3'>): string {
  const { basePath } = config;
  const filesUrl = publicFilesUrl(config);
  if (basePath === '' && filesUrl === '') return html;
  return replaceTags(html, (tag) => {
    if (!LINKED.test(tag)) return tag;
    return tag
      .replace(
        ADDRESS,
        (_, before: string, path: string) => before + (path === '/' ? basePath : filesUrl) + path,
      )
      .replace(
        SOURCES,
        (_, before: string, sources: string) => before + sources.replaceAll('/files/', `${filesUrl}/files/`),
      );
  });
}

export function toCard({ essay, author, category }: CardRow, now: Date): EssayCard {
  return {
    id: essay.id,
    slug: essay.slug,
    title: essay.title,
    titleBreaks: essay.titleBreaks,
    summary: essay.summary,
    cover: essay.cover,
    category: category === null ? null : { id: category.id, slug: category.slug, name: category.name },
    tags: essay.tags,
    author: toUserCard(author, now),
    price: essay.price,
    memberFree: essay.memberFree,
    status: essay.status,
    publishedAt: iso(essay.publishedAt),
    updatedAt: essay.updatedAt.toISOString(),
    wordCount: essay.wordCount,
    readMinutes: essay.readMinutes,
    readCount: essay.readCount,
    likeCount: essay.likeCount,
    cmtCount: essay.cmtCount,
    collectCount: essay.collectCount,
    shareCount: essay.shareCount,
    downloadCount: essay.downloadCount,
    rewardCount: essay.rewardCount,
  };
}

export const toEventBrief = (ctx: Ctx, essay: Pick<EssayRow, 'id' | 'slug' | 'title'>) => ({
  id: essay.id,
  title: essay.title,
  url: toPublicUrl(ctx, essayPathOf(essay)),
});

/** Webhook payload: the public fields of a card without counters. */
export const toEventPayload = (ctx: Ctx, { essay, author, category }: CardRow): WebhookData => ({
  ...toEventBrief(ctx, essay),
  summary: essay.summary,
  cover: essay.cover === '' ? '' : toPublicUrl(ctx, essay.cover),
  category: category === null ? null : { slug: category.slug, name: category.name },
  tags: essay.tags,
  author: { id: author.id, displayName: author.displayName },
  price: essay.price,
  memberFree: essay.memberFree,
  publishedAt: iso(essay.publishedAt),
  wordCount: essay.wordCount,
  readMinutes: essay.readMinutes,
});

export const toOwnCard = (row: CardRow, last: EssayRecordRow | undefined, now: Date): ListedEssay => ({
  ...toCard(row, now),
  ...(last?.toStatus === ESSAY_STATUS.rejected ? { rejection: last.reason } : {}),
  revision: row.essay.revisionStatus,
  scheduledAt: iso(row.essay.scheduledAt),
  pinned: row.essay.authorPin !== null,
});

export const toStaffEssay = (row: CardRow & { appeal: boolean; words: string[] }, now: Date): StaffEssay => ({
  ...toCard(row, now),
  revision: row.essay.revisionStatus,
  submittedAt: iso(row.essay.submittedAt),
  appeal: row.appeal,
  words: row.words,
  scheduledAt: iso(row.essay.scheduledAt),
  pinned: row.essay.sitePin !== null,
  pinPosition: row.essay.sitePin,
});

export const toRecord = (
  { record, user }: { record: EssayRecordRow; user: User | null },
  now: Date,
): EssayRecord => ({
  id: record.id,
  fromStatus: record.fromStatus,
  toStatus: record.toStatus,
  revision: record.revision,
  appeal: record.appeal,
  reason: record.reason,
  user: user === null ? null : toUserCard(user, now),
  createdAt: record.createdAt.toISOString(),
});

export const toRevisionBrief = (
  row: Omit<RevisionRow, 'content' | 'fields'>,
  { shelvedVersion, editor, now }: { shelvedVersion: number | null; editor: User | null; now: Date },
): RevisionSummary => ({
  revision: row.version,
  title: row.title,
  characters: row.characters,
  // The job `count-words` has not counted this version yet.
  wordCount: row.wordCount ?? row.characters,
  auto: row.auto,
  name: row.name,
  merged: row.merged,
  shelved: row.version === shelvedVersion,
  editor: editor === null ? null : toUserCard(editor, now),
  createdAt: row.updatedAt.toISOString(),
});

export const toColumn = ({ column, author }: { column: ColumnRow; author: User }, now: Date): Column => ({
  id: column.id,
  author: toUserCard(author, now),
  name: column.name,
  summary: column.summary,
  cover: column.cover,
  price: column.price,
  essayCount: column.essayCount,
  followerCount: column.followerCount,
  createdAt: column.createdAt.toISOString(),
});

export const toFollowedColumn = ({ follow, ...card }: FollowedColumn, now: Date) => ({
  ...toColumn(card, now),
  followedAt: follow.createdAt.toISOString(),
});

export const toStaffTag = ({ id, name, essayCount, aliases, moving }: StaffTagRow): StaffTag => ({
  id,
  name,
  count: essayCount,
  aliases,
  moving,
});
