import { asCallError } from '@mozhan/client/errors.ts';
import type { ChatKind, ChatMessage } from '@mozhan/contract/chats.ts';
import type { Client } from '@mozhan/contract/client.ts';
import type { TalkKey } from '@mozhan/contract/live.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { newId } from '#web/lib/format.ts';
import { hearRoom, onConnected, onLive, together, useIsLive } from '#web/lib/live.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { excerptOf } from './excerpt.ts';
import { firstSeq, isBehind, type Log, lastSeq, markRead, merge, receive, startAt } from './log.ts';
import { type Outgoing, talkName } from './outbox.ts';
import { askMessages, changeLog, findLog, logQuery, resetLog, talkRead } from './talk-query.ts';
import { useOutbox } from './use-outbox.ts';

const none: ReadonlySet<string> = new Set();
const PAGE = 100;

async function ask(api: Client, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  let cursor: string | undefined;
  do {
    const { list, next } = await api('GET core/user/block', { pageSize: PAGE, cursor }, { signal });
    for (const { id } of list) ids.add(id);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

/** Whom one has blocked. The key is that of the list, so that it is asked for anew with it. */
function useBlockedIds(enabled: boolean): ReadonlySet<string> {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ['GET core/user/block', 'ids'],
    queryFn: ({ signal }) => ask(api, signal),
    enabled,
  });
  return data ?? none;
}

/** Answers are asked for again, when nothing tells of them. */
const POLL_MS = 10_000;
const GAP_MS = 100;
const AFTER_ERROR_MS = 5000;
/** So much of what was said before comes with a message that is looked for. */
const AROUND = 15;

