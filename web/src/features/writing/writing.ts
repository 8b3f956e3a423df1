import { hasCode } from '@mozhan/client/errors.ts';
import { subscribe as followSession, readUser } from '@mozhan/client/session.ts';
import type { Client } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { Attachment, EssaySource } from '@mozhan/contract/essays.ts';
import { newKey } from '@mozhan/editor/new-key.ts';
import type { TextPort } from '@mozhan/editor/source-editor.ts';
import { createStore } from '@mozhan/editor/store.ts';
import { createAutosave, type Saved } from './autosave.ts';
import { type Draft, differing, mergeDrafts, toDraft } from './draft.ts';
import { dropDraft, holdKey, keepBase, keepDraft } from './local-store.ts';
import type { Opening } from './opening.ts';

/** What the server says about the essay beside its fields. */
export type Facts = Pick<EssaySource, 'status' | 'revision' | 'shelvedVersion' | 'rejection'>;

const newFacts: Facts = { status: ESSAY_STATUS.draft, revision: null, shelvedVersion: null, rejection: null };

interface WritingSetup {
  api: Client;
  userId: string;
  opening: Opening;
  /** The essay has got its address. */
  onCreated: (id: string) => void;
  onMerged: () => void;
}

interface Told {
  from: string;
  version: number;
}

export type Writing = ReturnType<typeof createWriting>;

