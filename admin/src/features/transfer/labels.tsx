import type {
  Transfer,
  TransferFormat,
  TransferItemKind,
  TransferOutcome,
  TransferStatus,
} from '@mozhan/contract/transfer.ts';
import { Progress, Tag } from 'antd';
import styles from './transfer.module.css';

export const kindOptions = [
  { value: 'export', label: '导出' },
  { value: 'import', label: '导入' },
];

const formats: Record<TransferFormat, string> = {
  auto: '自动识别',
  mozhan: '墨栈的导出',
  wordpress: 'WordPress',
  ghost: 'Ghost',
  hexo: 'Hexo',
  hugo: 'Hugo',
  jekyll: 'Jekyll',
  markdown: 'Markdown 文件夹',
  halo: 'Halo',
  typecho: 'Typecho',
};
export const formatText = (format: TransferFormat): string => formats[format];
export const formatOptions = Object.entries(formats).map(([value, label]) => ({ value, label }));

const states: Record<TransferStatus, { label: string; color: string }> = {
  checking: { label: '正在检查', color: 'processing' },
  ready: { label: '等待开始', color: 'warning' },
  waiting: { label: '等待中', color: 'default' },
  running: { label: '进行中', color: 'processing' },
  done: { label: '完成', color: 'success' },
  failed: { label: '失败', color: 'error' },
  cancelled: { label: '已停止', color: 'warning' },
  undoing: { label: '正在撤销', color: 'processing' },
  undone: { label: '已撤销', color: 'default' },
};

const kinds: Record<TransferItemKind, string> = {
  essay: '文章',
  comments: '评论',
  redirect: '旧网址',
  file: '图片与附件',
  author: '作者',
  column: '专栏',
  category: '分类',
  page: '页面',
  navigation: '导航',
  link: '友情链接',
};
export const itemKindOptions = Object.entries(kinds).map(([value, label]) => ({ value, label }));
export const kindText = (kind: TransferItemKind): string => kinds[kind];

const outcomes: Record<TransferOutcome, { label: string; color: string }> = {
  created: { label: '已导入', color: 'success' },
  updated: { label: '已更新', color: 'success' },
  skipped: { label: '跳过', color: 'warning' },
  removed: { label: '已撤销', color: 'default' },
  kept: { label: '保留', color: 'processing' },
};
export const outcomeOptions = Object.entries(outcomes).map(([value, { label }]) => ({ value, label }));
export const outcomeText = (outcome: TransferOutcome): string => outcomes[outcome].label;

export function OutcomeTag({ outcome }: { outcome: TransferOutcome }) {
  const { label, color } = outcomes[outcome];
  return (
    <Tag variant="filled" color={color}>
      {label}
    </Tag>
  );
}

export const isUnfinished = ({ status }: Transfer): boolean =>
  ['checking', 'waiting', 'running', 'undoing'].includes(status);

/** Pictures and attachments on other hosts are fetched after the import. */
export const hasWaitingPictures = ({ status, pictures }: Transfer): boolean =>
  ['done', 'failed', 'cancelled'].includes(status) && pictures.done + pictures.failed < pictures.total;

/** 取回 120 / 134，失败 3. */
export function picturesText({ pictures: { total, done, failed } }: Transfer): string {
  const fetched = `取回 ${done.toLocaleString('zh-CN')} / ${total.toLocaleString('zh-CN')}`;
  return failed === 0 ? fetched : `${fetched}，失败 ${failed.toLocaleString('zh-CN')}`;
}

/** An undone import can be undone again, for items that were kept because somebody used them. */
export const canUndo = ({ kind, status, report }: Transfer): boolean =>
  kind === 'import' &&
  ['done', 'failed', 'cancelled', 'undone'].includes(status) &&
  report.some(({ outcome }) => ['created', 'updated', 'kept'].includes(outcome));

export function nameOf({ kind, scope, author, format }: Transfer): string {
  if (kind === 'import') return format === 'auto' ? '导入' : `导入：${formats[format]}`;
  return scope === 'site' ? '导出整站' : `导出「${author?.displayName ?? '已不在的作者'}」`;
}

/** 文章已导入 12，跳过 3. */
export function resultText({ report, kind, status, done }: Transfer): string {
  if (kind === 'export') {
    if (status !== 'done') return '-';
    const lost = report.reduce((sum, { count }) => sum + count, 0);
    return `文章 ${done} 篇${lost === 0 ? '' : `，${lost} 个文件不在`}`;
  }
  const counts = countsText(report, 'essay');
  return counts === '' ? '-' : `文章${counts}`;
}

/** 已导入 12，跳过 3. */
const countsText = (report: Transfer['report'], kind: TransferItemKind): string =>
  report
    .filter((each) => each.kind === kind)
    .map(({ outcome, count }) => `${outcomes[outcome].label} ${count.toLocaleString('zh-CN')}`)
    .join('，');

/** Kinds whose items are one thing each; the comments of an essay and all old addresses are one item. */
const COUNTED_KINDS = ['essay', 'page', 'file', 'author', 'category', 'column'] as const;

/** What became of each kind of content. */
export const resultFacts = ({ report }: Transfer): [label: string, text: string][] =>
  COUNTED_KINDS.map((kind): [string, string] => [kinds[kind], countsText(report, kind)]).filter(
    ([, text]) => text !== '',
  );

/** Files outside of any section have an empty name. */
export const sectionText = (name: string): string => (name === '' ? '不在栏目里的' : name);

export const UNDO_QUESTION = {
  title: '撤销这次导入？',
  text: '这次导入带来的文章与评论、页面、跳转、图片与附件、标签、分类、专栏和新建的账号会删除，不能恢复；之后有人改过、买过、打赏过或评论过的文章保留，并在报告里列出。',
  action: '撤销',
  danger: true,
};

const percentOf = ({ total, done }: Transfer): number =>
  total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));

export const statusText = (row: Transfer): string => {
  const { status, message, done } = row;
  if (status === 'checking') return `${states.checking.label}，已读 ${done} 项`;
  if (status === 'running' || status === 'undoing') return `${states[status].label} ${percentOf(row)}%`;
  return message === '' ? states[status].label : `${states[status].label}：${message}`;
};

export function StatusTag({ transfer }: { transfer: Transfer }) {
  const { status, total, done, message } = transfer;
  const { label, color } = states[status];
  if (status === 'running' || status === 'undoing')
    return (
      <div className={styles.running}>
        <Progress percent={percentOf(transfer)} size="small" status="active" aria-label={label} />
        <span>
          {label}
          {total === 0 ? '' : ` ${done.toLocaleString('zh-CN')} / ${total.toLocaleString('zh-CN')}`}
        </span>
      </div>
    );
  return (
    <span className={styles.status}>
      <Tag variant="filled" color={color}>
        {label}
      </Tag>
      {message === '' ? null : <span>{message}</span>}
    </span>
  );
}
