import type { CheckCounts, Findings, ImportCheck } from '@mozhan/contract/import-checks.ts';
import { Collapse } from 'antd';
import { CardHead } from '#admin/ui/card-head.tsx';
import { Card } from '#admin/ui/screen.tsx';
import styles from './import.module.css';
import { formatText } from './labels.tsx';

const number = (count: number): string => count.toLocaleString('zh-CN');

const labels: [keyof CheckCounts, string, string][] = [
  ['essays', '文章', '篇'],
  ['pages', '页面', '个'],
  ['pictures', '图片', '张'],
  ['remotePictures', '别处的图片', '张'],
  ['covers', '封面', '张'],
  ['attachments', '附件', '个'],
  ['comments', '评论', '条'],
  ['authors', '作者', '位'],
  ['categories', '分类', '个'],
  ['tags', '标签', '个'],
  ['redirects', '旧网址', '条'],
  ['pinned', '置顶', '篇'],
  ['scheduled', '定时发布', '篇'],
];
/** Shown even if there are none. */
const always: (keyof CheckCounts)[] = ['essays', 'pages', 'pictures', 'comments'];

function Counts({ counts }: { counts: CheckCounts }) {
  return (
    <dl className={styles.counts}>
      {labels
        .filter(([name]) => counts[name] > 0 || always.includes(name))
        .map(([name, label, unit]) => (
          <div key={name}>
            <dt>{label}</dt>
            <dd>
              {number(counts[name])}
              <small>{unit}</small>
            </dd>
          </div>
        ))}
    </dl>
  );
}

function FindingList({ findings: { total, reasons, list } }: { findings: Findings }) {
  return (
    <>
      <ul className={styles.reasons}>
        {reasons.map(({ reason, count }) => (
          <li key={reason}>
            <span>{reason}</span>
            <span>{number(count)}</span>
          </li>
        ))}
      </ul>
      <ul className={styles.findings}>
        {list.map(({ title, reason }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list never changes
          <li key={index}>
            <strong>{title}</strong>
            {reasons.length > 1 ? <span>{reason}</span> : null}
          </li>
        ))}
      </ul>
      {total > list.length ? (
        <p className={styles.hint}>只列出前 {number(list.length)} 项，其余的在导入后的报告里。</p>
      ) : null}
    </>
  );
}

/** What the archive contains, and what will not arrive as it was. */
export function CheckSummary({ check }: { check: ImportCheck }) {
  const { program, siteTitle, siteUrl, counts, drafts, refused, notes } = check;
  const groups: [string, Findings][] = [
    ['会成为草稿', drafts],
    ['不能导入', refused],
    ['会有变化', notes],
  ];
  const site = [siteTitle, siteUrl].filter((text) => text !== '').join('，') || '文件里没有写明来自哪个网站';
  return (
    <Card>
      <section aria-label="检查结果">
        <CardHead title="检查结果" />
        <p className={styles.site}>
          {formatText(program)}：{site}
        </p>
        <Counts counts={counts} />
        {counts.existing === 0 ? null : (
          <p className={styles.hint}>
            其中 {number(counts.existing)} 项以前导入过
            {counts.changed === 0 ? '' : `，${number(counts.changed)} 项的原文有改动`}。
          </p>
        )}
        <Collapse
          ghost
          className={styles.groups}
          items={groups
            .filter(([, { total }]) => total > 0)
            .map(([label, findings]) => ({
              key: label,
              label: `${label} ${number(findings.total)} 项`,
              children: <FindingList findings={findings} />,
            }))}
        />
      </section>
    </Card>
  );
}
