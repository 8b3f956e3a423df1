import type { Ban } from '@mozhan/contract/bans.ts';
import { toUserCard } from '../users/index.ts';
import type { ListedBan } from './queries.ts';
import { formatNetwork, parseNetwork } from './rules.ts';

export function toBan({ ban, user }: ListedBan, now: Date): Ban {
  const network = parseNetwork(ban.network);
  return {
    id: ban.id,
    network: network === null ? ban.network : formatNetwork(network),
    reason: ban.reason,
    expiresAt: ban.expiresAt?.toISOString() ?? null,
    isActive: ban.expiresAt === null || ban.expiresAt > now,
    user: user === null ? null : toUserCard(user, now),
    createdAt: ban.createdAt.toISOString(),
  };
}
