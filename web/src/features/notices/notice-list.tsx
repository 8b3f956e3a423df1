import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Notice } from '#contract/notices.ts';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { kinds } from './kinds.ts';
import { NoticeItems } from './notice-items.tsx';
import styles from './notice-list.module.css';
import { ReadAll } from './read-all.tsx';

type Kind = Notice['kind'];

const ID = 'notices';
const names = Object.keys(kinds) as Kind[];

/** All of one's notices, or one kind of them. */
export function NoticeList() {
  const [chosen, setChosen] = useState<Kind | 'all'>('all');
  const unread = useQuery(call(useApi(), 'GET core/user/notice/unread')).data?.kinds;
  const tabs = [
    { key: 'all' as const, label: '全部' },
    ...names.map((key) => ({ key, label: kinds[key].label, count: unread?.[key] || undefined })),
  ];
  return (
    <section aria-labelledby={`${ID}-title`}>
      <div className={styles.head}>
        <h2 id={`${ID}-title`} className={styles.title}>
          通知
        </h2>
        <ReadAll />
      </div>
      <Tabs id={ID} label="通知的类型" tabs={tabs} selected={chosen} onSelect={setChosen} />
      <div {...tabPanel(ID, chosen)}>
        <NoticeItems key={chosen} kind={chosen === 'all' ? undefined : chosen} />
      </div>
    </section>
  );
}
