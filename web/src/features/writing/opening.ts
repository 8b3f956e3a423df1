import { asCallError } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Attachment, EssaySource } from '@mozhan/contract/essays.ts';
import { newKey } from '@mozhan/editor/new-key.ts';
import { canEdit } from '#web/features/own-essays/own-acts.ts';
import type { Creating, Saved } from './autosave.ts';
import { type Draft, differing, emptyDraft, mergeDrafts, toDraft } from './draft.ts';
import { dropDraft, findBase, type LocalDraft, listLeftDrafts } from './local-store.ts';

/** Where writing starts from: the server's text, or one that was left in this browser. */
export interface Opening {
  /** Of this tab's copy in the browser. */
  key: string;
  source: EssaySource | null;
  saved: Saved | null;
  creating: Creating | null;
  draft: Draft;
  files: Attachment[];
  /** Something was found that the server did not have. */
  recovered: boolean;
  /** The server has another text since; somebody has to choose. */
  theirs: EssaySource | null;
}

const blank = (): Opening => ({
  key: newKey(),
  source: null,
  saved: null,
  creating: null,
  draft: emptyDraft,
  files: [],
  recovered: false,
  theirs: null,
});

async function openNew(left: LocalDraft | undefined): Promise<Opening> {
  if (left === undefined) return blank();
  const { key, draft, files } = left;
  const base = await findBase(key);
  const saved = base?.saved ?? null;
  return { ...blank(), key, draft, files, saved, creating: base?.creating ?? null, recovered: true };
}

const fromServer = (source: EssaySource): Opening => {
  const draft = toDraft(source);
  const saved = { id: source.id, version: source.version, draft };
  return { ...blank(), source, saved, draft, files: source.files };
};

async function withLeft(opening: Opening, source: EssaySource, left: LocalDraft): Promise<Opening> {
  const { key, draft: mine } = left;
  const server = toDraft(source);
  if (differing(mine, server).length === 0) {
    await dropDraft(key);
    return opening;
  }
  // Taken up when the essay can be edited again.
  if (!canEdit(source)) return opening;
  const base = (await findBase(key))?.saved ?? null;
  const files = [...source.files, ...left.files.filter(({ id }) => source.files.every((f) => f.id !== id))];
  const restored = { ...opening, key, files, recovered: true };
  if (base === null || base.version === source.version) return { ...restored, draft: mine };
  const { merged, clashes } = mergeDrafts(base.draft, mine, server);
  if (clashes.length === 0) return { ...restored, draft: merged };
  return { ...restored, draft: mine, saved: base, theirs: source };
}

/** Out of reach, the essay opens with what this browser has of it. */
async function openUnreached(left: LocalDraft | undefined, error: unknown): Promise<Opening> {
  const status = asCallError(error)?.status ?? 500;
  if (left === undefined) throw error;
  // Removed elsewhere: what was written here becomes an essay of its own.
  if (status === 404 || status === 410) return { ...(await openNew(left)), saved: null };
  const base = await findBase(left.key);
  if (!base?.saved || (status < 500 && status !== 401)) throw error;
  return {
    ...blank(),
    key: left.key,
    saved: base.saved,
    draft: left.draft,
    files: left.files,
    recovered: true,
  };
}

export async function openEssay(api: Client, userId: string, id: string | null): Promise<Opening> {
  const [left] = await listLeftDrafts(userId, id);
  if (id === null) return openNew(left);
  try {
    const source = await api('GET core/essay/{id}/source', { id });
    return left === undefined ? fromServer(source) : await withLeft(fromServer(source), source, left);
  } catch (error) {
    return openUnreached(left, error);
  }
}
