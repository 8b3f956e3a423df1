import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import {
  createEssay,
  type EssayFields,
  type EssayStatus,
  type RevisionStatus,
} from '@mozhan/contract/essays.ts';
import { type Ctx, inTx, type Viewer } from '../../../../ctx.ts';
import { newId } from '../../../../db/id.ts';
import { parseInput } from '../../../../input.ts';
import { type BroughtEssay, prepareBroughtEssay } from '../../../content/essays/index.ts';
import { findEssay } from '../queries/targets.ts';
import { getAuthor } from './people.ts';
import { bringAttachment, bringPicture } from './pictures.ts';
import { attempt, notLater, sentenceOf, type World } from './world.ts';

/** What was written, pointing to files of the archive instead of ours. */
export interface Draft {
  fields: Omit<EssayFields, 'categoryId' | 'columnId' | 'cover' | 'attachments'>;
  categoryId: string | null;
  columnId: string | null;
  /** A name in the archive, or an address elsewhere; empty: none. */
  cover: string;
  attachments: string[];
  /** As they stand in the text, and their names in the archive. */
  pictures: Map<string, string>;
  /** Puts what is kept here in place of what stands in the text. */
  replace: (content: string, paths: ReadonlyMap<string, string>) => string;
}

/** An essay on its way in, whichever program it comes from. */
export interface Arriving {
  key: string;
  /** Ours of another day; null: it was never here. */
  id: string | null;
  author: { account: string; displayName: string } | null;
  draft: Draft;
  revision: { draft: Draft; status: RevisionStatus } | null;
  status: EssayStatus;
  offByStaff: boolean;
  reason: string;
  region: string;
  columnSort: number;
  createdAt: Date | null;
  publishedAt: Date | null;
  updatedAt: Date | null;
  notes: string[];
}

const isElsewhere = (address: string): boolean => /^(https?:)?\/\//.test(address);

async function bringCover(world: World, author: Viewer, cover: string, notes: string[]): Promise<string> {
  if (cover === '') return '';
  const kept = isElsewhere(cover) ? null : await bringPicture(world, author, cover);
  if (kept === null) notes.push(isElsewhere(cover) ? `封面在别的网站上，没有导入：${cover}` : '封面没有导入');
  return kept?.path ?? '';
}

/** What it points to is brought here first. */
async function settle(world: World, author: Viewer, draft: Draft, notes: string[]): Promise<EssayFields> {
  const paths = new Map<string, string>();
  for (const [written, name] of draft.pictures) {
    const kept = await bringPicture(world, author, name);
    if (kept === null) notes.push(`图片没有导入：${name}`);
    else paths.set(written, kept.path);
  }
  const attachments: string[] = [];
  for (const name of draft.attachments) {
    const kept = await bringAttachment(world, author, name);
    if (kept === null) notes.push(`附件没有导入：${name}`);
    else attachments.push(kept.id);
  }
  const { categoryId, columnId } = draft;
  const cover = await bringCover(world, author, draft.cover, notes);
  const content = draft.replace(draft.fields.content, paths);
  const whole: EssayFields = { ...draft.fields, content, categoryId, columnId, cover, attachments };
  const { status: _, ...checked } = parseInput(createEssay.input, whole);
  return { ...whole, ...checked };
}

const past = (given: Date | null, now: Date): Date | null =>
  given === null || Number.isNaN(given.getTime()) ? null : notLater(given, now);

/** Where it stood; what may not be published here, or is incomplete, comes as a draft. */
async function prepareStanding(ctx: Ctx, given: BroughtEssay, notes: string[]) {
  try {
    return await prepareBroughtEssay(ctx, given);
  } catch (error) {
    const codes = ['ESSAY_INCOMPLETE', 'WORDS_REFUSED', 'TIMEOUT'];
    if (!(error instanceof CallError) || !codes.includes(error.code)) throw error;
    notes.push(`作为草稿导入：${sentenceOf(error)}`);
    const newest = given.revision?.fields ?? given.fields;
    return prepareBroughtEssay(ctx, { ...given, fields: newest, status: ESSAY_STATUS.draft, revision: null });
  }
}

async function findFreeId(ctx: Ctx, id: string | null, notes: string[]): Promise<string> {
  if (id === null) return newId();
  const there = await findEssay(ctx.db, id);
  if (there === null) return id;
  if (there.deletedAt === null) throw new CallError('INVALID', { message: '已存在' });
  notes.push('原来的编号用过又删除了，换了新的');
  return newId();
}

export const essayKey = (key: string): string => `essay:${key}`;

/** Through the same doors as everyone's essays, in a transaction of its own. */
export async function bringEssay(world: World, given: Arriving): Promise<void> {
  const { run } = world;
  const { asDrafts = false } = run.row.options;
  const item = {
    key: essayKey(given.key),
    kind: 'essay' as const,
    title: given.draft.fields.title || '无标题',
  };
  await attempt(world, item, async (ctx) => {
    const notes = [...given.notes];
    const id = await findFreeId(ctx, given.id, notes);
    const author = await getAuthor(world, given.author);
    const fields = await settle(world, author, given.draft, notes);
    const revised = given.revision === null ? null : await settle(world, author, given.revision.draft, notes);
    const updatedAt = past(given.updatedAt ?? given.publishedAt ?? given.createdAt, ctx.now) ?? ctx.now;
    const prepared = await prepareStanding(
      ctx,
      {
        id,
        authorId: author.id,
        fields: asDrafts && revised !== null ? revised : fields,
        status: asDrafts ? ESSAY_STATUS.draft : given.status,
        offByStaff: given.offByStaff,
        reason: given.reason,
        region: given.region,
        columnSort: given.columnSort,
        createdAt: past(given.createdAt ?? given.publishedAt, ctx.now) ?? updatedAt,
        publishedAt: past(given.publishedAt, ctx.now),
        updatedAt,
        revision:
          asDrafts || given.revision === null || revised === null
            ? null
            : { fields: revised, status: given.revision.status },
      },
      notes,
    );
    await inTx(ctx, async (ctx) => {
      const { version } = await prepared(ctx);
      const note = notes.join('；');
      const isNew = await run.note(ctx, {
        ...item,
        outcome: 'created',
        note,
        targetId: id,
        detail: { version },
      });
      if (!isNew) throw new CallError('INVALID', { message: '与前面的重复' });
    });
    world.essays.set(given.key, id);
  });
}
