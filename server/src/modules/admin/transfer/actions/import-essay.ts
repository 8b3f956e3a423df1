import { attachmentLink } from '@mozhan/contract/attachment-link.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import {
  createEssay,
  type EssayFields,
  type EssayStatus,
  MAX_ATTACHMENTS,
  type RevisionStatus,
} from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { parseInput } from '../../../../input.ts';
import {
  type ImportedEssay,
  type ImportedPins,
  prepareImportedEssay,
} from '../../../content/essays/index.ts';
import { replaceLinks } from '../picture-text.ts';
import { findEssay } from '../queries/targets.ts';
import { getAuthor } from './authors.ts';
import { importAttachment, importPicture } from './import-files.ts';
import { clampToPast, describeError, type ImportState, importItem } from './import-state.ts';
import { recordRemotePictures } from './remote-pictures.ts';
import { toItemKey } from './run.ts';

export interface IncomingAttachment {
  /** In the archive. */
  name: string;
  /** The addresses of links to it, as in the text. */
  links: string[];
}

/** The fields of an essay whose pictures and attachments still refer to files of the archive. */
export interface ImportDraft {
  fields: Omit<EssayFields, 'categoryId' | 'columnId' | 'cover' | 'shareCover' | 'attachments'>;
  categoryId: string | null;
  columnId: string | null;
  /** A name in the archive or an external URL; empty for none. */
  cover: string;
  /** A name in the archive; empty for none. */
  shareCover: string;
  attachments: IncomingAttachment[];
  /** The references in the text, mapped to names in the archive. */
  pictures: Map<string, string>;
  /** Replaces the references in the text by the paths of imported files. */
  replace: (content: string, paths: ReadonlyMap<string, string>) => string;
}

export interface IncomingEssay {
  key: string;
  /** The id in an archive of this program; null for other programs. */
  id: string | null;
  slug?: string | null;
  author: { account: string; displayName: string } | null;
  draft: ImportDraft;
  revision: { draft: ImportDraft; status: RevisionStatus } | null;
  status: EssayStatus;
  offByStaff: boolean;
  reason: string;
  region: string;
  columnSort: number;
  pins?: ImportedPins;
  createdAt: Date | null;
  publishedAt: Date | null;
  updatedAt: Date | null;
  notes: string[];
  /** Runs in the transaction of the essay. */
  onImported?: (ctx: Ctx, essayId: string, version: number) => Promise<void>;
  /** Addresses of files on other hosts, as in the text; undefined if they are not fetched. */
  remote?: { pictures: string[]; attachments: string[] } | undefined;
}

export const isExternalUrl = (address: string): boolean => /^(https?:)?\/\//.test(address);

async function importCover(
  state: ImportState,
  author: Viewer,
  cover: string,
  notes: string[],
): Promise<string> {
  if (cover === '') return '';
  const imported = isExternalUrl(cover) ? null : await importPicture(state, author, cover);
  const isFetchedLater = isExternalUrl(cover) && state.run.row.options.fetchPictures === true;
  if (imported === null && !isFetchedLater)
    notes.push(isExternalUrl(cover) ? `封面在别的网站上，没有导入：${cover}` : '封面没有导入');
  return imported?.path ?? '';
}

async function importShareCover(
  state: ImportState,
  author: Viewer,
  name: string,
  notes: string[],
): Promise<string> {
  if (name === '') return '';
  const imported = await importPicture(state, author, name);
  if (imported === null) notes.push('分享卡片的图片没有导入');
  return imported?.path ?? '';
}

const TOO_MANY = `一篇文章最多 ${MAX_ATTACHMENTS} 个`;

async function importAttachments(
  state: ImportState,
  author: Viewer,
  given: IncomingAttachment[],
  notes: string[],
): Promise<{ attachments: string[]; paths: Map<string, string> }> {
  const attachments: string[] = [];
  const paths = new Map<string, string>();
  for (const { name, links } of given) {
    const imported =
      attachments.length < MAX_ATTACHMENTS
        ? await importAttachment(state, author, name)
        : { reason: TOO_MANY };
    if ('reason' in imported) notes.push(`附件没有导入：${name}（${imported.reason}）`);
    else {
      attachments.push(imported.id);
      for (const link of links) paths.set(link, attachmentLink(imported.id));
    }
  }
  return { attachments, paths };
}

/** Imports the referenced files and returns valid fields. */
export async function importFields(
  state: ImportState,
  author: Viewer,
  draft: ImportDraft,
  notes: string[],
): Promise<EssayFields> {
  const paths = new Map<string, string>();
  for (const [reference, name] of draft.pictures) {
    const imported = await importPicture(state, author, name);
    if (imported === null) notes.push(`图片没有导入：${name}`);
    else paths.set(reference, imported.path);
  }
  const { attachments, paths: links } = await importAttachments(state, author, draft.attachments, notes);
  const { categoryId, columnId } = draft;
  const cover = await importCover(state, author, draft.cover, notes);
  const shareCover = await importShareCover(state, author, draft.shareCover, notes);
  const content = replaceLinks(draft.replace(draft.fields.content, paths), links);
  const references = { categoryId, columnId, cover, shareCover, attachments };
  const fields: EssayFields = { ...draft.fields, content, ...references };
  const { status: _, ...checked } = parseInput(createEssay.input, fields);
  return { ...fields, ...checked };
}

