import { type RefObject, useEffect, useState } from 'react';
import type { Essay } from '#contract/essays.ts';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './contents.module.css';

type Toc = Essay['toc'];

/** A heading counts as reached in the upper part of the screen. */
const REACHED = '-88px 0px -66% 0px';

/** The id of the heading under which the reader is. */
export function useCurrentHeading(toc: Toc, text: RefObject<Element | null>): string | undefined {
  const [current, setCurrent] = useState<string>();

  useEffect(() => {
    const root = text.current;
    if (root === null) return;
    const headings = toc.flatMap(({ id }) => root.querySelector(`#${CSS.escape(id)}`) ?? []);
    const observer = new IntersectionObserver(
      () => {
        const line = innerHeight * 0.34;
        setCurrent(headings.findLast((heading) => heading.getBoundingClientRect().top <= line)?.id);
      },
      { rootMargin: REACHED, threshold: [0, 1] },
    );
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
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

/** Beside the text, where there is room for it. */
export function Contents(props: ContentsProps) {
  if (props.toc.length === 0) return null;
  return (
    <nav className={styles.contents} aria-labelledby="contents-title">
      <h2 id="contents-title">目录</h2>
      <Entries {...props} />
    </nav>
  );
}

/** Folded above the text, where there is none. */
export function FoldedContents(props: ContentsProps) {
  if (props.toc.length === 0) return null;
  return (
    <details className={styles.folded} id="contents">
      <summary>
        <Icon name="toc" />
        目录
        <span>{props.toc.length} 节</span>
        <Icon name="down" small />
      </summary>
      <nav aria-label="文中目录">
        <Entries {...props} />
      </nav>
    </details>
  );
}
