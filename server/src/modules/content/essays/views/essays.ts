import type { Column } from '@mozhan/contract/columns.ts';
import type { EssayCard, ListedEssay, RevisionBrief } from '@mozhan/contract/essays.ts';
import { replaceTags } from '@mozhan/contract/scan.ts';
import type { EssayRecord, StaffEssay } from '@mozhan/contract/staff-essays.ts';
import type { StaffTag } from '@mozhan/contract/tags.ts';
import { type Config, filesUrlOf } from '../../../../config/config.ts';
import type { Ctx } from '../../../../ctx.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { User } from '../../../accounts/users/tables.ts';
import { addressOf, type Told } from '../../../accounts/webhooks/index.ts';
import type { CardRow } from '../queries/lists.ts';
import type { StaffTagRow } from '../queries/tags.ts';
import type { ColumnRow, EssayRow, RecordRow, RevisionRow } from '../tables.ts';

const iso = (time: Date | null): string | null => time?.toISOString() ?? null;

const LINKED = /^<(?:a|img)\b/;
const ADDRESS = /(\s(?:href|src)=")(\/(?:files\/)?)(?!\/)/;
const SOURCES = /(\ssrcset=")([^"]*)/;

/**
 * Texts name the site's own addresses from its root; a site that lives below another's has them further down, and its
 * files may be elsewhere.
 */
export function atBase(html: string, config: Pick<Config, 'basePath' | 's3'>): string {
  const { basePath } = config;
  const filesUrl = filesUrlOf(config);
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
    title: essay.title,
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

/** To those beyond the site who want to hear of it: what it is called and where it is. */
export const toToldBrief = (ctx: Ctx, { id, title }: Pick<EssayRow, 'id' | 'title'>) => ({
  id,
  title,
  url: addressOf(ctx, `/essay/detail/${id}.html`),
});

/** And what anyone sees of it in a list, counts aside. */
export const toTold = (ctx: Ctx, { essay, author, category }: CardRow): Told => ({
  ...toToldBrief(ctx, essay),
  summary: essay.summary,
  cover: essay.cover === '' ? '' : addressOf(ctx, essay.cover),
  category: category === null ? null : { slug: category.slug, name: category.name },
  tags: essay.tags,
  author: { id: author.id, displayName: author.displayName },
  price: essay.price,
  memberFree: essay.memberFree,
  publishedAt: iso(essay.publishedAt),
  wordCount: essay.wordCount,
  readMinutes: essay.readMinutes,
});

/** To the author. */
export const toOwnCard = (row: CardRow, now: Date): ListedEssay => ({
  ...toCard(row, now),
  revision: row.essay.revisionStatus,
  scheduledAt: iso(row.essay.scheduledAt),
});

export const toStaffEssay = (row: CardRow & { appeal: boolean; words: string[] }, now: Date): StaffEssay => ({
  ...toCard(row, now),
  revision: row.essay.revisionStatus,
  submittedAt: iso(row.essay.submittedAt),
  appeal: row.appeal,
  words: row.words,
  scheduledAt: iso(row.essay.scheduledAt),
});

export const toRecord = (
  { record, user }: { record: RecordRow; user: User | null },
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
  shelvedVersion: number | null,
): RevisionBrief => ({
  revision: row.version,
  title: row.title,
  characters: row.characters,
  // Until it has been counted.
  wordCount: row.wordCount ?? row.characters,
  auto: row.auto,
  shelved: row.version === shelvedVersion,
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
  createdAt: column.createdAt.toISOString(),
});

export const toStaffTag = ({ id, name, essayCount, aliases, moving }: StaffTagRow): StaffTag => ({
  id,
  name,
  count: essayCount,
  aliases,
  moving,
});
