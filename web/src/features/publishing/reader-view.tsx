import { excessCharacters } from '@mozhan/contract/content-length.ts';
import { ESSAY_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { Essay } from '@mozhan/contract/essays.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EssayEntry } from '#web/features/essays/essay-entry.tsx';
import { EssayHeader } from '#web/features/reading/essay-header.tsx';
import type { EssayModel } from '#web/features/writing/essay-model.ts';
import { useApi, useApp } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Cover } from '#web/ui/cover.tsx';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import styles from './reader-view.module.css';

const tabs = [
  { key: 'entry', label: '列表里' },
  { key: 'share', label: '分享出去' },
  { key: 'head', label: '文章开头' },
] as const;

type View = (typeof tabs)[number]['key'];

const NO_ID = '0'.repeat(32);

/** The essay as it will be shown; what readers add, such as likes, is empty. */
function useFutureEssay(essay: EssayModel): Essay {
  const api = useApi();
  const { categories } = useSite();
  const me = useCurrentUser();
  const [content] = useState(() => essay.read().content);
  const [now] = useState(() => new Date().toISOString());
  const draft = essay.fields.get();
  // Counts, and the first words, which are the summary if the author wrote none.
  const { data } = useQuery({
    queryKey: ['reader-view', essay.key, essay.version.get()],
    queryFn: ({ signal }) => api('POST core/essay/preview', { content }, { signal }),
    enabled: content.trim() !== '' && excessCharacters(content) === 0,
    refetchOnWindowFocus: false,
    retry: false,
  });
  const category = categories.find(({ id }) => id === draft.categoryId) ?? null;
  const own = essay.author === null ? me : null;
  const author: Essay['author'] = {
    id: own?.id ?? NO_ID,
    displayName: own?.displayName ?? essay.author?.displayName ?? '',
    headImg: own?.headImg ?? '',
    curIdentity: IDENTITY.writer,
    isMember: false,
    title: '',
  };
  return {
    id: NO_ID,
    slug: null,
    title: draft.title || '没有标题',
    titleBreaks: [],
    summary: draft.summary || (data?.summary ?? ''),
    lede: draft.summary,
    cover: draft.cover,
    shareCover: draft.shareCover,
    coverSize: null,
    category,
    tags: draft.tags,
    author,
    price: draft.price,
    memberFree: draft.memberFree,
    status: ESSAY_STATUS.onShelf,
    publishedAt: draft.scheduledAt ?? now,
    updatedAt: now,
    wordCount: data?.wordCount ?? 0,
    readMinutes: data?.readMinutes ?? 1,
    readCount: 0,
    likeCount: 0,
    cmtCount: 0,
    collectCount: 0,
    shareCount: 0,
    downloadCount: 0,
    rewardCount: 0,
    html: '',
    toc: [],
    attachments: [],
    column: null,
    previous: null,
    next: null,
    locked: null,
    previewPercent: draft.previewPercent,
    allowComment: draft.allowComment,
    declaration: draft.declaration,
    source: draft.source,
    region: '',
    hasMath: false,
    hasDiagrams: false,
    mine: {
      liked: false,
      collected: false,
      folderId: null,
      bought: false,
      followed: false,
      progress: 0,
      highlights: 0,
    },
    hasPassages: false,
    can: { edit: false, audit: false },
  };
}

/** A link as 微信 and QQ display it, and as sites with large previews do. */
function ShareCards({ essay }: { essay: Essay }) {
  const { siteUrl } = useApp();
  const { settings } = useSite();
  return (
    <>
      <p className={styles.place}>微信、QQ 聊天</p>
      <div className={styles.message}>
        <strong>{essay.title}</strong>
        <p>{essay.summary}</p>
        <div className={styles.thumbnail}>
          <Cover title={essay.title} image={essay.shareCover || essay.cover} />
        </div>
        <small>{settings.title}</small>
      </div>
      <p className={styles.place}>显示大图的网站</p>
      <div className={styles.share}>
        <div className={styles.picture}>
          <Cover title={essay.title} image={essay.cover} />
        </div>
        <div className={styles.words}>
          <strong>{essay.title}</strong>
          {essay.summary === '' ? null : <p>{essay.summary}</p>}
          <small>
            {settings.title}　{new URL(siteUrl || location.origin).host}
          </small>
        </div>
      </div>
    </>
  );
}

/** List entry, share card and head of the essay, made of the components that readers get. */
export function ReaderView({ essay }: { essay: EssayModel }) {
  const [view, setView] = useState<View>('entry');
  const future = useFutureEssay(essay);
  return (
    <section className={styles.view} aria-labelledby="reader-view">
      <h3 id="reader-view" className="text-m bold">
        读者将看到
      </h3>
      <Tabs id="reader-view-tabs" label="读者将看到" tabs={tabs} selected={view} onSelect={setView} />
      <div {...tabPanel('reader-view-tabs', view)} className={styles.frame}>
        {/* Nothing inside can be used: it is a picture of the page. */}
        <div inert data-view={view} className={styles.page}>
          {view === 'entry' ? <EssayEntry essay={future} level="h3" /> : null}
          {view === 'share' ? <ShareCards essay={future} /> : null}
          {view === 'head' ? <EssayHeader essay={future} /> : null}
        </div>
      </div>
    </section>
  );
}
