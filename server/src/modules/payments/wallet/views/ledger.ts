import type { LedgerEntry } from '@mozhan/contract/ledger.ts';
import { toUserCard } from '../../../accounts/users/index.ts';
import type { EntryWithLines } from '../queries/ledger.ts';

export function toEntry({ entry, lines }: EntryWithLines, now: Date): LedgerEntry {
  return {
    id: entry.id,
    kind: entry.kind,
    title: entry.title,
    orderId: entry.orderId,
    withdrawalId: entry.withdrawalId,
    lines: lines.map(({ account, user, provider, amount, balanceAfter }) => ({
      account,
      user: user === null ? null : toUserCard(user, now),
      provider,
      amount,
      balanceAfter,
    })),
    createdAt: entry.createdAt.toISOString(),
  };
}
