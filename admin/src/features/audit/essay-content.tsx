import { Tabs, Tag } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { fileUrl, formatDateTime, formatEssayPrice, timeSince } from '#admin/lib/format.ts';
import { LineDiff } from '#admin/ui/line-diff.tsx';
import { Prose } from '#admin/ui/prose.tsx';
import { VisibleText } from '#admin/ui/visible-text.tsx';
import { Badges } from './badges.tsx';
import styles from './desk.module.css';
import type { AuditEssay } from './use-decide.ts';

function Head({ essay }: { essay: AuditEssay }) {
  const { basePath } = useApp();
  const { author, submittedAt } = essay;
  return (
    <header className={styles.head}>
      {essay.cover === '' ? null : (
        <img
          className={styles.cover}
          src={fileUrl(basePath, essay.cover)}
          alt="封面"
          width={144}
          height={90}
        />
      )}
      {essay.shareCover === '' ? null : (
        <img
          className={styles.cover}
          src={fileUrl(basePath, essay.shareCover)}
          alt="分享卡片"
          width={90}
          height={90}
        />
      )}
      <div className={styles.about}>
        <h2>{essay.title}</h2>
        <div className={styles.facts}>
          <Badges essay={essay} />
          <a href={`${basePath}/user/home/${author.id}.html`} target="_blank" rel="noopener">
            {author.displayName}
          </a>
          <span>{essay.category?.name ?? '没有分类'}</span>
          <span>{essay.wordCount} 字</span>
          <span>约 {essay.readMinutes} 分钟</span>
          <span>{formatEssayPrice(essay)}</span>
          {submittedAt === null ? null : (
            <time dateTime={submittedAt} title={`提交于 ${formatDateTime(submittedAt)}`}>
              已等 {timeSince(submittedAt)}
            </time>
          )}
        </div>
        {essay.summary === '' ? null : <p className={styles.summary}>{essay.summary}</p>}
        {essay.tags.length === 0 ? null : (
          <div className={styles.words}>
            {essay.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </div>
        )}
      </div>
    </header>
  );
}

/** The essay as tabs: rendered, Markdown source, and the difference from the published version. */
export function EssayContent({ essay }: { essay: AuditEssay }) {
  const { publishedContent, content } = essay;
  const preview = {
    key: 'preview',
    label: '读者看到的',
    children: (
      <div className={styles.measure}>
        <Prose html={essay.html} words={essay.words} />
      </div>
    ),
  };
  const source = {
    key: 'source',
    label: '原文',
    children: (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
      <pre className={styles.source} tabIndex={0}>
        <VisibleText text={content} />
      </pre>
    ),
  };
  const difference = {
    key: 'difference',
    label: '与已上架的差别',
    children:
      publishedContent === content ? (
        <p className={styles.quiet}>正文没有改动，改动的是旁边列出的信息。</p>
      ) : (
        <LineDiff before={publishedContent ?? ''} after={content} label="与已上架的差别" />
      ),
  };
  // A revision opens on its changes.
  const items = publishedContent === null ? [preview, source] : [difference, preview, source];
  return (
    <article className={styles.paper} aria-label={essay.title}>
      <Head essay={essay} />
      <Tabs items={items} />
    </article>
  );
}
