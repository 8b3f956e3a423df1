import { hasErrorCode } from '@mozhan/client/errors.ts';
import { readUser, subscribeToUser } from '@mozhan/client/session.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { excessCharacters } from '@mozhan/contract/content-length.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import { invalidField } from '@mozhan/contract/errors.ts';
import type { Attachment, EssaySource } from '@mozhan/contract/essays.ts';
import { createRandomKey } from '@mozhan/editor/random-key.ts';
import type { TextDocument } from '@mozhan/editor/source-editor.ts';
import { createValueStore } from '@mozhan/editor/store.ts';
import { createAutosave, type SavedEssay } from './autosave.ts';
import { type Draft, differingFields, emptyDraft, mergeDrafts, toDraft } from './draft.ts';
import { deleteDraft, draftOwner, lockDraft, storeBase, storeDraft } from './local-store.ts';
import type { OpenedEssay } from './open-essay.ts';

export type EssayStatusInfo = Pick<
  EssaySource,
  'slug' | 'status' | 'revision' | 'shelvedVersion' | 'rejection'
>;

const newEssayStatus: EssayStatusInfo = {
  slug: null,
  status: ESSAY_STATUS.draft,
  revision: null,
  shelvedVersion: null,
  rejection: null,
};

interface EssayModelSetup {
  api: Client;
  userId: string;
  opened: OpenedEssay;
  /** Called when the essay has an id. */
  onCreated: (id: string) => void;
  onMerged: () => void;
}

/** The server would refuse a text that is too long; it need not be sent. */
function requireLength({ content = '' }: Partial<Draft>): void {
  const excess = excessCharacters(content);
  if (excess > 0) throw invalidField('content', `超出 ${excess.toLocaleString('zh-CN')} 个字符`);
}

interface SavedMessage {
  from: string;
  version: number;
}

export type EssayModel = ReturnType<typeof createEssayModel>;

