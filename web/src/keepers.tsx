import { TalkKeeper } from './features/chats/keeper.tsx';
import { TitleBadge } from './features/site/title-badge.tsx';
import { SessionKeeper } from './features/users/session-keeper.tsx';

/** What runs behind every page of somebody who is signed in. */
export const Keepers = () => (
  <>
    <SessionKeeper />
    <TalkKeeper />
    <TitleBadge />
  </>
);
