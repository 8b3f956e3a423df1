import { asCallError } from '@mozhan/client/errors.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { changesOf, type Draft, type FieldName, isBlankDraft } from './draft.ts';

/** The state known to the server. */
export interface SavedEssay {
  id: string;
  version: number;
  draft: Draft;
}

export type SaveState =
  | { kind: 'saved'; time: number | null }
  | { kind: 'waiting' }
  | { kind: 'saving' }
  | { kind: 'offline' }
  | { kind: 'signIn' }
  | { kind: 'conflict' }
  /** The essay was removed elsewhere. */
  | { kind: 'gone' }
  /** The essay was submitted for audit elsewhere. */
  | { kind: 'shut' }
  | { kind: 'refused'; message: string; fields: Record<string, string> };

/** A first save that may have arrived; repeating it with the same request id creates only one essay. */
export interface PendingCreate {
  requestId: string;
  draft: Draft;
}

interface SaveResponse {
  id: string;
  version: number;
}

export interface AutosaveSetup {
  saved: SavedEssay | null;
  creating: PendingCreate | null;
  newRequestId: () => string;
  read: () => Draft;
  create: (creating: PendingCreate) => Promise<SaveResponse>;
  update: (input: Partial<Draft> & { id: string; version: number; auto?: 1 }) => Promise<SaveResponse>;
  /** Stores the draft in the browser shortly after each change; null means that the server has all of it. */
  storeLocally: (unsaved: Draft | null) => void;
  onSaved: (saved: SavedEssay) => void;
  onCreating: () => void;
}

const LOCAL_STORE_DELAY_MS = 150;
/** Storing takes the main thread time that grows with the text, so a long text is stored less often. */
const CHARACTERS_PER_DELAY_MS = 200;
const SAVE_DELAY_MS = 1800;
/** Saves at the latest after this time when typing never pauses. */
const MAX_SAVE_DELAY_MS = 10_000;
const RETRY_MS = [2000, 4000, 8000, 15_000, 30_000, 60_000];

type SaveFailure = Exclude<SaveState, { kind: 'saved' } | { kind: 'waiting' } | { kind: 'saving' }>;

function toSaveFailure(error: unknown): SaveFailure {
  const refused = asCallError(error);
  if (refused === undefined) return { kind: 'offline' };
  const { code, status, message, fields = {} } = refused;
  if (code === 'SIGN_IN_REQUIRED') return { kind: 'signIn' };
  if (code === 'STALE_VERSION') return { kind: 'conflict' };
  if (code === 'GONE' || code === 'NOT_FOUND') return { kind: 'gone' };
  if (code === 'ESSAY_NOT_EDITABLE') return { kind: 'shut' };
  if (status >= 500 || status === 429) return { kind: 'offline' };
  return { kind: 'refused', message, fields };
}