/** One essay being written in one tab: its fields, its text, and where they are kept. */
export function createWriting({ api, userId, opening, onCreated, onMerged }: WritingSetup) {
  const { key } = opening;
  const fields = createStore<Draft>(opening.draft);
  const files = createStore<Attachment[]>(opening.files);
  const facts = createStore<Facts>(opening.source ?? newFacts);
  const theirs = createStore<EssaySource | null>(opening.theirs);
  const version = createStore<number>(opening.saved?.version ?? 0);
  /** False once the browser has refused to keep anything. */
  const keeps = createStore(true);
  let text: TextPort | undefined;
  let channel: BroadcastChannel | undefined;
  let baseKept = false;
  let address = opening.saved?.id;

  const read = (): Draft => ({ ...fields.get(), content: text?.read() ?? fields.get().content });
  const quietly = (work: Promise<void>) => void work.catch(() => keeps.set(false));

  function listen(id: string): void {
    if (id === address && channel !== undefined) return;
    address = id;
    channel?.close();
    if (typeof BroadcastChannel === 'undefined') return;
    channel = new BroadcastChannel(`essay:${id}`);
    channel.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.from === key || data.version <= version.get()) return;
      void (autosave.isDirty() ? overtaken() : refresh().catch(() => {}));
    };
  }

  const autosave = createAutosave({
    saved: opening.saved,
    creating: opening.creating,
    newRequestId: newKey,
    read,
    create: ({ requestId, draft }) => api('POST core/essay/', { ...draft, requestId } as Draft),
    update: (input) => api('PUT core/essay/', input),
    keep(draft) {
      if (draft === null) {
        baseKept = false;
        return quietly(dropDraft(key));
      }
      const saved = autosave.saved();
      if (!baseKept) quietly(keepBase({ key, saved, creating: autosave.creating() }));
      baseKept = true;
      const essayId = saved?.id ?? null;
      quietly(keepDraft({ key, userId, essayId, draft, files: files.get(), changedAt: Date.now() }));
    },
    onCreating() {
      baseKept = false;
      autosave.keepNow();
    },
    onSaved(saved) {
      version.set(saved.version);
      baseKept = false;
      if (saved.id !== address) onCreated(saved.id);
      listen(saved.id);
      channel?.postMessage({ from: key, version: saved.version } satisfies Told);
      const { status, revision } = facts.get();
      // The first change makes a refused essay a draft, and one on the shelf a revision.
      if (
        status === ESSAY_STATUS.rejected ||
        (status === ESSAY_STATUS.onShelf && revision !== ESSAY_STATUS.draft)
      )
        void refreshFacts().catch(() => {});
    },
  });

  function setText(content: string): void {
    fields.set({ ...fields.get(), content });
    text?.replace(content);
  }

  function showServer(source: EssaySource): void {
    facts.set(source);
    files.set(source.files);
    version.set(source.version);
  }

  const savedOf = (source: EssaySource): Saved => ({
    id: source.id,
    version: source.version,
    draft: toDraft(source),
  });

  function takeOver(source: EssaySource, draft: Draft): void {
    showServer(source);
    theirs.set(null);
    fields.set(draft);
    text?.replace(draft.content);
    autosave.adopt(savedOf(source));
  }

  /** Goes on from what the server has now: taken as it is, merged, or left to be chosen from. */
  async function refresh(): Promise<void> {
    const base = autosave.saved();
    if (base === null) return;
    const source = await api('GET core/essay/{id}/source', { id: base.id });
    await text?.settled();
    const isDirty = autosave.isDirty();
    const { merged, clashes } = mergeDrafts(base.draft, read(), toDraft(source));
    if (clashes.length > 0) {
      theirs.set(source);
      autosave.overtaken();
      return;
    }
    takeOver(source, merged);
    if (isDirty && source.version !== base.version) onMerged();
  }

  async function refreshFacts(): Promise<void> {
    const id = autosave.saved()?.id;
    if (id !== undefined) facts.set(await api('GET core/essay/{id}/source', { id }));
  }

  /** Another tab has saved a newer version. */
  async function overtaken(): Promise<void> {
    autosave.overtaken();
    // Out of reach: what is written stays here, and the question can be asked again.
    await refresh().catch(() => {});
  }

  let asking = opening.theirs !== null;
  autosave.subscribe(() => {
    const { at } = autosave.get();
    if (at === 'conflict' && theirs.get() === null && !asking) {
      asking = true;
      void overtaken().finally(() => {
        asking = false;
      });
    }
  });
  return {
    key,
    fields,
    files,
    facts,
    theirs,
    version,
    keeps,
    autosave,
    read,
    overtaken,
    refresh,
    /** The essay is gone; its text becomes another one. */
    startAnew(): void {
      facts.set(newFacts);
      version.set(0);
      autosave.startAnew();
    },
    set(changes: Partial<Draft>): void {
      fields.set({ ...fields.get(), ...changes });
      autosave.changed();
    },
    setText,
    /** Both texts become versions of the essay, then the chosen one its present. */
    async settle(chosen: Draft): Promise<boolean> {
      const source = theirs.get();
      if (source === null) return false;
      const { id } = source;
      const mine = read();
      const isOther = differing(mine, chosen).length > 0 && differing(mine, toDraft(source)).length > 0;
      let { version: now } = source;
      try {
        if (isOther) now = (await api('PUT core/essay/', { ...mine, id, version: now })).version;
      } catch (error) {
        if (!hasCode(error, 'STALE_VERSION')) throw error;
        // Saved elsewhere once more: the same question, with the newer text.
        await overtaken();
        return false;
      }
      theirs.set(null);
      fields.set(chosen);
      text?.replace(chosen.content);
      autosave.adopt({ id, version: now, draft: isOther ? mine : toDraft(source) });
      return autosave.flush();
    },
    connectText(port: TextPort | undefined): void {
      if (port === undefined) fields.set(read());
      text = port;
    },
    start(): () => void {
      const release = holdKey(key);
      if (opening.saved !== null) listen(opening.saved.id);
      if (opening.theirs !== null) autosave.overtaken();
      else if (opening.recovered) autosave.changed();
      const stop = new AbortController();
      const { signal } = stop;
      const keepAll = () => {
        if (document.visibilityState === 'hidden') autosave.keepNow();
      };
      document.addEventListener('visibilitychange', keepAll, { signal });
      addEventListener('pagehide', () => autosave.keepNow(), { signal });
      addEventListener('online', () => autosave.retry(), { signal });
      const unfollow = followSession(() => {
        if (readUser()?.id === userId) autosave.retry();
      });
      // Leaving is only worth a question where nothing could be kept.
      addEventListener(
        'beforeunload',
        (event) => {
          if (!keeps.get() && autosave.isDirty()) event.preventDefault();
        },
        { signal },
      );
      return () => {
        stop.abort();
        unfollow();
        autosave.stop();
        channel?.close();
        release();
      };
    },
  };
}
