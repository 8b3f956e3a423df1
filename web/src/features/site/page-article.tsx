import type { SitePage } from '@mozhan/contract/site.ts';
import type { ReactNode } from 'react';
import { formatDate } from '#web/lib/format.ts';
import { Prose } from '#web/ui/prose.tsx';
import styles from './page-article.module.css';

interface PageArticleProps extends Pick<SitePage, 'title' | 'html' | 'toc' | 'updatedAt'> {
  /** After the date. */
  note?: ReactNode;
  /** After the text. */
  children?: ReactNode;
}

/** The text of a page with its table of contents. */
export const PageArticle = ({ title, html, toc, updatedAt, note, children }: PageArticleProps) => (
  <>
    <article className={styles.text}>
      <h1>{title}</h1>
      <p className={styles.date}>
        更新于 <time dateTime={updatedAt}>{formatDate(updatedAt)}</time>
        {note}
      </p>
      <Prose html={html} />
      {children}
    </article>
    {toc.length < 3 ? null : (
      <nav className={styles.contents} aria-label="目录">
        <h2>目录</h2>
        <ul>
          {toc.map(({ id, text, level }) => (
            <li key={id} data-level={level}>
              <a href={`#${id}`}>{text}</a>
            </li>
          ))}
        </ul>
      </nav>
    )}
  </>
);
