import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect, useState } from 'react';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './contents.module.css';
import { onScroll } from './on-scroll.ts';

type Toc = Essay['toc'];

/** After a jump, positions differ by fractions of a pixel. */
const TOLERANCE = 4;

/** The distance from the top of the viewport at which a jump to this heading ends. */
const jumpOffsetOf = (heading: Element): number =>
  Number.parseFloat(getComputedStyle(heading).scrollMarginTop) +
  (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0);

/** The id of the heading of the section that the reader is in. */
export function useCurrentHeading(toc: Toc, text: RefObject<Element | null>): string | undefined {
  const [current, setCurrent] = useState<string>();

  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    const headings = toc.flatMap(({ id }) => root.querySelector(`#${CSS.escape(id)}`) ?? []);
    const [first] = headings;
    if (first === undefined) return;
    return onScroll(() => {
      const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - TOLERANCE;
      // At the end of the page, its last headings cannot scroll further up.
      const line = isEnd ? innerHeight : jumpOffsetOf(first) + TOLERANCE;
      setCurrent(headings.findLast((heading) => heading.getBoundingClientRect().top <= line)?.id);
    });
  }, [toc, text]);

  return current;
}

interface ContentsProps {
  toc: Toc;
  current: string | undefined;
}

function ContentsList({ toc, current }: ContentsProps) {
  const top = Math.min(...toc.map(({ level }) => level));
  return (
    <ol className={styles.list}>
      {toc.map(({ id, text, level }) => (
        <li key={id} className={level > top ? styles.sub : undefined}>
          <a href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ol>
  );
}

/** The contents beside the text, on wide screens. */
export function Contents(props: ContentsProps) {
  if (props.toc.length === 0) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <h2 id="contents-title" className="ink-3 text-s regular">
        目录
      </h2>
      <ContentsList {...props} />
    </nav>
  );
}

/** The collapsed contents above the text, on narrow screens. */
export function CollapsedContents(props: ContentsProps) {
  if (props.toc.length === 0) return null;
  return (
    <details className={`no-print ${styles.folded}`} id="contents">
      <summary className="row gap-2">
        <Icon name="toc" />
        目录
        <span className="ink-3">{props.toc.length} 节</span>
        <Icon name="down" small />
      </summary>
      <nav aria-label="文中目录">
        <ContentsList {...props} />
      </nav>
    </details>
  );
}
