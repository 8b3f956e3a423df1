import type { EssayCard } from '@mozhan/contract/essays.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Icon } from '#web/ui/icon-set.tsx';

const MemberBadge = ({ children }: { children: string }) => (
  <Badge tone="member">
    <Icon name="gem" small />
    {children}
  </Badge>
);

export const PinnedBadge = () => (
  <Badge tone="info">
    <Icon name="pin" small />
    置顶
  </Badge>
);

/** For search results that have only some of the words. */
export const PartialBadge = () => <Badge>部分匹配</Badge>;

export function PriceBadges({ price, memberFree }: Pick<EssayCard, 'price' | 'memberFree'>) {
  return (
    <>
      {price === 0 ? null : <Badge tone="paid">付费 {formatPriceTag(price)}</Badge>}
      {memberFree ? <MemberBadge>{price === 0 ? '会员' : '会员免费'}</MemberBadge> : null}
    </>
  );
}
