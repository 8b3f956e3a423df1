import type { ColumnDetail } from '@mozhan/contract/columns.ts';
import { formatPriceTag } from '@mozhan/contract/money.ts';
import { BuyButton } from '#web/features/paying/buy-button.tsx';
import { useCurrentUser } from '#web/lib/session.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './column-offer.module.css';

function contentsOf({ essayCount, paidCount }: ColumnDetail): string {
  if (essayCount === 0) return '以后加入的文章都包括在内。';
  const paid = paidCount > 0 && paidCount < essayCount ? `，其中 ${paidCount} 篇付费` : '';
  return `已有 ${essayCount} 篇${paid}，以后加入的也包括在内。`;
}

interface ColumnOfferProps {
  column: ColumnDetail;
  onPaid: () => void;
}

/** The price of the entire column, or that the reader has bought it, as high as before; nothing if it is not for sale. */
export function ColumnOffer({ column, onPaid }: ColumnOfferProps) {
  const isOwn = useCurrentUser()?.id === column.author.id;
  const { id, name, price, mine } = column;
  if (price === 0 && !mine.bought) return null;
  return (
    <section className={`card ${styles.offer}`} aria-labelledby="column-offer">
      <h2 id="column-offer" className="text-m">
        买下整个专栏
      </h2>
      <p className="amount bold">{price === 0 ? '不再单独出售' : formatPriceTag(price)}</p>
      <p className="ink-3 text-s">{contentsOf(column)}一次付费，永久阅读。</p>
      {isOwn ? (
        <p className={`row ink-3 text-m ${styles.buy} ${styles.note}`}>这是你的专栏，读者在这里购买。</p>
      ) : mine.bought ? (
        <p className={`row gap-1-5 text-m ${styles.buy} ${styles.note} ${styles.bought}`}>
          <Icon name="check" small />
          你已买下
        </p>
      ) : (
        <div className={styles.buy}>
          <BuyButton purchase={{ kind: 'column', targetId: id, title: name, amount: price }} onPaid={onPaid}>
            购买专栏
          </BuyButton>
        </div>
      )}
    </section>
  );
}
