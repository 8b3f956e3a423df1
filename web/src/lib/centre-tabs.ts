/** The values of `tab` in the URL of the account centre. */
export const centreTabs = [
  'essay',
  'trend',
  'stats',
  'collect',
  'column',
  'highlight',
  'like',
  'history',
  'share',
  'tag',
  'following',
  'follower',
  'letter',
  'chat',
  'notice',
  'order',
  'wallet',
  'member',
  'invite',
  'farmer',
] as const;
export type CentreTab = (typeof centreTabs)[number];
