import { ESSAY_STATUS, FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { EssayStatus, ListedEssay, RevisionStatus } from '@mozhan/contract/essays.ts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { PinnedBadge, PriceBadges } from '#web/features/essays/badges.tsx';
import { EssayEntrySkeleton } from '#web/features/essays/essay-entry.tsx';
import type { EssayPages } from '#web/features/essays/essay-list.tsx';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Link, pathTo, useHrefs, useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyList } from '#web/ui/empty-list.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { canEditEssay, essayActionsOf } from './essay-actions.ts';
import styles from './own-essays.module.css';
import { useEssayActions } from './use-essay-actions.ts';

const statusLabels: Record<EssayStatus, { name: string; tone: 'plain' | 'info' | 'warn' | 'ok' | 'bad' }> = {
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

const writeLink = (
  <Link
    to="/essay/create.html"
    target="_blank"
    rel="noopener"
    className={buttonClass({ variant: 'primary' })}
  >
    <Icon name="pen" small />
    写文章
  </Link>
);

function Rejection({ id }: { id: string }) {
  const { rejection } = useCall('GET core/essay/{id}/source', { id }).data ?? {};
  if (!rejection) return null;
  return (
    <p className={`flex gap-2 text-m ${styles.reason}`}>
      <Icon name="warn" small />
      驳回理由：{rejection.reason}
    </p>
  );
}

function OwnEssayRow({ essay }: { essay: ListedEssay }) {
  const { essayHref } = useHrefs();
  const { runAction, pin, remove, isBusy } = useEssayActions(essay);
  const { id, title, status, revision = null, scheduledAt = null, updatedAt, pinned = false } = essay;
  const { name, tone } = statusLabels[status];
  return (
    <article className={styles.item}>
      <h3>
        <a href={essayHref(essay)}>{title || '（还没有标题）'}</a>
      </h3>
      <div className={styles.facts}>
        <Badge tone={tone}>{name}</Badge>
        {pinned ? <PinnedBadge /> : null}
        {revision === null ? null : (
          <Badge tone={revision === ESSAY_STATUS.rejected ? 'bad' : 'warn'}>{revisionLabels[revision]}</Badge>
        )}
        <PriceBadges {...essay} />
        <span>
          <RelativeTime at={updatedAt} /> 改动
        </span>
        <span>{formatCount(essay.wordCount)} 字</span>
        {status === ESSAY_STATUS.onShelf ? <span>{formatCount(essay.readCount)} 阅读</span> : null}
        {scheduledAt !== null && status < ESSAY_STATUS.onShelf ? (
          <span>定于 {formatDateTime(scheduledAt).slice(0, 16)} 上架</span>
        ) : null}
      </div>
      {status === ESSAY_STATUS.rejected || revision === ESSAY_STATUS.rejected ? <Rejection id={id} /> : null}
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {canEditEssay(essay) ? (
          <Link
            to="/essay/edit.html"
            search={{ id }}
            target="_blank"
            rel="noopener"
            className={buttonClass({ size: 'small' })}
            aria-label={`编辑《${title}》`}
          >
            编辑
          </Link>
        ) : null}
        {essayActionsOf(essay).map((each) => (
          <Button
            key={each.label}
            size="small"
            busy={isBusy}
            aria-label={`${each.label}《${title}》`}
            onClick={() => runAction(each)}
          >
            {each.label}
          </Button>
        ))}
        {status === ESSAY_STATUS.onShelf ? (
          <Button
            size="small"
            busy={isBusy}
            aria-label={`${pinned ? '取消置顶' : '置顶'}《${title}》`}
            onClick={() => pin(!pinned)}
          >
            {pinned ? '取消置顶' : '置顶'}
          </Button>
        ) : null}
        <Button variant="danger" size="small" busy={isBusy} aria-label={`删除《${title}》`} onClick={remove}>
          删除
        </Button>
      </div>
    </article>
  );
}

const parseStatus = (text: string | null): EssayStatus | undefined =>
  Object.values(ESSAY_STATUS).find((status) => String(status) === text);

const ownEssaysPath = (status?: number) =>
  pathTo({
    to: '/account/center.html',
    search: { status: status === undefined ? undefined : String(status) },
  });

function OwnEssayList({ search }: { search: URLSearchParams }) {
  const { href } = useRouter();
  const status = parseStatus(search.get('status'));
  const query = useCallPages('GET core/essay/', { mine: FLAG.on, ...(status !== undefined && { status }) });
  return (
    <section aria-labelledby="own-essays">
      <header className={styles.head}>
        <h2 id="own-essays">文章</h2>
        {writeLink}
      </header>
      <LinkTabs
        label="按状态看"
        selected={String(status ?? '')}
        tabs={[
          { key: '', label: '全部', href: href(ownEssaysPath()) },
          ...Object.entries(statusLabels).map(([key, { name }]) => ({
            key,
            label: name,
            href: href(ownEssaysPath(Number(key))),
          })),
        ]}
      />
      <InfiniteList
        label="我的文章"
        query={query as UseInfiniteQueryResult<EssayPages>}
        renderItem={(essay) => <OwnEssayRow essay={essay} />}
        skeleton={<EssayEntrySkeleton />}
        empty={
          <EmptyList
            level="h3"
            title={status === undefined ? '还没有文章' : `没有${statusLabels[status].name}的文章`}
            text="写下的第一篇，会从草稿开始放在这里，想好了再发布。"
          />
        }
      />
    </section>
  );
}

/** The user's essays by status, with their actions; readers see how to become a writer. */
export function OwnEssays({ search }: { search: URLSearchParams }) {
  if (useCurrentUser()?.curIdentity === IDENTITY.writer) return <OwnEssayList search={search} />;
  return (
    <EmptyList
      title="你还不是作者"
      actions={
        <Link to="/apply.html" className={buttonClass()}>
          看看怎样成为作者
        </Link>
      }
      text="写文章的资格通过专家申请获得。通过以后，你的草稿和文章都会放在这里。"
    />
  );
}