/** Hears the conversation, and catches up whenever something may have been missed. */
function useLive(talk: TalkKey, me: string, refetch: () => unknown): number | undefined {
  const queryClient = useQueryClient();
  const [online, setOnline] = useState<number>();
  const name = talkName(talk);
  const { essayId } = talk;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the name says which conversation it is
  useEffect(() => {
    return together([
      onLive('chat', ({ talk: where, message }) => {
        if (talkName(where) !== name) return;
        changeLog(queryClient, talk, (log) => receive(log, message));
        // Said while the first answer was under way, which may not have it; or an answer that lets one go on.
        if (!findLog(queryClient, talk)?.canSend) void refetch();
      }),
      onLive('chatRead', ({ talk: where, byId, seq }) => {
        if (talkName(where) !== name) return;
        changeLog(queryClient, talk, (log) => markRead(log, byId === me ? 'me' : 'other', seq));
      }),
      onLive('roomLost', (lost) => {
        if (lost.essayId === essayId) resetLog(queryClient, talk);
      }),
      onConnected(() => void refetch()),
    ]);
  }, [name, me, queryClient]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for anew at every connection, not at every render
  useEffect(() => {
    if (essayId === undefined) return;
    return hearRoom(essayId, (count) => {
      setOnline(count);
      // What was said between the answer and this moment.
      void refetch();
    });
  }, [essayId]);
  return online;
}

/** A refusal to show the conversation at all; a failure on the way is none. */
const isRefusal = (error: Error | null): boolean => (asCallError(error)?.status ?? 500) < 500;

const asHidden = (message: ChatMessage): ChatMessage => ({
  ...message,
  removed: true,
  content: '',
  html: '',
  image: null,
  essay: null,
});

/** What those one has blocked say live is told to everybody in the room. */
function withoutBlocked(log: Log, blocked: ReadonlySet<string>): Log {
  if (blocked.size === 0) return log;
  const messages = log.messages.map((each) =>
    each.from !== null && blocked.has(each.from.id) ? asHidden(each) : each,
  );
  return { ...log, messages };
}

/** Messages of one's own that the log does not have yet. */
function useOutgoing(talk: TalkKey, me: string, log: Log | undefined) {
  const { outbox, list, isStuck } = useOutbox(me);
  const name = talkName(talk);
  const reached = log === undefined ? 0 : lastSeq(log);
  const outgoing = useMemo(() => {
    const known = new Set(log?.messages.map(({ clientId }) => clientId));
    return list.filter(
      (each) =>
        talkName(each.talk) === name &&
        !known.has(each.clientId) &&
        (each.seq === undefined || each.seq > reached),
    );
  }, [list, name, log, reached]);
  useEffect(() => {
    for (const { talk, seq, clientId } of list)
      if (seq !== undefined && seq <= reached && talkName(talk) === name) outbox.remove(clientId);
  }, [outbox, list, name, reached]);
  return { outbox, outgoing, isStuck };
}

export interface Talk {
  key: TalkKey;
  /** Who is looking at it. */
  me: string;
  /** Undefined until it is there, and when one may not see it. */
  log: Log | undefined;
  /** Why there is no log. */
  error: Error | null;
  retry: () => void;
  /** Written and not yet said, the oldest first. */
  outgoing: readonly Outgoing[];
  /** They wait for the network. */
  isStuck: boolean;
  /** What is said arrives at once. */
  isLive: boolean;
  /** How many hear the room; undefined until it is known, and between two. */
  online: number | undefined;
  send: (kind: ChatKind, content: string) => void;
  resend: (clientId: string) => void;
  discard: (clientId: string) => void;
  loadOlder: () => void;
  loadNewer: () => void;
  isLoading: boolean;
  loadError: Error | null;
  /** Brings a message into the log, wherever it is. */
  show: (seq: number) => Promise<void>;
  showEnd: () => Promise<void>;
  /** All that is in the log has been seen. */
  read: () => void;
  /** Takes back one's own, or what an author or member of staff may remove in a room. */
  remove: (message: ChatMessage) => Promise<void>;
  replyTo: ChatMessage | undefined;
  setReplyTo: (message: ChatMessage | undefined) => void;
}

/** A conversation of somebody who is signed in: what was said, what is on its way, and what can be done. */
export function useTalk(key: TalkKey): Talk {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useCurrentUser()?.id ?? '';
  const isLive = useIsLive();
  const name = talkName(key);
  // The key is made anew at every render; its name is not.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same name is the same key
  const talk = useMemo(() => key, [name]);
  const [replyTo, setReplyTo] = useState<ChatMessage>();
  const query = useQuery({
    ...logQuery(api, talk),
    enabled: me !== '',
    refetchInterval: isLive ? false : POLL_MS,
  });
  const { refetch, isFetching, isError } = query;
  const online = useLive(talk, me, refetch);
  const blocked = useBlockedIds(talk.essayId !== undefined);
  const { data, error } = query;
  const isRefused = isRefusal(error);
  const log = useMemo(
    () => (data === undefined || isRefused ? undefined : withoutBlocked(data, blocked)),
    [data, blocked, isRefused],
  );
  const { outbox, outgoing, isStuck } = useOutgoing(talk, me, log);

  const behind = log !== undefined && isBehind(log);
  useEffect(() => {
    if (!behind || isFetching) return;
    const timer = setTimeout(() => void refetch(), isError ? AFTER_ERROR_MS : GAP_MS);
    return () => clearTimeout(timer);
  }, [behind, isFetching, isError, refetch]);

  const more = useMutation({
    mutationFn: async (side: 'before' | 'after') => {
      const known = findLog(queryClient, talk);
      if (known === undefined) return;
      const seq = side === 'before' ? firstSeq(known) : lastSeq(known);
      const answer = await askMessages(api, talk, { [side]: seq });
      changeLog(queryClient, talk, (log) => merge(log, answer));
    },
  });
  const isLoading = useRef(false);
  isLoading.current = more.isPending;
  const load = (side: 'before' | 'after') => {
    if (!isLoading.current) more.mutate(side);
  };

  const begin = async (after: number | undefined) => {
    const answer = await askMessages(api, talk, after === undefined ? {} : { after });
    changeLog(queryClient, talk, (log) => startAt(log, answer));
  };

  const read = useCallback(() => {
    const known = findLog(queryClient, talk);
    const seq = known === undefined ? 0 : lastSeq(known);
    if (known === undefined || seq <= known.readSeq) return;
    changeLog(queryClient, talk, (log) => markRead(log, 'me', seq));
    talkRead(queryClient, talk, seq);
    const told =
      talk.userId === undefined
        ? api('PUT core/essay/group/chat', { essayId: talk.essayId, seq })
        : api('PUT core/essay/pri/chat', { userId: talk.userId, seq });
    // To be told again when there is a connection, or together with what comes next.
    told.catch(() =>
      changeLog(queryClient, talk, (log) => (log.readSeq === seq ? { ...log, readSeq: known.readSeq } : log)),
    );
  }, [api, queryClient, talk]);

  return {
    key: talk,
    me,
    log,
    error: log === undefined ? error : null,
    retry: () => void refetch(),
    outgoing,
    isStuck,
    isLive,
    online,
    send(kind, content) {
      const quoted = kind === 'text' ? replyTo : undefined;
      outbox.add({
        clientId: newId(),
        talk,
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
    isLoading: more.isPending,
    loadError: more.error,
    async show(seq) {
      const known = findLog(queryClient, talk);
      const isThere = known !== undefined && seq >= firstSeq(known) && seq <= lastSeq(known);
      if (!isThere) await begin(Math.max(0, seq - AROUND));
    },
    showEnd: async () => {
      const known = findLog(queryClient, talk);
      if (known !== undefined && lastSeq(known) < known.lastSeq) await begin(undefined);
    },
    read,
    async remove(message) {
      await (talk.userId === undefined
        ? api('DELETE core/essay/group/chat', { id: message.id })
        : api('DELETE core/essay/pri/chat', { id: message.id }));
      changeLog(queryClient, talk, (log) => receive(log, asHidden(message)));
    },
    replyTo,
    setReplyTo,
  };
}
