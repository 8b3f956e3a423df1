import { CheckCircleFilled, ClockCircleOutlined, MinusCircleOutlined } from '@ant-design/icons';
import type { ChecklistEntry, ChecklistEntryName } from '@mozhan/contract/checklist.ts';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useApp } from '#admin/lib/app-context.ts';
import { Link, useLocation } from '#admin/lib/navigation.tsx';
import { call, useAction } from '#admin/lib/queries.ts';
import { useCan } from '#admin/lib/viewer.ts';
import { useConfirm } from '#admin/ui/confirm.ts';
import { SiteLink } from '#admin/ui/site-link.tsx';
import { VisuallyHidden } from '#admin/ui/visually-hidden.tsx';
import styles from './checklist.module.css';

interface EntryLabels {
  title: string;
  /** A screen of the back office. */
  to?: string;
  /** A page of the site. */
  sitePath?: string;
  go?: string;
  /** Without it the entry cannot be skipped. */
  skip?: string;
}

const labels: Record<ChecklistEntryName, EntryLabels> = {
  title: { title: '站名与介绍', to: '/setting', skip: '就用默认的' },
  contact: { title: '联系邮箱', to: '/setting', skip: '不需要' },
  icp: { title: '备案号', to: '/setting', skip: '不需要' },
  adminEmail: { title: '管理员的邮箱', sitePath: '/account/settings.html?tab=security', go: '去绑定' },
  mail: { title: '邮件', to: '/mail', go: '去测试', skip: '不用邮件' },
  backup: { title: '备份', to: '/backup', go: '去备份', skip: '另有备份' },
  secretKey: { title: '密钥', skip: '我已另存' },
  categories: { title: '分类', to: '/category', skip: '就用这些' },
  essay: { title: '第一篇文章', sitePath: '/essay/create.html', go: '去写', skip: '以后再写' },
};

const stateIcons = {
  todo: <ClockCircleOutlined aria-hidden />,
  done: <CheckCircleFilled aria-hidden />,
  skipped: <MinusCircleOutlined aria-hidden />,
};
const stateTexts = { todo: '待办', done: '已完成', skipped: '已跳过' };

function Entry({ entry: { name, state, text } }: { entry: ChecklistEntry }) {
  const act = useAction();
  const can = useCan();
  const { title, to, sitePath, go = '去设置', skip } = labels[name];
  const setSkipped = (isSkipped: boolean) =>
    act(
      (api) => api('PUT core/sys/checklist/', { skipped: { [name]: isSkipped } }),
      isSkipped ? `已跳过「${title}」` : `「${title}」又回到清单`,
    );
  const goText = (
    <>
      {go}
      <VisuallyHidden>：{title}</VisuallyHidden>
    </>
  );
  return (
    <li className={styles.entry} data-state={state}>
      <span className={styles.icon}>{stateIcons[state]}</span>
      <div className={styles.text}>
        <h3>
          {title} <VisuallyHidden>（{stateTexts[state]}）</VisuallyHidden>
        </h3>
        <p>{text}</p>
      </div>
      <div className={styles.acts}>
        {state === 'done' ? null : (
          <>
            {to === undefined ? null : <Link to={to}>{goText}</Link>}
            {sitePath === undefined ? null : <SiteLink to={sitePath}>{goText}</SiteLink>}
            {skip !== undefined && can('checklist:update') ? (
              <Button
                type="text"
                size="small"
                aria-label={`${state === 'todo' ? skip : '恢复'}：${title}`}
                onClick={() => void setSkipped(state === 'todo')}
              >
                {state === 'todo' ? skip : '恢复'}
              </Button>
            ) : null}
          </>
        )}
      </div>
    </li>
  );
}

/** The list of things that a new site needs; `?checklist=1` displays it even if it is done or dismissed. */
export function Checklist() {
  const { api } = useApp();
  const act = useAction();
  const can = useCan();
  const confirm = useConfirm();
  const isRequested = new URLSearchParams(useLocation().search).has('checklist');
  const { data } = useQuery(call(api, 'GET core/sys/checklist/'));
  const open = data?.entries.filter(({ state }) => state === 'todo') ?? [];
  if (data === undefined || data.entries.length === 0) return null;
  if (!isRequested && (data.dismissed || open.length === 0)) return null;
  const closed = data.entries.filter(({ state }) => state !== 'todo');

  const dismiss = async () => {
    const isSure = await confirm({
      title: '收起开站清单？',
      text: '工作台不再显示它；要再看，可以从「系统状态」打开。',
      action: '收起',
    });
    if (isSure) await act((api) => api('PUT core/sys/checklist/', { dismissed: true }), '已收起');
  };
  const restore = () =>
    act((api) => api('PUT core/sys/checklist/', { dismissed: false }), '清单又会显示在工作台');

  return (
    <section className={styles.panel} aria-label="开站清单">
      <div className={styles.head}>
        <h2>开站清单</h2>
        <span>
          已完成 {closed.length} / {data.entries.length}
        </span>
        {can('checklist:update') ? (
          <Button type="text" size="small" onClick={() => void (data.dismissed ? restore() : dismiss())}>
            {data.dismissed ? '重新显示' : '收起'}
          </Button>
        ) : null}
      </div>
      <ul className={styles.entries}>
        {[...open, ...closed].map((entry) => (
          <Entry key={entry.name} entry={entry} />
        ))}
      </ul>
    </section>
  );
}
