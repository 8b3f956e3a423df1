import { asCallError } from '@mozhan/client/errors.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { Attachment, EssaySource } from '@mozhan/contract/essays.ts';
import { createRandomKey } from '@mozhan/editor/random-key.ts';
import { canEditEssay } from '#web/features/own-essays/essay-actions.ts';
import type { PendingCreate, SavedEssay } from './autosave.ts';
import { type Draft, differingFields, emptyDraft, mergeDrafts, toDraft } from './draft.ts';
import { deleteDraft, draftOwner, findBase, type LocalDraft, listAbandonedDrafts } from './local-store.ts';

/** The initial state of the editor: the server's text, or a draft left in this browser. */
export interface OpenedEssay {
  /** The key of this tab's draft in the browser. */
  key: string;
  source: EssaySource | null;
  saved: SavedEssay | null;
  creating: PendingCreate | null;
  draft: Draft;
  files: Attachment[];
  /** The author, if staff write for somebody else. */
  author: Pick<EssaySource['author'], 'id' | 'displayName'> | null;
  /** A local draft had changes that the server does not have. */
  recovered: boolean;
  /** The server's version, when it conflicts with the local draft. */
  theirs: EssaySource | null;
}

const emptyEssay = (): OpenedEssay => ({
  key: createRandomKey(),
  source: null,
  saved: null,
  creating: null,
  draft: emptyDraft,
  files: [],
  author: null,
  recovered: false,
  theirs: null,
});

async function openNew(localDraft: LocalDraft | undefined): Promise<OpenedEssay> {
  if (localDraft === undefined) return emptyEssay();
  const { key, draft, files } = localDraft;
  const base = await findBase(key);
  const saved = base?.saved ?? null;
  return { ...emptyEssay(), key, draft, files, saved, creating: base?.creating ?? null, recovered: true };
}

const fromServer = (source: EssaySource): OpenedEssay => {
  const draft = toDraft(source);
  const saved = { id: source.id, version: source.version, draft };
  return { ...emptyEssay(), source, saved, draft, files: source.files };
};

async function restoreDraft(
  opened: OpenedEssay,
  source: EssaySource,
  localDraft: LocalDraft,
): Promise<OpenedEssay> {
  const { key, draft: mine } = localDraft;
  const server = toDraft(source);
  if (differingFields(mine, server).length === 0) {
    await deleteDraft(key);
    return opened;
  }
  // The local draft is used once the essay can be edited again.
  if (!canEditEssay(source)) return opened;
  const base = (await findBase(key))?.saved ?? null;
  const files = [
    ...source.files,
    ...localDraft.files.filter(({ id }) => source.files.every((f) => f.id !== id)),
  ];
  const restored = { ...opened, key, files, recovered: true };
  if (base === null || base.version === source.version) return { ...restored, draft: mine };
  const { merged, conflicts } = mergeDrafts(base.draft, mine, server);
  if (conflicts.length === 0) return { ...restored, draft: merged };
  return { ...restored, draft: mine, saved: base, theirs: source };
}

/** Opens the local draft when the server is not available. */
async function openOffline(localDraft: LocalDraft | undefined, error: unknown): Promise<OpenedEssay> {
  const status = asCallError(error)?.status ?? 500;
  if (localDraft === undefined) throw error;
  // The essay was removed elsewhere, so the draft becomes a new one.
  if (status === 404 || status === 410) return { ...(await openNew(localDraft)), saved: null };
  const base = await findBase(localDraft.key);
  if (!base?.saved || (status < 500 && status !== 401)) throw error;
  return {
    ...emptyEssay(),
    key: localDraft.key,
    saved: base.saved,
    draft: localDraft.draft,
    files: localDraft.files,
    recovered: true,
  };
}

interface EssayToOpen {
  userId: string;
  /** Null for a new essay. */
  id: string | null;
  /** Whom staff write a new essay for; null for the user's own. */
  authorId: string | null;
}

export async function openEssay(api: Client, { userId, id, authorId }: EssayToOpen): Promise<OpenedEssay> {
  const [localDraft] = await listAbandonedDrafts(draftOwner(userId, id === null ? authorId : null), id);
  if (id === null) {
    const author = authorId === null ? null : await api('GET core/user/public', { id: authorId });
    return { ...(await openNew(localDraft)), author };
  }
  try {
    const source = await api('GET core/essay/{id}/source', { id });
    const opened = { ...fromServer(source), author: source.author.id === userId ? null : source.author };
    return localDraft === undefined ? opened : await restoreDraft(opened, source, localDraft);
  } catch (error) {
    return openOffline(localDraft, error);
  }
}
