import type { Comment } from '@mozhan/contract/comments.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './comments.module.css';

/** The words that a comment is about. */
export const Quote = ({ text }: { text: string }) => (
  <blockquote className={`ink-3 text-m ${styles.quote}`}>{text}</blockquote>
);

/** Leads to the passage in the text, unless the viewer may not read it or it is gone. */
export function CommentQuote({ quote }: { quote: NonNullable<Comment['quote']> }) {
  const { text, locked, start, end } = quote;
  if (text !== null)
    return (
      <a className={styles.quoted} href={`#hl-${start}-${end}`} title="看原文">
        <Quote text={text} />
      </a>
    );
  return (
    <p className="row gap-1 ink-3 text-s">
      {locked ? (
        <>
          <Icon name="lock" small />
          引用了付费的部分
        </>
      ) : (
        '引用的原文在修订后已经没有了'
      )}
    </p>
  );
}
