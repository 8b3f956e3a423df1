import { attachmentLink } from '@mozhan/contract/attachment-link.ts';
import { CallError } from '@mozhan/contract/errors.ts';
import { MAX_ATTACHMENTS } from '@mozhan/contract/essays.ts';
import { type Ctx, inTransaction } from '../../../../ctx.ts';
import { prepareImportedContent } from '../../../content/essays/index.ts';
import { prepareImportedPage } from '../../../content/site/index.ts';
import { type PictureResults, replacePictures } from '../picture-text.ts';
import * as queries from '../queries/pictures.ts';
import { updateItem } from '../queries/runs.ts';
import { findEssay } from '../queries/targets.ts';
import type { ItemRow, PictureRow } from '../tables.ts';
import { describeError } from './import-state.ts';
import { remoteItemKey } from './remote-pictures.ts';

const EDITED = '之后有人改过，正文里别的网站的图片和附件没有换';

async function addNote(ctx: Ctx, item: ItemRow | null, note: string): Promise<void> {
  if (item === null || item.note.includes(note)) return;
  await updateItem(ctx.db, item, { note: item.note === '' ? note : `${item.note}；${note}` });
}

/** Returns a note if the essay keeps its text. */
async function prepareEssay(
  ctx: Ctx,
  essayId: string,
  version: number,
  results: PictureResults & { cover: string | null; attachmentIds: string[] },
): Promise<(ctx: Ctx) => Promise<string | null>> {
  const { cover, attachmentIds } = results;
  try {
    const replace = await prepareImportedContent(ctx, {
      essayId,
      version,
      change: (given) => ({
        ...given,
        content: replacePictures(given.content, results),
        cover: given.cover === '' && cover !== null ? cover : given.cover,
        attachments: [...new Set([...given.attachments, ...attachmentIds])].slice(0, MAX_ATTACHMENTS),
      }),
    });
    return async (ctx) => ((await replace(ctx)) === null ? EDITED : null);
  } catch (error) {
    if (!(error instanceof CallError) || error.status >= 500) throw error;
    return async () => `正文里别的网站的图片和附件没有换：${describeError(error)}`;
  }
}

async function preparePage(
  ctx: Ctx,
  pageId: string,
  results: PictureResults,
): Promise<(ctx: Ctx) => Promise<string | null>> {
  const replace = await prepareImportedPage(ctx, pageId, (given) => ({
    ...given,
    content: replacePictures(given.content, results),
  }));
  return async (ctx) => ((await replace(ctx)) === null ? EDITED : null);
}

/** The ids of fetched attachments by address; each author has rows of their own. */
async function listAttachments(
  ctx: Ctx,
  { transferId, essayId }: queries.PictureTarget,
  pictures: { picture: PictureRow }[],
): Promise<Map<string, string>> {
  const urls = pictures.flatMap(({ picture: { kind, status, url } }) =>
    kind === 'attachment' && status === 'done' ? [url] : [],
  );
  const essay = urls.length === 0 || essayId === null ? null : await findEssay(ctx.db, essayId);
  if (essay === null) return new Map();
  const keys = urls.map((url) => remoteItemKey(essay.authorId, url));
  const ids = await queries.listTargetsByKey(ctx.db, [transferId], keys);
  return new Map(
    urls.flatMap((url) => {
      const id = ids.get(remoteItemKey(essay.authorId, url));
      return id === undefined ? [] : [[url, id] as const];
    }),
  );
}

/** Writes the results of all pictures of an essay or page into its text, unless it was edited since the import. */
export async function applyPictures(ctx: Ctx, target: queries.PictureTarget): Promise<void> {
  const { transferId, essayId, pageId } = target;
  const pictures = await queries.listPicturesOf(ctx.db, target);
  const attachments = await listAttachments(ctx, target, pictures);
  const done = new Map(
    pictures.flatMap(({ picture: { url, path, kind } }) => {
      const attachmentId = attachments.get(url);
      if (attachmentId !== undefined) return [[url, attachmentLink(attachmentId)] as const];
      return path === null || kind === 'attachment' ? [] : [[url, path] as const];
    }),
  );
  // An attachment that could not be fetched is a link already.
  const failed = new Set(
    pictures.flatMap(({ picture: { url, status, kind } }) =>
      status === 'failed' && kind === 'picture' ? [url] : [],
    ),
  );
  const attachmentIds = [...attachments.values()];
  const cover = pictures.find(({ isCover }) => isCover)?.picture.path ?? null;
  const item = await queries.findItemOf(ctx.db, target);
  const apply =
    essayId === null
      ? await preparePage(ctx, pageId ?? '', { done, failed })
      : await prepareEssay(ctx, essayId, item?.detail?.version ?? 1, {
          done,
          failed,
          cover,
          attachmentIds,
        });
  await inTransaction(ctx, async (ctx) => {
    if ((await queries.lockEndedTransfer(ctx.db, transferId)) === null) return;
    const ids = pictures.map(({ picture }) => picture.id);
    // Its last two pictures may have been fetched at the same time, and then both find all of them fetched.
    if (!(await queries.markApplied(ctx.db, target, ids))) return;
    const note = await apply(ctx);
    if (note !== null) await addNote(ctx, item, note);
  });
}
