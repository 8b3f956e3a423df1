import { ESSAY_STATUS, FLAG, IDENTITY } from '@mozhan/contract/enums.ts';
import type { EssayStatus, ListedEssay, RevisionStatus } from '@mozhan/contract/essays.ts';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { PriceBadges } from '#web/features/essays/badges.tsx';
import { EntrySkeleton } from '#web/features/essays/entry.tsx';
import type { EssayPages } from '#web/features/essays/essay-list.tsx';
import { formatCount, formatDateTime } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useCallPages } from '#web/lib/use-call-pages.ts';
import { Link, pathTo, usePlaces, useRouter } from '#web/router/router.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { InfiniteList } from '#web/ui/infinite-list.tsx';
import { LinkTabs } from '#web/ui/link-tabs.tsx';
import { NothingYet } from '#web/ui/nothing-yet.tsx';
import { Time } from '#web/ui/time.tsx';
import { actsOf, canEdit } from './own-acts.ts';
import styles from './own-essays.module.css';
import { useEssayActs } from './use-essay-acts.ts';

const states: Record<EssayStatus, { name: string; tone: 'plain' | 'info' | 'warn' | 'ok' | 'bad' }> = {
  [ESSAY_STATUS.draft]: { name: '草稿', tone: 'plain' },
  [ESSAY_STATUS.waiting]: { name: '待审核', tone: 'warn' },
  [ESSAY_STATUS.approved]: { name: '待上架', tone: 'info' },
  [ESSAY_STATUS.onShelf]: { name: '已上架', tone: 'ok' },
  [ESSAY_STATUS.offShelf]: { name: '已下架', tone: 'plain' },
  [ESSAY_STATUS.rejected]: { name: '已驳回', tone: 'bad' },
};

const revisionNames: Record<RevisionStatus, string> = {
  [ESSAY_STATUS.draft]: '修订未提交',
  [ESSAY_STATUS.waiting]: '修订待审核',
  [ESSAY_STATUS.rejected]: '修订被驳回',
};

const write = (
  <Link to="/essay/create.html" target="_blank" rel="noopener" className={buttonClass({ look: 'primary' })}>
    <Icon name="pen" small />
    写文章
  </Link>
);

/** Why the auditors sent it back. */
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

function Item({ essay }: { essay: ListedEssay }) {
  const { essayHref } = usePlaces();
  const { act, remove, isBusy } = useEssayActs(essay);
  const { id, title, status, revision = null, scheduledAt = null, updatedAt } = essay;
  const { name, tone } = states[status];
  return (
    <article className={styles.item}>
      <h3>
        <a href={essayHref(id)}>{title || '（还没有标题）'}</a>
      </h3>
      <div className={styles.facts}>
        <Badge tone={tone}>{name}</Badge>
        {revision === null ? null : (
          <Badge tone={revision === ESSAY_STATUS.rejected ? 'bad' : 'warn'}>{revisionNames[revision]}</Badge>
        )}
        <PriceBadges {...essay} />
        <span>
          <Time at={updatedAt} /> 改动
        </span>
        <span>{formatCount(essay.wordCount)} 字</span>
        {status === ESSAY_STATUS.onShelf ? <span>{formatCount(essay.readCount)} 阅读</span> : null}
        {scheduledAt !== null && status < ESSAY_STATUS.onShelf ? (
          <span>定于 {formatDateTime(scheduledAt).slice(0, 16)} 上架</span>
        ) : null}
      </div>
      {status === ESSAY_STATUS.rejected || revision === ESSAY_STATUS.rejected ? <Rejection id={id} /> : null}
      <div className={`flex wraps gap-2 ${styles.acts}`}>
        {canEdit(essay) ? (
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
        {actsOf(essay).map((each) => (
          <Button
            key={each.label}
            size="small"
            busy={isBusy}
            aria-label={`${each.label}《${title}》`}
            onClick={() => act(each)}
          >
            {each.label}
          </Button>
        ))}
        <Button look="danger" size="small" busy={isBusy} aria-label={`删除《${title}》`} onClick={remove}>
          删除
        </Button>
      </div>
    </article>
  );
}

const statusOf = (text: string | null): EssayStatus | undefined =>
  Object.values(ESSAY_STATUS).find((status) => String(status) === text);

const linkTo = (status?: number) =>
  pathTo({
    to: '/account/center.html',
    search: { status: status === undefined ? undefined : String(status) },
  });

function Shelf({ search }: { search: URLSearchParams }) {
  const { href } = useRouter();
  const status = statusOf(search.get('status'));
  const query = useCallPages('GET core/essay/', { mine: FLAG.on, ...(status !== undefined && { status }) });
  return (
    <section aria-labelledby="own-essays">
      <header className={styles.head}>
        <h2 id="own-essays">文章</h2>
        {write}
      </header>
      <LinkTabs
        label="按状态看"
        selected={String(status ?? '')}
        tabs={[
          { key: '', label: '全部', href: href(linkTo()) },
          ...Object.entries(states).map(([key, { name }]) => ({
            key,
            label: name,
            href: href(linkTo(Number(key))),
          })),
        ]}
      />
      <InfiniteList
        label="我的文章"
        query={query as UseInfiniteQueryResult<EssayPages>}
        item={(essay) => <Item essay={essay} />}
        skeleton={<EntrySkeleton />}
        empty={
          <NothingYet
            level="h3"
            title={status === undefined ? '还没有文章' : `没有${states[status].name}的文章`}
            text="写下的第一篇，会从草稿开始放在这里，想好了再发布。"
          />
        }
      />
    </section>
  );
}

/** One's own essays by their state, with what can be done to each; for a reader, how one becomes a writer. */
export function OwnEssays({ search }: { search: URLSearchParams }) {
  if (useCurrentUser()?.curIdentity === IDENTITY.writer) return <Shelf search={search} />;
  return (
    <NothingYet
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
