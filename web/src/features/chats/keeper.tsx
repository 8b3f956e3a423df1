import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hasOutgoing } from '#web/features/conversations/outbox.ts';
import { talkRead, talkSaid } from '#web/features/conversations/talk-query.ts';
import { outboxOf } from '#web/features/conversations/use-outbox.ts';
import { useApi } from '#web/lib/app-context.ts';
import { onConnected, onLive, together } from '#web/lib/live.ts';
import { call } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';

/** Keeps counts and lists of conversations true on every page, and sends what was left waiting. Shows nothing. */
export function TalkKeeper() {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useCurrentUser()?.id;

  useEffect(() => {
    if (me === undefined) return;
    const counts = call(api, 'GET core/essay/chat/unread').queryKey;
    const flush = () => {
      if (hasOutgoing(me)) outboxOf(me, api, queryClient).flush();
    };
    flush();
    addEventListener('online', flush);
    return together([
      () => removeEventListener('online', flush),
      onConnected(() => {
        flush();
        void queryClient.invalidateQueries({ queryKey: counts });
      }),
      onLive('talks', (told) => queryClient.setQueryData(counts, told)),
      onLive('chat', ({ talk, message }) => talkSaid(queryClient, talk, message, message.from?.id === me)),
      onLive('chatRead', ({ talk, byId, seq }) => {
        if (byId === me) talkRead(queryClient, talk, seq);
      }),
    ]);
  }, [api, queryClient, me]);

  return null;
}
