import { asCallError, messageOf } from '@mozhan/client/errors.ts';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { ChatKind, ChatMessage } from '@mozhan/contract/chats.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';

/** A message on its way. */
export interface Outgoing {
  clientId: string;
  talk: TalkKey;
  kind: ChatKind;
  content: string;
  replyTo?: { id: string; name: string; excerpt: string };
  /** When it was written. */
  at: string;
  /** Why the server does not take it; it waits for its writer then. */
  refused?: string;
  /** Its number, once it is said: shown here until the log has it. */
  seq?: number;
}

interface OutboxOptions {
  /** Whose: each account has one of its own. */
  userId: string;
  send: (message: Outgoing) => Promise<ChatMessage>;
  onSent: (message: Outgoing, said: ChatMessage) => void;
  /** The server has answered with a refusal. */
  onRefused: (message: Outgoing) => void;
}

export interface Outbox {
  list: () => readonly Outgoing[];
  /** True while the last attempt found no network. */
  isStuck: () => boolean;
  subscribe: (listener: () => void) => () => void;
  add: (message: Outgoing) => void;
  /** Once more, for one that was refused. */
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
  /** There may be a network again. */
  flush: () => void;
}

const MOST = 200;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;
/** A server that fails at this very message is asked so many times. */
const ATTEMPTS = 4;

const keyOf = (userId: string) => `outbox:${userId}`;

export const talkName = ({ userId, essayId }: TalkKey): string =>
  userId === undefined ? `room:${essayId}` : `user:${userId}`;

function readStored(userId: string): readonly Outgoing[] {
  try {
    const stored: unknown = JSON.parse(readItem(keyOf(userId)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Whether anything waits to be sent, before any of the code for it is there. */
export const hasOutgoing = (userId: string): boolean => readItem(keyOf(userId)) !== null;

type Failure = 'no network' | 'failed' | 'refused';

function failureOf(error: unknown): Failure {
  const { code, status = 500 } = asCallError(error) ?? {};
  if (code === 'UNAVAILABLE' || code === 'TIMEOUT' || code === 'TOO_MANY_REQUESTS') return 'no network';
  // Another account may be signed in by now; the message is this one's.
  if (code === 'SIGN_IN_REQUIRED') return 'no network';
  return status >= 500 ? 'failed' : 'refused';
}

/**
 * Messages that are written and not yet said. They are kept until the server has answered, through reloads too, and go
 * out one after the other in each conversation; the server knows a repeated one by its clientId.
 */
export function createOutbox({ userId, send, onSent, onRefused }: OutboxOptions): Outbox {
  let all = readStored(userId);
  let stuck = false;
  let wait = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const busy = new Set<string>();
  const attempts = new Map<string, number>();
  const listeners = new Set<() => void>();

  /** Another tab may have changed what is stored: only the difference is written. */
  function change(update: (list: readonly Outgoing[]) => readonly Outgoing[]): void {
    const sent = all.filter(({ seq }) => seq !== undefined);
    const next = update([...sent, ...readStored(userId)]).slice(-MOST);
    const stored = next.filter(({ seq }) => seq === undefined);
    writeItem(keyOf(userId), stored.length === 0 ? null : JSON.stringify(stored));
    all = next;
    for (const listener of listeners) listener();
  }

  const patch = (clientId: string, fields: Partial<Outgoing>) =>
    change((list) => list.map((each) => (each.clientId === clientId ? { ...each, ...fields } : each)));

  function pause(retryAfter = 0): void {
    stuck = true;
    wait = Math.min(LONGEST_WAIT_MS, Math.max(wait * 2, FIRST_WAIT_MS, retryAfter * 1000));
    clearTimeout(timer);
    timer = setTimeout(goOn, wait);
  }

  /** True: the next one may go. */
  async function sendOne(message: Outgoing): Promise<boolean> {
    const { clientId } = message;
    try {
      const said = await send(message);
      stuck = false;
      wait = 0;
      patch(clientId, { seq: said.seq });
      onSent(message, said);
      return true;
    } catch (error) {
      const tried = (attempts.get(clientId) ?? 0) + 1;
      const failure = failureOf(error);
      if (failure !== 'refused' && (failure === 'no network' || tried < ATTEMPTS)) {
        if (failure === 'failed') attempts.set(clientId, tried);
        pause(asCallError(error)?.retryAfter);
        return false;
      }
      attempts.delete(clientId);
      patch(clientId, { refused: messageOf(error) });
      onRefused(message);
      return true;
    }
  }

  async function run(name: string): Promise<void> {
    if (busy.has(name)) return;
    busy.add(name);
    const next = () =>
      all.find(
        ({ talk, refused, seq }) => talkName(talk) === name && refused === undefined && seq === undefined,
      );
    for (let message = next(); message !== undefined; message = next()) if (!(await sendOne(message))) break;
    busy.delete(name);
    for (const listener of listeners) listener();
  }

  function goOn(): void {
    clearTimeout(timer);
    for (const name of new Set(all.map(({ talk }) => talkName(talk)))) void run(name);
  }

  return {
    list: () => all,
    isStuck: () => stuck,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(message) {
      change((list) => [...list, message]);
      void run(talkName(message.talk));
    },
    retry(clientId) {
      patch(clientId, { refused: undefined });
      goOn();
    },
    remove: (clientId) => change((list) => list.filter((each) => each.clientId !== clientId)),
    flush() {
      wait = 0;
      change((list) => list);
      goOn();
    },
  };
}
