import type { ConversationCounts } from '@mozhan/contract/chats.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { hideIfBlocked } from '#web/features/conversations/blocked-ids.ts';
import {
  addMessageToLists,
  invalidateRoomLists,
  markReadInLists,
} from '#web/features/conversations/conversation-query.ts';
import { hasQueuedMessages } from '#web/features/conversations/outbox.ts';
import { getOutbox } from '#web/features/conversations/use-outbox.ts';
import { useApi } from '#web/lib/app-context.ts';
import { combineCleanups, onConnect, onLiveEvent } from '#web/lib/live.ts';
import { callQuery } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';

/** Keeps unread counts and conversation lists up to date on every page and sends queued messages. Renders nothing. */
export function ConversationSync() {
  const api = useApi();
  const queryClient = useQueryClient();
  const me = useCurrentUser()?.id;

  useEffect(() => {
    if (me === undefined) return;
    const counts = callQuery(api, 'GET core/essay/chat/unread').queryKey;
    const flush = () => {
      if (hasQueuedMessages(me)) getOutbox(me, api, queryClient).flush();
    };
    flush();
    addEventListener('online', flush);
    return combineCleanups([
      () => removeEventListener('online', flush),
      onConnect(() => {
        flush();
        void queryClient.invalidateQueries({ queryKey: counts });
      }),
      onLiveEvent('talks', (unread) => queryClient.setQueryData(counts, unread)),
      onLiveEvent('chat', ({ talk, message }) => {
        const shown = talk.essayId === undefined ? message : hideIfBlocked(queryClient, message);
        const isNews = addMessageToLists(queryClient, talk, shown, message.from?.id === me);
        // The server sends no counts for a message in a room, which may have thousands of members.
        if (isNews && talk.essayId !== undefined)
          queryClient.setQueryData<ConversationCounts>(
            counts,
            (unread) => unread && { ...unread, rooms: unread.rooms + 1 },
          );
      }),
      onLiveEvent('roomLost', () => invalidateRoomLists(queryClient)),
      onLiveEvent('chatRead', ({ talk, byId, seq }) => {
        if (byId === me) markReadInLists(queryClient, talk, seq);
      }),
    ]);
  }, [api, queryClient, me]);

  return null;
}
