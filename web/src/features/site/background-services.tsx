import { SessionSync } from '#web/features/account/session-sync.tsx';
import { ConversationSync } from '#web/features/chats/conversation-sync.tsx';
import { TitleBadge } from './title-badge.tsx';

/** Components without output that run on every page of a signed-in user. */
export const BackgroundServices = () => (
  <>
    <SessionSync />
    <ConversationSync />
    <TitleBadge />
  </>
);
