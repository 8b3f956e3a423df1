import type { Notice } from '@mozhan/contract/notices.ts';
import { useState } from 'react';
import { useCall } from '#web/lib/queries.ts';
import { SelectField } from '#web/ui/field.tsx';
import { type Tab, Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { MarkAllReadButton } from './mark-all-read-button.tsx';
import { NoticeItems } from './notice-items.tsx';
import { noticeKinds } from './notice-kinds.ts';
import styles from './notice-list.module.css';

type Choice = Notice['kind'] | 'all';

const ID = 'notices';
const names = Object.keys(noticeKinds) as Notice['kind'][];

/** All notices or those of one kind, chosen from tabs or, on a phone, from a select field. */
export function NoticeList() {
  const [chosen, setChosen] = useState<Choice>('all');
  const unread = useCall('GET core/user/notice/unread').data?.kinds;
  const tabs: Tab<Choice>[] = [
    { key: 'all', label: '全部' },
    ...names.map((key) => ({ key, label: noticeKinds[key].label, count: unread?.[key] || undefined })),
  ];
  const options = tabs.map(({ key, label, count }) => ({
    value: key,
    label: count ? `${label}（${count} 条未读）` : label,
  }));
  return (
    <section aria-labelledby={`${ID}-title`}>
      <div className={`row apart gap-3 ${styles.head}`}>
        <h2 id={`${ID}-title`}>通知</h2>
        <MarkAllReadButton />
      </div>
      <div className="not-on-phone">
        <Tabs id={ID} label="通知的类型" tabs={tabs} selected={chosen} onSelect={setChosen} />
      </div>
      <div className="only-on-phone">
        <SelectField
          name="kind"
          label="类型"
          options={options}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value as Choice)}
        />
      </div>
      <div {...tabPanel(ID, chosen)}>
        <NoticeItems key={chosen} kind={chosen === 'all' ? undefined : chosen} />
      </div>
    </section>
  );
}
