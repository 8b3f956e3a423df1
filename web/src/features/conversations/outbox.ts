import { asCallError, errorMessageOf } from '@mozhan/client/errors.ts';
import { readItem, writeItem } from '@mozhan/client/storage.ts';
import type { ChatKind, ChatMessage } from '@mozhan/contract/chats.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';

/** A message that is not sent yet. Stored as JSON in the browser. */
export interface OutboxMessage {
  clientId: string;
  talk: ConversationKey;
  kind: ChatKind;
  content: string;
  replyTo?: { id: string; name: string; excerpt: string };
  at: string;
  /** Reason of a refusal; the message then waits for a retry by its writer. */
  refused?: string;
  /** Set once it is sent; the message is shown from here until the log contains it. */
  seq?: number;
}

interface OutboxOptions {
  userId: string;
  send: (message: OutboxMessage) => Promise<ChatMessage>;
  onSent: (message: OutboxMessage, sent: ChatMessage) => void;
  onRefused: (message: OutboxMessage) => void;
}

export interface Outbox {
  list: () => readonly OutboxMessage[];
  /** True while the last attempt failed for lack of a network. */
  isOffline: () => boolean;
  subscribe: (listener: () => void) => () => void;
  add: (message: OutboxMessage) => void;
  retry: (clientId: string) => void;
  remove: (clientId: string) => void;
  /** Sends again, when the network may be available. */
  flush: () => void;
}

const MAX_MESSAGES = 200;
const MIN_RETRY_DELAY_MS = 1000;
const MAX_RETRY_DELAY_MS = 30_000;
/** Attempts per message when the server fails. */
const MAX_ATTEMPTS = 4;

const storageKey = (userId: string) => `outbox:${userId}`;

export const conversationId = ({ userId, essayId }: ConversationKey): string =>
  userId === undefined ? `room:${essayId}` : `user:${userId}`;

function readStored(userId: string): readonly OutboxMessage[] {
  try {
    const stored: unknown = JSON.parse(readItem(storageKey(userId)) ?? '[]');
    return Array.isArray(stored) ? stored : [];
  } catch {
    return [];
  }
}

/** Whether messages are queued; reads only the storage, so it needs no outbox. */
export const hasQueuedMessages = (userId: string): boolean => readItem(storageKey(userId)) !== null;

type Failure = 'no network' | 'failed' | 'refused';

function classifyError(error: unknown): Failure {
  const { code, status = 500 } = asCallError(error) ?? {};
  if (code === 'UNAVAILABLE' || code === 'MAINTENANCE' || code === 'TIMEOUT' || code === 'TOO_MANY_REQUESTS')
    return 'no network';
  // Another account may be signed in now; the message waits for its own account.
  if (code === 'SIGN_IN_REQUIRED') return 'no network';
  return status >= 500 ? 'failed' : 'refused';
}

/**
 * Queue of unsent messages. They are stored until the server has confirmed them, so they survive reloads, and are sent
 * one after the other per conversation; the server recognizes repeated ones by clientId.
 */
export function createOutbox({ userId, send, onSent, onRefused }: OutboxOptions): Outbox {
  let messages = readStored(userId);
  let isOfflineNow = false;
  let retryDelay = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const sending = new Set<string>();
  const attempts = new Map<string, number>();
  const listeners = new Set<() => void>();

  /** Starts from the stored list, because another tab may have changed it. */
  function update(update: (list: readonly OutboxMessage[]) => readonly OutboxMessage[]): void {
    const sent = messages.filter(({ seq }) => seq !== undefined);
    const next = update([...sent, ...readStored(userId)]).slice(-MAX_MESSAGES);
    const stored = next.filter(({ seq }) => seq === undefined);
    writeItem(storageKey(userId), stored.length === 0 ? null : JSON.stringify(stored));
    messages = next;
    for (const listener of listeners) listener();
  }

  const patch = (clientId: string, fields: Partial<OutboxMessage>) =>
    update((list) => list.map((each) => (each.clientId === clientId ? { ...each, ...fields } : each)));

  function scheduleRetry(retryAfter = 0): void {
    isOfflineNow = true;
    retryDelay = Math.min(
      MAX_RETRY_DELAY_MS,
      Math.max(retryDelay * 2, MIN_RETRY_DELAY_MS, retryAfter * 1000),
    );
    clearTimeout(timer);
    timer = setTimeout(sendAll, retryDelay);
  }

  /** Returns true if the next message may be sent. */
  async function sendOne(message: OutboxMessage): Promise<boolean> {
    const { clientId } = message;
    try {
      const saved = await send(message);
      isOfflineNow = false;
      retryDelay = 0;
      patch(clientId, { seq: saved.seq });
      onSent(message, saved);
      return true;
    } catch (error) {
      const tried = (attempts.get(clientId) ?? 0) + 1;
      const failure = classifyError(error);
      if (failure !== 'refused' && (failure === 'no network' || tried < MAX_ATTEMPTS)) {
        if (failure === 'failed') attempts.set(clientId, tried);
        scheduleRetry(asCallError(error)?.retryAfter);
        return false;
      }
      attempts.delete(clientId);
      patch(clientId, { refused: errorMessageOf(error) });
      onRefused(message);
      return true;
    }
  }

  async function sendConversation(name: string): Promise<void> {
    if (sending.has(name)) return;
    sending.add(name);
    const next = () =>
      messages.find(
        ({ talk, refused, seq }) =>
          conversationId(talk) === name && refused === undefined && seq === undefined,
      );
    for (let message = next(); message !== undefined; message = next()) if (!(await sendOne(message))) break;
    sending.delete(name);
    for (const listener of listeners) listener();
  }

  function sendAll(): void {
    clearTimeout(timer);
    for (const name of new Set(messages.map(({ talk }) => conversationId(talk)))) void sendConversation(name);
  }

  return {
    list: () => messages,
    isOffline: () => isOfflineNow,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add(message) {
      update((list) => [...list, message]);
      void sendConversation(conversationId(message.talk));
    },
    retry(clientId) {
      patch(clientId, { refused: undefined });
      sendAll();
    },
    remove: (clientId) => update((list) => list.filter((each) => each.clientId !== clientId)),
    flush() {
      retryDelay = 0;
      update((list) => list);
      sendAll();
    },
  };
}
