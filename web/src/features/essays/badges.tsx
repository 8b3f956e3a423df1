import type { ReactNode } from 'react';
import type { EssayCard } from '#contract/essays.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './badges.module.css';
import { formatPrice } from './price.ts';

type Tone = 'plain' | 'paid' | 'member' | 'ok' | 'warn' | 'bad' | 'info';

export const Badge = ({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={styles.badge} data-tone={tone}>
    {children}
  </span>
);

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
      {price === 0 ? null : <Badge tone="paid">付费 {formatPrice(price)}</Badge>}
      {memberFree ? <ForMembers>{price === 0 ? '会员' : '会员免费'}</ForMembers> : null}
    </>
  );
}