/** Runs one save at a time; later changes go with the next. It reads the text and never changes it. */
export function createAutosave(setup: AutosaveSetup) {
  const listeners = new Set<() => void>();
  let { saved, creating } = setup;
  let state: SaveState = { kind: 'saved', time: null };
  let storeTimer: ReturnType<typeof setTimeout> | undefined;
  let storeDelay = LOCAL_STORE_DELAY_MS;
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let firstUnsaved: number | undefined;
  let failures = 0;
  let pendingSave: Promise<void> | undefined;
  let stopped = false;
  /** Values that the server rejected; the other fields are saved without them until they change. */
  let rejectedFields: Partial<Draft> = {};

  function setState(next: SaveState): void {
    if (next.kind === 'waiting' && state.kind === 'waiting') return;
    state = next;
    for (const listener of listeners) listener();
  }

  const isBlocked = () => ['conflict', 'gone', 'shut'].includes(state.kind);

  function unsentChanges(draft: Draft): Partial<Draft> {
    if (saved === null) return draft;
    const changes = changesOf(saved.draft, draft);
    for (const [name, value] of Object.entries(rejectedFields))
      if (changes[name as FieldName] === value) delete changes[name as FieldName];
    return changes;
  }

  const hasUnsentChanges = (draft: Draft): boolean =>
    saved === null ? !isBlankDraft(draft) : Object.keys(unsentChanges(draft)).length > 0;

  function storeSoon(): void {
    storeTimer ??= setTimeout(storeNow, storeDelay);
  }

  function storeNow(): void {
    clearTimeout(storeTimer);
    storeTimer = undefined;
    const draft = setup.read();
    storeDelay = Math.max(LOCAL_STORE_DELAY_MS, draft.content.length / CHARACTERS_PER_DELAY_MS);
    const isUnsaved =
      saved === null ? !isBlankDraft(draft) : Object.keys(changesOf(saved.draft, draft)).length > 0;
    setup.storeLocally(isUnsaved ? draft : null);
  }

  function schedule(ms: number): void {
    clearTimeout(saveTimer);
    if (!stopped) saveTimer = setTimeout(() => void save(FLAG.on), ms);
  }

  function notifyChange(): void {
    storeSoon();
    if (isBlocked() || state.kind === 'signIn') return;
    firstUnsaved ??= Date.now();
    const left = firstUnsaved + MAX_SAVE_DELAY_MS - Date.now();
    if (state.kind === 'offline') return;
    schedule(Math.max(0, Math.min(SAVE_DELAY_MS, left)));
    if (pendingSave === undefined) setState({ kind: 'waiting' });
  }

  async function send(draft: Draft, auto: typeof FLAG.on | undefined): Promise<SavedEssay> {
    if (saved === null) {
      if (creating === null) {
        creating = { requestId: setup.newRequestId(), draft };
        setup.onCreating();
      }
      const sent = creating;
      return { ...(await setup.create(sent)), draft: sent.draft };
    }
    const changes = unsentChanges(draft);
    const { id, version } = saved;
    const answer = await setup.update({ ...changes, id, version, auto });
    return { ...answer, draft: { ...saved.draft, ...changes } };
  }

  async function saveOnce(auto: typeof FLAG.on | undefined): Promise<void> {
    const draft = setup.read();
    if (!hasUnsentChanges(draft)) {
      firstUnsaved = undefined;
      return setState({ kind: 'saved', time: state.kind === 'saved' ? state.time : Date.now() });
    }
    firstUnsaved = undefined;
    setState({ kind: 'saving' });
    try {
      saved = await send(draft, auto);
      creating = null;
      failures = 0;
      setup.onSaved(saved);
      const isComplete = !hasUnsentChanges(setup.read());
      setState(isComplete ? { kind: 'saved', time: Date.now() } : { kind: 'waiting' });
      storeNow();
      if (!isComplete) notifyChange();
    } catch (error) {
      fail(error, draft);
    }
  }

  function fail(error: unknown, draft: Draft): void {
    const failure = toSaveFailure(error);
    storeNow();
    setState(failure);
    if (failure.kind === 'offline') {
      const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
      failures += 1;
      schedule(Math.max(wait, (asCallError(error)?.retryAfter ?? 0) * 1000));
      return;
    }
    if (failure.kind !== 'refused') return;
    creating = null;
    const names = Object.keys(failure.fields).filter((name): name is FieldName => name in draft);
    // The text is still saved when another field is rejected, for example a deleted column.
    if (saved === null || names.length === 0 || names.includes('content')) return;
    rejectedFields = { ...rejectedFields, ...Object.fromEntries(names.map((name) => [name, draft[name]])) };
    if (Object.keys(unsentChanges(draft)).length > 0) schedule(0);
  }

  function save(auto?: typeof FLAG.on): Promise<void> {
    clearTimeout(saveTimer);
    if (pendingSave !== undefined) return pendingSave;
    pendingSave = saveOnce(auto).finally(() => {
      pendingSave = undefined;
    });
    return pendingSave;
  }

  return {
    get: () => state,
    saved: () => saved,
    creating: () => creating,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    notifyChange,
    storeNow,
    /** Saves everything as a version of its own; returns false when that failed. */
    async flush(): Promise<boolean> {
      if (isBlocked()) return false;
      await pendingSave;
      // A pending create sends its original content, so the rest needs another turn.
      for (let turn = 0; turn < 3 && hasUnsentChanges(setup.read()); turn += 1) {
        await save();
        if (state.kind !== 'saved' && state.kind !== 'waiting') return false;
      }
      clearTimeout(saveTimer);
      setState({ kind: 'saved', time: Date.now() });
      return saved !== null;
    },
    /** Called when the network or the session is back. */
    retry(): void {
      if (state.kind === 'offline' || state.kind === 'signIn' || state.kind === 'refused') schedule(0);
    },
    /** Called when another tab has saved. */
    markConflict(): void {
      setState({ kind: 'conflict' });
      clearTimeout(saveTimer);
    },
    isDirty: () => hasUnsentChanges(setup.read()),
    /** Continues from a newer state of the server. */
    continueFrom(next: SavedEssay): void {
      saved = next;
      creating = null;
      rejectedFields = {};
      failures = 0;
      firstUnsaved = undefined;
      setState({ kind: 'saved', time: Date.now() });
      storeNow();
      if (hasUnsentChanges(setup.read())) notifyChange();
    },
    /** Saves the text as a new essay because the old one was removed. */
    saveAsNewEssay(): void {
      saved = null;
      creating = null;
      rejectedFields = {};
      setState({ kind: 'waiting' });
      schedule(0);
    },
    /** Forgets the essay after it was deleted; the next change creates a new one. */
    forget(): void {
      clearTimeout(saveTimer);
      saved = null;
      creating = null;
      rejectedFields = {};
      firstUnsaved = undefined;
      setState({ kind: 'saved', time: null });
      storeNow();
    },
    /** Stores the draft locally and sends it without delay, because the page is left. */
    stop(): void {
      stopped = true;
      clearTimeout(saveTimer);
      storeNow();
      if (!isBlocked() && state.kind !== 'signIn') void save(FLAG.on);
    },
  };
}
