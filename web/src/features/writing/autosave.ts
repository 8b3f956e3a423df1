import { asCallError } from '@mozhan/client/errors.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { changesOf, type Draft, type FieldName, isBlank } from './draft.ts';

/** What the server has. */
export interface Saved {
  id: string;
  version: number;
  draft: Draft;
}

export type SaveState =
  | { at: 'saved'; time: number | null }
  | { at: 'waiting' }
  | { at: 'saving' }
  | { at: 'offline' }
  | { at: 'signIn' }
  | { at: 'conflict' }
  /** The essay was removed elsewhere. */
  | { at: 'gone' }
  /** It went to its audit elsewhere. */
  | { at: 'shut' }
  | { at: 'refused'; message: string; fields: Record<string, string> };

/** A first save that may have arrived although no answer came: said again word for word, so that it stays one essay. */
export interface Creating {
  requestId: string;
  draft: Draft;
}

interface Answer {
  id: string;
  version: number;
}

export interface AutosaveSetup {
  saved: Saved | null;
  creating: Creating | null;
  newRequestId: () => string;
  read: () => Draft;
  create: (creating: Creating) => Promise<Answer>;
  update: (input: Partial<Draft> & { id: string; version: number; auto?: 1 }) => Promise<Answer>;
  /** Puts what is written into this browser, within moments of each change; null: the server has all of it. */
  keep: (unsaved: Draft | null) => void;
  onSaved: (saved: Saved) => void;
  onCreating: () => void;
}

const KEEP_MS = 150;
const PAUSE_MS = 1800;
/** Who never pauses is saved all the same. */
const LONGEST_MS = 10_000;
const RETRY_MS = [2000, 4000, 8000, 15_000, 30_000, 60_000];

type Trouble = Exclude<SaveState, { at: 'saved' } | { at: 'waiting' } | { at: 'saving' }>;

function troubleOf(error: unknown): Trouble {
  const refused = asCallError(error);
  if (refused === undefined) return { at: 'offline' };
  const { code, status, message, fields = {} } = refused;
  if (code === 'SIGN_IN_REQUIRED') return { at: 'signIn' };
  if (code === 'STALE_VERSION') return { at: 'conflict' };
  if (code === 'GONE' || code === 'NOT_FOUND') return { at: 'gone' };
  if (code === 'ESSAY_NOT_EDITABLE') return { at: 'shut' };
  if (status >= 500 || status === 429) return { at: 'offline' };
  return { at: 'refused', message, fields };
}

