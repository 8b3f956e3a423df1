import type { Essay } from '#contract/essays.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './paywall.module.css';
import { formatPrice } from './price.ts';

/** Where the preview ends: what the rest costs and who may read it. */
export function Paywall({ locked, price, memberFree, previewPercent }: Essay) {
  return (
    <section className={styles.paywall} aria-labelledby="locked">
      <header className={styles.head}>
        <Icon name="lock" />
        <h2 id="locked">{locked === 'member' ? '这是一篇会员文章' : '这是一篇付费文章'}</h2>
        <p>{previewPercent > 0 ? `以上是全文的前 ${previewPercent}%。` : '正文没有开放试读。'}</p>
      </header>
      <div className={styles.offers}>
        {locked === 'buy' ? (
          <div className={styles.offer}>
            <h3>单篇购买</h3>
            <p className={styles.price}>{formatPrice(price)}</p>
            <p>一次付费，永久阅读。</p>
          </div>
        ) : null}
        {memberFree ? (
          <div className={`${styles.offer} ${styles.gold}`}>
            <h3>
              <Icon name="gem" small />
              会员免费读
            </h3>
            <p>会员期内可以读完这一篇，以及站内其他会员文章。</p>
          </div>
        ) : null}
      </div>
    </section>
  );
}
