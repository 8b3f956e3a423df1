import type { Essay } from '@mozhan/contract/essays.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import { useQuery } from '@tanstack/react-query';
import { plansQuery } from '#web/features/essays/essay-query.ts';
import { useApi } from '#web/lib/app-context.ts';
import { Link } from '#web/router/router.tsx';
import { type ButtonStyle, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { BuyButton } from './buy-button.tsx';
import styles from './paywall.module.css';

function MemberOffer({ variant }: ButtonStyle) {
  const { data } = useQuery(plansQuery(useApi()));
  const plan = data?.plans[0];
  return (
    <div className={`${styles.offer} ${styles.gold}`}>
      <h3>
        <Icon name="gem" small />
        会员免费读
      </h3>
      <p className={styles.price}>
        {plan === undefined ? null : (
          <>
            {formatPriceTag(plan.price)} <small>/ {plan.days} 天</small>
          </>
        )}
      </p>
      <p>会员期内可以读完这一篇，以及站内其他会员文章。不会自动续费。</p>
      <Link
        to="/account/center.html"
        search={{ tab: 'member' }}
        className={buttonClass({ variant, block: true })}
      >
        开通会员
      </Link>
    </div>
  );
}

function describeLockedPart({ previewPercent, wordCount, attachments }: Essay): string {
  const rest = Math.round((wordCount * (100 - previewPercent)) / 1000) * 10;
  const wordsText = rest < 100 ? '' : `后面还有约 ${rest} 字`;
  const files = attachments.length === 0 ? '' : `${attachments.length} 个附件`;
  const more = [wordsText, files].filter(Boolean).join('和 ');
  const read = previewPercent > 0 ? `以上是全文的前 ${previewPercent}%` : '正文没有开放试读';
  return more === '' ? `${read}。` : `${read}，${more}。`;
}

interface PaywallProps {
  essay: Essay;
  /** Called when the text is unlocked and the payment dialog is closed. */
  onPaid: () => void;
}

/** Displayed where the preview ends: the price of the rest and who may read it. */
export function Paywall({ essay, onPaid }: PaywallProps) {
  const { id, title, locked, price, memberFree, column } = essay;
  const isForSale = locked === 'buy';
  return (
    <section className={`card ${styles.paywall} locked-part`} aria-labelledby="locked">
      <header className={`stack gap-1 text-center ${styles.head}`}>
        <Icon name="lock" />
        <h2 id="locked" className="text-h3">
          {isForSale ? '这是一篇付费文章' : '这是一篇会员文章'}
        </h2>
        <p className="ink-2 text-m">{describeLockedPart(essay)}</p>
      </header>
      <div className={styles.offers}>
        {isForSale ? (
          <div className={styles.offer}>
            <h3>单篇购买</h3>
            <p className={styles.price}>{formatPriceTag(price)}</p>
            <p>一次付费，永久阅读，可以下载全文。</p>
            <BuyButton
              purchase={{ kind: 'read', targetId: id, title, amount: price }}
              onPaid={onPaid}
              variant="primary"
            >
              购买全文
            </BuyButton>
          </div>
        ) : null}
        {memberFree ? <MemberOffer variant={isForSale ? 'outline' : 'primary'} /> : null}
        {column !== null && column.price > 0 ? (
          <div className={styles.offer}>
            <h3>买下整个专栏</h3>
            <p className={styles.price}>{formatPriceTag(column.price)}</p>
            <p>
              《{column.name}》已有 {column.count} 篇，以后加入的也包括在内。
            </p>
            <BuyButton
              purchase={{
                kind: 'column',
                targetId: column.id,
                title: column.name,
                amount: column.price,
              }}
              onPaid={onPaid}
            >
              购买专栏
            </BuyButton>
          </div>
        ) : null}
      </div>
      <p className={`ink-3 text-s text-center ${styles.foot}`} data-for="guest">
        {isForSale || (column !== null && column.price > 0) ? '已经买过' : '已经是会员'}？登录后即可阅读。
      </p>
    </section>
  );
}