/** One essay edited in one tab: its fields, its text, and where they are stored. */
export function createEssayModel({ api, userId, opened, onCreated, onMerged }: EssayModelSetup) {
  const { key } = opened;
  const fields = createValueStore<Draft>(opened.draft);
  const files = createValueStore<Attachment[]>(opened.files);
  const statusInfo = createValueStore<EssayStatusInfo>(opened.source ?? newEssayStatus);
  const theirs = createValueStore<EssaySource | null>(opened.theirs);
  const version = createValueStore<number>(opened.saved?.version ?? 0);
  /** False once the browser has refused to store a draft. */
  const canStoreLocally = createValueStore(true);
  let text: TextDocument | undefined;
  let channel: BroadcastChannel | undefined;
  let isBaseStored = false;
  let savedId = opened.saved?.id;
  let uploads = 0;

  const read = (): Draft => ({ ...fields.get(), content: text?.read() ?? fields.get().content });
  const trackStoreFailure = (work: Promise<void>) => void work.catch(() => canStoreLocally.set(false));

  function listenToOtherTabs(id: string): void {
    if (id === savedId && channel !== undefined) return;
    savedId = id;
    channel?.close();
    if (typeof BroadcastChannel === 'undefined') return;
    channel = new BroadcastChannel(`essay:${id}`);
    channel.onmessage = ({ data }: MessageEvent<SavedMessage>) => {
      if (data.from === key || data.version <= version.get()) return;
      void (autosave.isDirty() ? loadNewerVersion() : refresh().catch(() => {}));
    };
  }

  const autosave = createAutosave({
    saved: opened.saved,
    creating: opened.creating,
    newRequestId: createRandomKey,
    read,
    create: async ({ requestId, draft }) => {
      requireLength(draft);
      return api('POST core/essay/', { ...draft, authorId: opened.author?.id, requestId } as Draft);
    },
    update: async (input) => {
      requireLength(input);
      return api('PUT core/essay/', input);
    },
    storeLocally(draft) {
      if (draft === null) {
        isBaseStored = false;
        return trackStoreFailure(deleteDraft(key));
      }
      const saved = autosave.saved();
      if (!isBaseStored) trackStoreFailure(storeBase({ key, saved, creating: autosave.creating() }));
      isBaseStored = true;
      const essayId = saved?.id ?? null;
      const owner = draftOwner(userId, essayId === null ? (opened.author?.id ?? null) : null);
      trackStoreFailure(
        storeDraft({ key, userId: owner, essayId, draft, files: files.get(), changedAt: Date.now() }),
      );
    },
    onCreating() {
      isBaseStored = false;
      autosave.storeNow();
    },
    onSaved(saved) {
      version.set(saved.version);
      isBaseStored = false;
      if (saved.id !== savedId) onCreated(saved.id);
      listenToOtherTabs(saved.id);
      channel?.postMessage({ from: key, version: saved.version } satisfies SavedMessage);
      const { status, revision } = statusInfo.get();
      // The first change turns a rejected essay into a draft, and starts a revision of one on the shelf.
      if (
        status === ESSAY_STATUS.rejected ||
        (status === ESSAY_STATUS.onShelf && revision !== ESSAY_STATUS.draft)
      )
        void refreshStatus().catch(() => {});
    },
  });

  function setText(content: string): void {
    fields.set({ ...fields.get(), content });
    text?.replace(content);
  }

  function applySource(source: EssaySource): void {
    statusInfo.set(source);
    files.set(source.files);
    version.set(source.version);
  }

  const toSavedEssay = (source: EssaySource): SavedEssay => ({
    id: source.id,
    version: source.version,
    draft: toDraft(source),
  });

  function replaceDraft(source: EssaySource, draft: Draft): void {
    applySource(source);
    theirs.set(null);
    fields.set(draft);
    text?.replace(draft.content);
    autosave.continueFrom(toSavedEssay(source));
  }

  /** Continues from the server's current version: adopts it, merges it, or reports a conflict. */
  async function refresh(): Promise<void> {
    const base = autosave.saved();
    if (base === null) return;
    const source = await api('GET core/essay/{id}/source', { id: base.id });
    await text?.afterComposition();
    const isDirty = autosave.isDirty();
    const { merged, conflicts } = mergeDrafts(base.draft, read(), toDraft(source));
    if (conflicts.length > 0) {
      theirs.set(source);
      autosave.markConflict();
      return;
    }
    replaceDraft(source, merged);
    if (isDirty && source.version !== base.version) onMerged();
  }

  async function refreshStatus(): Promise<void> {
    const id = autosave.saved()?.id;
    if (id !== undefined) statusInfo.set(await api('GET core/essay/{id}/source', { id }));
  }

  /** Handles a newer version saved by another tab. */
  async function loadNewerVersion(): Promise<void> {
    autosave.markConflict();
    // On failure the draft stays here, and the author can retry.
    await refresh().catch(() => {});
  }

  let isLoadingConflict = opened.theirs !== null;
  autosave.subscribe(() => {
    const { kind } = autosave.get();
    if (kind === 'conflict' && theirs.get() === null && !isLoadingConflict) {
      isLoadingConflict = true;
      void loadNewerVersion().finally(() => {
        isLoadingConflict = false;
      });
    }
  });
  return {
    key,
    /** The author, if staff write for somebody else. */
    author: opened.author,
    fields,
    files,
    statusInfo,
    theirs,
    version,
    canStoreLocally,
    autosave,
    read,
    loadNewerVersion,
    refresh,
    /** Saves the text as a new essay because the old one was removed. */
    saveAsNewEssay(): void {
      statusInfo.set(newEssayStatus);
      version.set(0);
      autosave.saveAsNewEssay();
    },
    /** Replaces title and text of a new essay. */
    startWith(title: string, content: string): void {
      fields.set({ ...fields.get(), title });
      setText(content);
      autosave.notifyChange();
    },
    /** Deletes the essay and starts again with an empty one. */
    async discard(): Promise<void> {
      await autosave.flush();
      const id = autosave.saved()?.id;
      if (id !== undefined) await api('DELETE core/essay/{id}', { id });
      fields.set({ ...emptyDraft });
      text?.replace('');
      version.set(0);
      savedId = undefined;
      channel?.close();
      channel = undefined;
      autosave.forget();
    },
    /** Called when a cover or an attachment is sent; returns a function to call when that has ended. */
    beginUpload(): () => void {
      uploads += 1;
      return () => {
        uploads -= 1;
      };
    },
    hasUploads: () => uploads > 0,
    set(changes: Partial<Draft>): void {
      fields.set({ ...fields.get(), ...changes });
      autosave.notifyChange();
    },
    /** Takes effect at once and creates no version; returns false when the essay itself cannot be saved. */
    async saveSlug(slug: string | null): Promise<boolean> {
      const saved = (await autosave.flush()) ? autosave.saved() : null;
      if (saved === null) return false;
      await api('PUT core/essay/', { id: saved.id, version: saved.version, slug });
      statusInfo.set({ ...statusInfo.get(), slug });
      return true;
    },
    setText,
    /** Saves both texts as versions, then the chosen one as the current. */
    async resolveConflict(chosen: Draft): Promise<boolean> {
      const source = theirs.get();
      if (source === null) return false;
      const { id } = source;
      const mine = read();
      const isOther =
        differingFields(mine, chosen).length > 0 && differingFields(mine, toDraft(source)).length > 0;
      let { version: now } = source;
      try {
        if (isOther) now = (await api('PUT core/essay/', { ...mine, id, version: now })).version;
      } catch (error) {
        if (!hasErrorCode(error, 'STALE_VERSION')) throw error;
        // Saved elsewhere again: shows the conflict with the newer text.
        await loadNewerVersion();
        return false;
      }
      theirs.set(null);
      fields.set(chosen);
      text?.replace(chosen.content);
      autosave.continueFrom({ id, version: now, draft: isOther ? mine : toDraft(source) });
      return autosave.flush();
    },
    connectText(port: TextDocument | undefined): void {
      if (port === undefined) fields.set(read());
      text = port;
    },
    start(): () => void {
      const release = lockDraft(key);
      if (opened.saved !== null) listenToOtherTabs(opened.saved.id);
      if (opened.theirs !== null) autosave.markConflict();
      else if (opened.recovered) autosave.notifyChange();
      const stop = new AbortController();
      const { signal } = stop;
      const storeWhenHidden = () => {
        if (document.visibilityState === 'hidden') autosave.storeNow();
      };
      document.addEventListener('visibilitychange', storeWhenHidden, { signal });
      addEventListener('pagehide', () => autosave.storeNow(), { signal });
      addEventListener('online', () => autosave.retry(), { signal });
      const stopListening = subscribeToUser(() => {
        if (readUser()?.id === userId) autosave.retry();
      });
      // The browser's confirmation is only needed where the draft could not be stored.
      addEventListener(
        'beforeunload',
        (event) => {
          if (!canStoreLocally.get() && autosave.isDirty()) event.preventDefault();
        },
        { signal },
      );
      return () => {
        stop.abort();
        stopListening();
        autosave.stop();
        channel?.close();
        release();
      };
    },
  };
}
