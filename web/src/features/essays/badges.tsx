import type { EssayCard } from '@mozhan/contract/essays.ts';
import { formatTag } from '@mozhan/contract/money.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon-set.tsx';

const ForMembers = ({ children }: { children: string }) => (
  <Badge tone="member">
    <Icon name="gem" small />
    {children}
  </Badge>
);

/** What an essay costs, and whether members read it for nothing. */
export function PriceBadges({ price, memberFree }: Pick<EssayCard, 'price' | 'memberFree'>) {
  return (
    <>
      {price === 0 ? null : <Badge tone="paid">付费 {formatTag(price)}</Badge>}
      {memberFree ? <ForMembers>{price === 0 ? '会员' : '会员免费'}</ForMembers> : null}
    </>
  );
}
