import type { Essay } from '@mozhan/contract/essays.ts';
import { type RefObject, useEffect, useState } from 'react';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './contents.module.css';
import { onScrolled } from './on-scrolled.ts';

type Toc = Essay['toc'];

/** Fractions of a pixel, after a jump. */
const TOLERANCE = 4;

/** How far below the top of the screen a jump to this heading ends. */
const landingOf = (heading: Element): number =>
  Number.parseFloat(getComputedStyle(heading).scrollMarginTop) +
  (Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0);

/** The id of the heading under which the reader is. */
export function useCurrentHeading(toc: Toc, text: RefObject<Element | null>): string | undefined {
  const [current, setCurrent] = useState<string>();

  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    const headings = toc.flatMap(({ id }) => root.querySelector(`#${CSS.escape(id)}`) ?? []);
    const [first] = headings;
    if (first === undefined) return;
    return onScrolled(() => {
      const isEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - TOLERANCE;
      // Where the page ends, its last headings cannot come further up.
      const line = isEnd ? innerHeight : landingOf(first) + TOLERANCE;
      setCurrent(headings.findLast((heading) => heading.getBoundingClientRect().top <= line)?.id);
    });
  }, [toc, text]);

  return current;
}

interface ContentsProps {
  toc: Toc;
  current: string | undefined;
}

function Entries({ toc, current }: ContentsProps) {
  const top = Math.min(...toc.map(({ level }) => level));
  return (
    <CachedFragment name="toc" input={toc}>
      <ol className={styles.list}>
        {toc.map(({ id, text, level }) => (
          <li key={id} className={level > top ? styles.sub : undefined}>
            <a href={`#${id}`} aria-current={id === current ? 'true' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ol>
    </CachedFragment>
  );
}

/** Beside the text, where there is room for it. */
export function Contents(props: ContentsProps) {
  if (props.toc.length === 0) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <h2 id="contents-title" className="ink-3 text-s regular">
        目录
      </h2>
      <Entries {...props} />
    </nav>
  );
}

/** Folded above the text, where there is none. */
export function FoldedContents(props: ContentsProps) {
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
        <Entries {...props} />
      </nav>
    </details>
  );
}
