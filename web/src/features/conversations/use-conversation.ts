import { asCallError } from '@mozhan/client/errors.ts';
import type { ChatKind, ChatMessage } from '@mozhan/contract/chats.ts';
import type { ConversationKey } from '@mozhan/contract/live.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { combineCleanups, joinRoom, onConnect, onLiveEvent, useIsConnected } from '#web/lib/live.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { asHidden, useBlockedIds } from './blocked-ids.ts';
import {
  fetchMessages,
  findLog,
  logQuery,
  markReadInLists,
  resetLog,
  updateLog,
} from './conversation-query.ts';
import { excerptOf } from './excerpt.ts';
import {
  applyMessage,
  applyMute,
  firstSeq,
  isBehind,
  lastSeq,
  type MessageLog,
  markRead,
  mergeResponse,
  restartAt,
} from './message-log.ts';
import { conversationId, type OutboxMessage } from './outbox.ts';
import { useOutbox } from './use-outbox.ts';

/** Polling interval without a live connection. */
const POLL_MS = 10_000;
const CATCH_UP_DELAY_MS = 100;
const RETRY_DELAY_MS = 5000;
/** Number of messages loaded before a target message. */
const CONTEXT_SIZE = 15;

/** Applies live events and catches up whenever events may have been missed; returns the online count. */
function useLiveUpdates(
  conversationKey: ConversationKey,
  me: string,
  refetch: () => unknown,
): number | undefined {
  const queryClient = useQueryClient();
  const [online, setOnline] = useState<number>();
  const id = conversationId(conversationKey);
  const { essayId } = conversationKey;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the id identifies the conversation
  useEffect(() => {
    return combineCleanups([
      onLiveEvent('chat', ({ talk: where, message }) => {
        if (conversationId(where) !== id) return;
        updateLog(queryClient, conversationKey, (log) => applyMessage(log, message));
        // The first response may not contain the message, or the message is a reply that allows the reader to write again.
        if (!findLog(queryClient, conversationKey)?.canSend) void refetch();
      }),
      onLiveEvent('chatRead', ({ talk: where, byId, seq }) => {
        if (conversationId(where) !== id) return;
        updateLog(queryClient, conversationKey, (log) => markRead(log, byId === me ? 'me' : 'other', seq));
      }),
      onLiveEvent('muted', ({ essayId: mutedIn, mutedUntil }) => {
        if (mutedIn !== essayId) return;
        updateLog(queryClient, conversationKey, (log) => applyMute(log, mutedUntil));
        void refetch();
      }),
      onLiveEvent('roomLost', (lost) => {
        if (lost.essayId === essayId) resetLog(queryClient, conversationKey);
      }),
      onConnect(() => void refetch()),
    ]);
  }, [id, me, queryClient]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs per connection, not per render
  useEffect(() => {
    if (essayId === undefined) return;
    let isJoined = false;
    return joinRoom(essayId, (count) => {
      setOnline(count);
      // Load messages sent between the response and joining the room.
      if (!isJoined) void refetch();
      isJoined = true;
    });
  }, [essayId]);
  return online;
}

/** The server denied access; network and server errors do not count. */
const isAccessError = (error: Error | null): boolean => (asCallError(error)?.status ?? 500) < 500;

/** Live events of a room also contain messages of blocked users. */
function hideBlocked(log: MessageLog, blocked: ReadonlySet<string>): MessageLog {
  if (blocked.size === 0) return log;
  const messages = log.messages.map((each) =>
    each.from !== null && blocked.has(each.from.id) ? asHidden(each) : each,
  );
  return { ...log, messages };
}

function useOutgoing(conversationKey: ConversationKey, me: string, log: MessageLog | undefined) {
  const { outbox, list, isOffline } = useOutbox(me);
  const id = conversationId(conversationKey);
  const lastLoaded = log === undefined ? 0 : lastSeq(log);
  const outgoing = useMemo(() => {
    const knownIds = new Set(log?.messages.map(({ clientId }) => clientId));
    return list.filter(
      (each) =>
        conversationId(each.talk) === id &&
        !knownIds.has(each.clientId) &&
        (each.seq === undefined || each.seq > lastLoaded),
    );
  }, [list, id, log, lastLoaded]);
  useEffect(() => {
    for (const { talk, seq, clientId } of list)
      if (seq !== undefined && seq <= lastLoaded && conversationId(talk) === id) outbox.remove(clientId);
  }, [outbox, list, id, lastLoaded]);
  return { outbox, outgoing, isOffline };
}

export interface OpenConversation {
  key: ConversationKey;
  me: string;
  /** Undefined while loading and without access. */
  log: MessageLog | undefined;
  /** Set when there is no log. */
  error: Error | null;
  retry: () => void;
  /** Unsent messages, oldest first. */
  outgoing: readonly OutboxMessage[];
  /** Unsent messages wait for the network. */
  isOffline: boolean;
  isLive: boolean;
  /** Online count of a room; undefined until known and for private chats. */
  online: number | undefined;
  send: (kind: ChatKind, content: string) => void;
  resend: (clientId: string) => void;
  discard: (clientId: string) => void;
  loadOlder: () => void;
  loadNewer: () => void;
  isLoading: boolean;
  loadError: Error | null;
  /** Loads the range that contains a message. */
  loadMessage: (seq: number) => Promise<void>;
  loadEnd: () => Promise<void>;
  markAllRead: () => void;
  /** Recalls the reader's own message, or removes one as author or staff of a room. */
  remove: (message: ChatMessage) => Promise<void>;
  replyTo: ChatMessage | undefined;
  setReplyTo: (message: ChatMessage | undefined) => void;
}

export function useConversation(key: ConversationKey): OpenConversation {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useCurrentUser()?.id ?? '';
  const isLive = useIsConnected();
  const id = conversationId(key);
  // The key object is new on every render; its id is stable.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same id means the same key
  const conversationKey = useMemo(() => key, [id]);
  const [replyTo, setReplyTo] = useState<ChatMessage>();
  const query = useQuery({
    ...logQuery(api, conversationKey),
    enabled: me !== '',
    refetchInterval: isLive ? false : POLL_MS,
  });
  const { refetch, isFetching, isError } = query;
  const online = useLiveUpdates(conversationKey, me, refetch);
  const blocked = useBlockedIds(conversationKey.essayId !== undefined);
  const { data, error } = query;
  const isRefused = isAccessError(error);
  const log = useMemo(
    () => (data === undefined || isRefused ? undefined : hideBlocked(data, blocked)),
    [data, blocked, isRefused],
  );
  const { outbox, outgoing, isOffline } = useOutgoing(conversationKey, me, log);

  const behind = log !== undefined && isBehind(log);
  useEffect(() => {
    if (!behind || isFetching) return;
    const timer = setTimeout(() => void refetch(), isError ? RETRY_DELAY_MS : CATCH_UP_DELAY_MS);
    return () => clearTimeout(timer);
  }, [behind, isFetching, isError, refetch]);

  const loadMore = useMutation({
    mutationFn: async (side: 'before' | 'after') => {
      const current = findLog(queryClient, conversationKey);
      if (current === undefined) return;
      const seq = side === 'before' ? firstSeq(current) : lastSeq(current);
      const response = await fetchMessages(api, conversationKey, { [side]: seq });
      updateLog(queryClient, conversationKey, (log) => mergeResponse(log, response));
    },
  });
  const isLoading = useRef(false);
  isLoading.current = loadMore.isPending;
  const load = (side: 'before' | 'after') => {
    if (!isLoading.current) loadMore.mutate(side);
  };

  const restartLog = async (after: number | undefined) => {
    const response = await fetchMessages(api, conversationKey, after === undefined ? {} : { after });
    updateLog(queryClient, conversationKey, (log) => restartAt(log, response));
  };

  const markAllRead = useCallback(() => {
    const current = findLog(queryClient, conversationKey);
    const seq = current === undefined ? 0 : lastSeq(current);
    if (current === undefined || seq <= current.readSeq) return;
    updateLog(queryClient, conversationKey, (log) => markRead(log, 'me', seq));
    markReadInLists(queryClient, conversationKey, seq);
    const request =
      conversationKey.userId === undefined
        ? api('PUT core/essay/group/chat', { essayId: conversationKey.essayId, seq })
        : api('PUT core/essay/pri/chat', { userId: conversationKey.userId, seq });
    // On failure revert the position, so that it is sent again with the next connection or message.
    request.catch(() =>
      updateLog(queryClient, conversationKey, (log) =>
        log.readSeq === seq ? { ...log, readSeq: current.readSeq } : log,
      ),
    );
  }, [api, queryClient, conversationKey]);

  return {
    key: conversationKey,
    me,
    log,
    error: log === undefined ? error : null,
    retry: () => void refetch(),
    outgoing,
    isOffline,
    isLive,
    online,
    send(kind, content) {
      const quoted = kind === 'text' ? replyTo : undefined;
      outbox.add({
        clientId: newId(),
        talk: conversationKey,
        kind,
        content,
        at: new Date().toISOString(),
        ...(quoted && {
          replyTo: {
            id: quoted.id,
            name: quoted.from?.displayName ?? '已注销的用户',
            excerpt: excerptOf(quoted),
          },
        }),
      });
      if (quoted !== undefined) setReplyTo(undefined);
    },
    resend: outbox.retry,
    discard: outbox.remove,
    loadOlder: () => load('before'),
    loadNewer: () => load('after'),
    isLoading: loadMore.isPending,
    loadError: loadMore.error,
    async loadMessage(seq) {
      const current = findLog(queryClient, conversationKey);
      const isLoaded = current !== undefined && seq >= firstSeq(current) && seq <= lastSeq(current);
      if (!isLoaded) await restartLog(Math.max(0, seq - CONTEXT_SIZE));
    },
    loadEnd: async () => {
      const current = findLog(queryClient, conversationKey);
      if (current !== undefined && lastSeq(current) < current.lastSeq) await restartLog(undefined);
    },
    markAllRead,
    async remove(message) {
      await (conversationKey.userId === undefined
        ? api('DELETE core/essay/group/chat', { id: message.id })
        : api('DELETE core/essay/pri/chat', { id: message.id }));
      updateLog(queryClient, conversationKey, (log) => applyMessage(log, asHidden(message)));
    },
    replyTo,
    setReplyTo,
  };
}
