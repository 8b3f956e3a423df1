import { toFlag } from '@mozhan/contract/enums.ts';
import type { FriendLink, VisibleFriendLink } from '@mozhan/contract/friend-links.ts';
import type { FriendLinkRow } from '../tables.ts';

export const toVisibleFriendLink = ({
  id,
  name,
  url,
  description,
  logo,
}: FriendLinkRow): VisibleFriendLink => ({ id, name, url, description, logo });

export const toFriendLink = (row: FriendLinkRow): FriendLink => ({
  ...toVisibleFriendLink(row),
  sort: row.sort,
  enabled: toFlag(row.enabled),
});