/** One save at a time; what changes meanwhile goes with the next. It reads the text and never touches it. */
export function createAutosave(setup: AutosaveSetup) {
  const listeners = new Set<() => void>();
  let { saved, creating } = setup;
  let state: SaveState = { at: 'saved', time: null };
  let keepTimer: ReturnType<typeof setTimeout> | undefined;
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let firstUnsaved: number | undefined;
  let failures = 0;
  let flight: Promise<void> | undefined;
  let stopped = false;
  /** Refused by the server as they are; the rest is saved without them until they change. */
  let heldBack: Partial<Draft> = {};

  function show(next: SaveState): void {
    if (next.at === 'waiting' && state.at === 'waiting') return;
    state = next;
    for (const listener of listeners) listener();
  }

  const isBlocked = () => ['conflict', 'gone', 'shut'].includes(state.at);

  function unsent(draft: Draft): Partial<Draft> {
    if (saved === null) return draft;
    const changes = changesOf(saved.draft, draft);
    for (const [name, value] of Object.entries(heldBack))
      if (changes[name as FieldName] === value) delete changes[name as FieldName];
    return changes;
  }

  const hasUnsent = (draft: Draft): boolean =>
    saved === null ? !isBlank(draft) : Object.keys(unsent(draft)).length > 0;

  function keepSoon(): void {
    keepTimer ??= setTimeout(keepNow, KEEP_MS);
  }

  function keepNow(): void {
    clearTimeout(keepTimer);
    keepTimer = undefined;
    const draft = setup.read();
    const isUnsaved =
      saved === null ? !isBlank(draft) : Object.keys(changesOf(saved.draft, draft)).length > 0;
    setup.keep(isUnsaved ? draft : null);
  }

  function schedule(ms: number): void {
    clearTimeout(saveTimer);
    if (!stopped) saveTimer = setTimeout(() => void save(FLAG.on), ms);
  }

  function changed(): void {
    keepSoon();
    if (isBlocked() || state.at === 'signIn') return;
    firstUnsaved ??= Date.now();
    const left = firstUnsaved + LONGEST_MS - Date.now();
    if (state.at === 'offline') return;
    schedule(Math.max(0, Math.min(PAUSE_MS, left)));
    if (flight === undefined) show({ at: 'waiting' });
  }

  async function send(draft: Draft, auto: typeof FLAG.on | undefined): Promise<Saved> {
    if (saved === null) {
      if (creating === null) {
        creating = { requestId: setup.newRequestId(), draft };
        setup.onCreating();
      }
      const sent = creating;
      return { ...(await setup.create(sent)), draft: sent.draft };
    }
    const changes = unsent(draft);
    const { id, version } = saved;
    const answer = await setup.update({ ...changes, id, version, auto });
    return { ...answer, draft: { ...saved.draft, ...changes } };
  }

  async function once(auto: typeof FLAG.on | undefined): Promise<void> {
    const draft = setup.read();
    if (!hasUnsent(draft)) {
      firstUnsaved = undefined;
      return show({ at: 'saved', time: state.at === 'saved' ? state.time : Date.now() });
    }
    firstUnsaved = undefined;
    show({ at: 'saving' });
    try {
      saved = await send(draft, auto);
      creating = null;
      failures = 0;
      setup.onSaved(saved);
      show({ at: 'saved', time: Date.now() });
      keepNow();
      if (hasUnsent(setup.read())) changed();
    } catch (error) {
      fail(error, draft);
    }
  }

  function fail(error: unknown, draft: Draft): void {
    const trouble = troubleOf(error);
    keepNow();
    show(trouble);
    if (trouble.at === 'offline') {
      const wait = RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 0;
      failures += 1;
      schedule(Math.max(wait, (asCallError(error)?.retryAfter ?? 0) * 1000));
      return;
    }
    if (trouble.at !== 'refused') return;
    creating = null;
    const names = Object.keys(trouble.fields).filter((name): name is FieldName => name in draft);
    // The text goes on being saved although, say, its column is gone.
    if (saved === null || names.length === 0 || names.includes('content')) return;
    heldBack = { ...heldBack, ...Object.fromEntries(names.map((name) => [name, draft[name]])) };
    if (Object.keys(unsent(draft)).length > 0) schedule(0);
  }

  function save(auto?: typeof FLAG.on): Promise<void> {
    clearTimeout(saveTimer);
    if (flight !== undefined) return flight;
    flight = once(auto).finally(() => {
      flight = undefined;
    });
    return flight;
  }

  return {
    get: () => state,
    saved: () => saved,
    creating: () => creating,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed,
    keepNow,
    /** Everything written so far, as a version of its own; false when that did not work. */
    async flush(): Promise<boolean> {
      if (isBlocked()) return false;
      await flight;
      // A create that had been under way sends what was written then; the rest follows.
      for (let turn = 0; turn < 3 && hasUnsent(setup.read()); turn += 1) {
        await save();
        if (state.at !== 'saved' && state.at !== 'waiting') return false;
      }
      clearTimeout(saveTimer);
      show({ at: 'saved', time: Date.now() });
      return saved !== null;
    },
    /** The network or the session is back. */
    retry(): void {
      if (state.at === 'offline' || state.at === 'signIn' || state.at === 'refused') schedule(0);
    },
    /** Another tab has saved. */
    overtaken(): void {
      show({ at: 'conflict' });
      clearTimeout(saveTimer);
    },
    isDirty: () => hasUnsent(setup.read()),
    /** What the server has is known anew; what is written goes on from there. */
    adopt(next: Saved): void {
      saved = next;
      creating = null;
      heldBack = {};
      failures = 0;
      firstUnsaved = undefined;
      show({ at: 'saved', time: Date.now() });
      keepNow();
      if (hasUnsent(setup.read())) changed();
    },
    /** The essay was removed: what is written becomes a new one. */
    startAnew(): void {
      saved = null;
      creating = null;
      heldBack = {};
      show({ at: 'waiting' });
      schedule(0);
    },
    /** The page is left: kept here, and sent once more without waiting for a pause. */
    stop(): void {
      stopped = true;
      clearTimeout(saveTimer);
      keepNow();
      if (!isBlocked() && state.at !== 'signIn') void save(FLAG.on);
    },
  };
}
