import { SessionKeeper } from '#web/features/account/session-keeper.tsx';
import { TalkKeeper } from '#web/features/chats/keeper.tsx';
import { TitleBadge } from './title-badge.tsx';

/** What runs behind every page of somebody who is signed in. */
export const Keepers = () => (
  <>
    <SessionKeeper />
    <TalkKeeper />
    <TitleBadge />
  </>
);
