import type { Client } from '@mozhan/contract/client.ts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { type Log, lastSeq } from './log.ts';
import { createOutbox, type Outbox, type Outgoing } from './outbox.ts';
import { findLog, logQuery, saidByMe } from './talk-query.ts';

/** The account that is signed in has one; what another has left waits for it. */
let current: { userId: string; outbox: Outbox } | undefined;

async function send(api: Client, { talk, kind, content, clientId, replyTo }: Outgoing) {
  const body = { kind, content, clientId };
  return talk.userId === undefined
    ? api('POST core/essay/group/chat', {
        essayId: talk.essayId,
        ...body,
        ...(replyTo && { replyToId: replyTo.id }),
      })
    : api('POST core/essay/pri/chat', { toUserId: talk.userId, ...body });
}

/** So many in a row are as much as a stranger may say without an answer. */
const IN_A_ROW = 3;
const isMonologue = ({ messages }: Log, me: string): boolean =>
  messages.slice(-IN_A_ROW).every(({ from }) => from?.id === me);

export function outboxOf(userId: string, api: Client, queryClient: QueryClient): Outbox {
  if (current?.userId === userId) return current.outbox;
  /** Whether one may go on is for the server to say. */
  const askAgain = ({ talk }: Outgoing) => {
    if (findLog(queryClient, talk) !== undefined)
      void queryClient.invalidateQueries({ queryKey: logQuery(api, talk).queryKey });
  };
  const outbox = createOutbox({
    userId,
    send: (message) => send(api, message),
    onSent(message, said) {
      saidByMe(queryClient, message.talk, said);
      const log = findLog(queryClient, message.talk);
      // With a gap before it, it is shown as sent until the gap is closed.
      if (log === undefined || lastSeq(log) >= said.seq) outbox.remove(message.clientId);
      if (log !== undefined && message.talk.userId !== undefined && isMonologue(log, userId))
        askAgain(message);
    },
    onRefused: askAgain,
  });
  current = { userId, outbox };
  return outbox;
}

export function useOutbox(userId: string) {
  const outbox = outboxOf(userId, useApi(), useQueryClient());
  const list = useSyncExternalStore(outbox.subscribe, outbox.list, outbox.list);
  const isStuck = useSyncExternalStore(outbox.subscribe, outbox.isStuck, outbox.isStuck);
  return { outbox, list, isStuck };
}