const toPastDate = (given: Date | null, now: Date): Date | null =>
  given === null || Number.isNaN(given.getTime()) ? null : clampToPast(given, now);

/** Falls back to a draft if the essay is incomplete or may not be published here. */
async function prepareOrDraft(ctx: Ctx, given: ImportedEssay, notes: string[]) {
  try {
    return await prepareImportedEssay(ctx, given);
  } catch (error) {
    const codes = ['ESSAY_INCOMPLETE', 'WORDS_REFUSED', 'TIMEOUT'];
    if (!(error instanceof CallError) || !codes.includes(error.code)) throw error;
    notes.push(`作为草稿导入：${describeError(error)}`);
    const newest = given.revision?.fields ?? given.fields;
    return prepareImportedEssay(ctx, {
      ...given,
      fields: newest,
      status: ESSAY_STATUS.draft,
      revision: null,
    });
  }
}

async function chooseEssayId(ctx: Ctx, id: string | null, notes: string[]): Promise<string> {
  if (id === null) return newId();
  const existing = await findEssay(ctx.db, id);
  if (existing === null) return id;
  if (existing.deletedAt === null) throw new CallError('INVALID', { message: '已存在' });
  notes.push('原来的编号用过又删除了，换了新的');
  return newId();
}

/** What the essay was meant to have besides its fields and did not get. */
async function listRefused(ctx: Ctx, id: string, { slug, pins }: IncomingEssay): Promise<string[]> {
  if (!slug && !pins?.author) return [];
  const essay = await findEssay(ctx.db, id);
  const isUnpinned = essay?.status === ESSAY_STATUS.onShelf && essay.authorPin === null;
  return [
    ...(slug && essay?.slug !== slug ? [`网址「${slug}」不能用，改用编号`] : []),
    ...(pins?.author && isUnpinned ? ['作者主页的置顶已满，没有置顶'] : []),
  ];
}

export const essayKey = (key: string): string => `essay:${key}`;

/** The essay that this run imported; keys that were recorded before an interruption may be truncated. */
export const findImportedEssay = ({ essays }: ImportState, key: string): string | undefined =>
  essays.get(key) ?? essays.get(toItemKey(essayKey(key)).slice(essayKey('').length));

export async function importEssay(state: ImportState, incoming: IncomingEssay): Promise<void> {
  const { run } = state;
  const { asDrafts = false } = run.row.options;
  const item = {
    key: essayKey(incoming.key),
    kind: 'essay' as const,
    title: incoming.draft.fields.title || '无标题',
  };
  await importItem(state, item, async (ctx) => {
    const notes = [...incoming.notes];
    const id = await chooseEssayId(ctx, incoming.id, notes);
    const author = await getAuthor(state, incoming.author);
    const fields = await importFields(state, author, incoming.draft, notes);
    const revisedFields =
      incoming.revision === null ? null : await importFields(state, author, incoming.revision.draft, notes);
    const updatedAt =
      toPastDate(incoming.updatedAt ?? incoming.publishedAt ?? incoming.createdAt, ctx.now) ?? ctx.now;
    const refused = incoming.remote?.attachments.slice(MAX_ATTACHMENTS - fields.attachments.length) ?? [];
    for (const url of refused) notes.push(`附件没有导入：${url}（${TOO_MANY}）`);
    const prepared = await prepareOrDraft(
      ctx,
      {
        id,
        authorId: author.id,
        fields: asDrafts && revisedFields !== null ? revisedFields : fields,
        status: asDrafts ? ESSAY_STATUS.draft : incoming.status,
        offByStaff: incoming.offByStaff,
        reason: incoming.reason,
        region: incoming.region,
        columnSort: incoming.columnSort,
        slug: incoming.slug ?? null,
        pins: incoming.pins,
        createdAt: toPastDate(incoming.createdAt ?? incoming.publishedAt, ctx.now) ?? updatedAt,
        publishedAt: toPastDate(incoming.publishedAt, ctx.now),
        updatedAt,
        revision:
          asDrafts || incoming.revision === null || revisedFields === null
            ? null
            : { fields: revisedFields, status: incoming.revision.status },
      },
      notes,
    );
    await inTransaction(ctx, async (ctx) => {
      const { version } = await prepared(ctx);
      notes.push(...(await listRefused(ctx, id, incoming)));
      const note = notes.join('；');
      const isNew = await run.recordItem(ctx, {
        ...item,
        outcome: 'created',
        note,
        targetId: id,
        detail: { version },
      });
      if (!isNew) throw new CallError('INVALID', { message: '与前面的重复' });
      await incoming.onImported?.(ctx, id, version);
      if (incoming.remote !== undefined)
        await recordRemotePictures(ctx, {
          transferId: run.row.id,
          essayId: id,
          urls: incoming.remote.pictures,
          attachments: incoming.remote.attachments.slice(0, MAX_ATTACHMENTS - fields.attachments.length),
          cover: isExternalUrl(incoming.draft.cover) ? incoming.draft.cover : '',
        });
    });
    state.essays.set(incoming.key, id);
  });
}
