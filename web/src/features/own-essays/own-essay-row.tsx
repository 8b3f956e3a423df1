import type { Output } from '@mozhan/contract/client.ts';
import { ESSAY_STATUS } from '@mozhan/contract/enums.ts';
import type { EssayStatus, ListedEssay, RevisionStatus } from '@mozhan/contract/essays.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import { PinnedBadge, PriceBadges } from '#web/features/essays/badges.tsx';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { Link, useHrefs } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Cover } from '#web/ui/cover.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { useLazyDialog } from '#web/ui/lazy-dialog.tsx';
import { Menu, MenuSeparator } from '#web/ui/menu.tsx';
import { MenuItem } from '#web/ui/menu-item.tsx';
import { Sparkline } from '#web/ui/sparkline.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { canEditEssay, essayActionsOf } from './essay-actions.ts';
import styles from './own-essay-row.module.css';
import { useEssayActions } from './use-essay-actions.ts';
import { useOwnActs } from './use-own-acts.ts';

export const statusLabels: Record<
  EssayStatus,
  { name: string; tone: 'plain' | 'info' | 'warn' | 'ok' | 'bad' }
> = {
  [ESSAY_STATUS.draft]: { name: '草稿', tone: 'plain' },
  [ESSAY_STATUS.waiting]: { name: '待审核', tone: 'warn' },
  [ESSAY_STATUS.approved]: { name: '待上架', tone: 'info' },
  [ESSAY_STATUS.onShelf]: { name: '已上架', tone: 'ok' },
  [ESSAY_STATUS.offShelf]: { name: '已下架', tone: 'plain' },
  [ESSAY_STATUS.rejected]: { name: '已驳回', tone: 'bad' },
};

const revisionLabels: Record<RevisionStatus, string> = {
  [ESSAY_STATUS.draft]: '修订未提交',
  [ESSAY_STATUS.waiting]: '修订待审核',
  [ESSAY_STATUS.rejected]: '修订被驳回',
};

const loadMoveDialog = () => import('./move-dialog.tsx').then(({ MoveDialog }) => MoveDialog);

/** Whether a deletion can be undone; one of an essay on the shelf asks first. */
const isTrashable = ({ status }: ListedEssay): boolean =>
  status !== ESSAY_STATUS.onShelf && status !== ESSAY_STATUS.waiting;

function RowMenu({ essay }: { essay: ListedEssay }) {
  const { essayHref } = useHrefs();
  const { runAction, pin, remove } = useEssayActions(essay);
  const { run } = useOwnActs();
  const move = useLazyDialog(loadMoveDialog);
  const { id, title, status, pinned = false } = essay;
  return (
    <>
      <Menu label={`《${title}》的更多操作`} button={<Icon name="more" />}>
        {canEditEssay(essay) ? (
          <li>
            <Link to="/essay/edit.html" search={{ id }} target="_blank" rel="noopener">
              <Icon name="pen" small />
              编辑
            </Link>
          </li>
        ) : null}
        <li>
          <a href={essayHref(essay)}>
            <Icon name="eye" small />
            {status === ESSAY_STATUS.onShelf ? '查看' : '看排版'}
          </a>
        </li>
        {essayActionsOf(essay).map((each) => (
          <MenuItem
            key={each.label}
            icon={each.to === ESSAY_STATUS.onShelf ? 'upload' : 'refresh'}
            onClick={() => runAction(each)}
          >
            {each.label}
          </MenuItem>
        ))}
        {status === ESSAY_STATUS.onShelf ? (
          <MenuItem icon="pin" onClick={() => pin(!pinned)}>
            {pinned ? '取消置顶' : '置顶'}
          </MenuItem>
        ) : null}
        {status === ESSAY_STATUS.waiting ? null : (
          <MenuItem icon="book" onClick={move.open}>
            移到专栏…
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem
          icon="trash"
          onClick={() => (isTrashable(essay) ? run({ act: 'remove', ids: [id] }) : remove())}
        >
          删除
        </MenuItem>
      </Menu>
      {move.dialog({ count: 1, onMove: (columnId) => void run({ act: 'move', ids: [id], columnId }) })}
    </>
  );
}

export type EssayPlot = Output<'POST core/user/stat/plot'>['list'][number];

interface OwnEssayRowProps {
  essay: ListedEssay;
  /** Undefined until it is loaded. */
  plot: EssayPlot | undefined;
  /** Null while nothing is being selected. */
  selected: boolean | null;
  onSelect: (isSelected: boolean) => void;
}

/** The numbers that readers gave; nothing for an essay that was never public. */
function numbersOf(essay: ListedEssay, income: number): string[] {
  if (essay.publishedAt === null) return [];
  return [
    `${formatCount(essay.readCount)} 阅读`,
    `${formatCount(essay.likeCount)} 赞`,
    `${formatCount(essay.cmtCount)} 评论`,
    `${formatCount(essay.collectCount)} 收藏`,
    ...(income > 0 ? [`收入 ${formatYuan(income)}`] : []),
  ];
}

export function OwnEssayRow({ essay, plot, selected, onSelect }: OwnEssayRowProps) {
  const { essayHref } = useHrefs();
  const { id, title, status, revision = null, scheduledAt = null, pinned = false, rejection } = essay;
  const { name, tone } = statusLabels[status];
  const isDraft = status === ESSAY_STATUS.draft || status === ESSAY_STATUS.rejected;
  const shownTitle = title || '（还没有标题）';
  return (
    <article className={styles.item} data-selected={selected || undefined}>
      {selected === null ? null : (
        <input
          type="checkbox"
          className={styles.check}
          aria-label={`选择《${title}》`}
          checked={selected}
          onChange={({ target }) => onSelect(target.checked)}
        />
      )}
      <span className={styles.cover}>
        <Cover title={title} image={essay.cover} />
      </span>
      <div className={styles.words}>
        <h3>
          {isDraft ? (
            <Link
              to="/essay/edit.html"
              search={{ id }}
              target="_blank"
              rel="noopener"
              aria-label={`编辑《${title}》`}
            >
              {shownTitle}
            </Link>
          ) : (
            <a href={essayHref(essay)}>{shownTitle}</a>
          )}
        </h3>
        <div className={styles.facts}>
          <Badge tone={tone}>{name}</Badge>
          {pinned ? <PinnedBadge /> : null}
          {revision === null ? null : (
            <Badge tone={revision === ESSAY_STATUS.rejected ? 'bad' : 'warn'}>
              {revisionLabels[revision]}
            </Badge>
          )}
          <PriceBadges {...essay} />
          <ul className={styles.numbers}>
            <li>
              <RelativeTime at={essay.updatedAt} />
            </li>
            {scheduledAt !== null && status < ESSAY_STATUS.onShelf ? (
              <li>定于 {formatDateTime(scheduledAt).slice(0, 16)} 上架</li>
            ) : null}
            {isDraft ? <li>{formatCount(essay.wordCount)} 字</li> : null}
            {numbersOf(essay, plot?.income ?? 0).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
        {rejection === undefined ? null : <p className={styles.why}>驳回理由：{rejection}</p>}
      </div>
      <span className={styles.plot}>
        {plot === undefined || essay.publishedAt === null ? null : (
          <Sparkline label="近 30 天的阅读" values={plot.reads} />
        )}
      </span>
      <RowMenu essay={essay} />
    </article>
  );
}
