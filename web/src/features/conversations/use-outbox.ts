import type { Client } from '@mozhan/contract/client.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { addOwnMessage, findLog, logQuery } from './conversation-query.ts';
import { lastSeq, type MessageLog } from './message-log.ts';
import { createOutbox, type Outbox, type OutboxMessage } from './outbox.ts';

/** Outbox of the signed-in account; messages of other accounts stay in the storage. */
let current: { userId: string; outbox: Outbox } | undefined;

async function send(api: Client, { talk, kind, content, clientId, replyTo }: OutboxMessage) {
  const body = { kind, content, clientId };
  return talk.userId === undefined
    ? api('POST core/essay/group/chat', {
        essayId: talk.essayId,
        ...body,
        ...(replyTo && { replyToId: replyTo.id }),
      })
    : api('POST core/essay/pri/chat', { toUserId: talk.userId, ...body });
}

/** The number of messages that strangers may send without a reply. */
const MAX_UNANSWERED = 3;
const hasOnlyOwnMessages = ({ messages }: MessageLog, me: string): boolean =>
  messages.slice(-MAX_UNANSWERED).every(({ from }) => from?.id === me);

export function getOutbox(userId: string, api: Client, queryClient: QueryClient): Outbox {
  if (current?.userId === userId) return current.outbox;
  /** The server decides whether the reader may continue to write. */
  const refetchLog = ({ talk }: OutboxMessage) => {
    if (findLog(queryClient, talk) !== undefined)
      void queryClient.invalidateQueries({ queryKey: logQuery(api, talk).queryKey });
  };
  const outbox = createOutbox({
    userId,
    send: (message) => send(api, message),
    onSent(message, sent) {
      addOwnMessage(queryClient, message.talk, sent);
      const log = findLog(queryClient, message.talk);
      // If messages before it are missing, it stays in the outbox until the gap is closed.
      if (log === undefined || lastSeq(log) >= sent.seq) outbox.remove(message.clientId);
      if (log !== undefined && message.talk.userId !== undefined && hasOnlyOwnMessages(log, userId))
        refetchLog(message);
    },
    onRefused: refetchLog,
  });
  current = { userId, outbox };
  return outbox;
}

export function useOutbox(userId: string) {
  const outbox = getOutbox(userId, useApi(), useQueryClient());
  const list = useSyncExternalStore(outbox.subscribe, outbox.list, outbox.list);
  const isOffline = useSyncExternalStore(outbox.subscribe, outbox.isOffline, outbox.isOffline);
  return { outbox, list, isOffline };
}
