import { APPLICATION_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { Application } from '@mozhan/contract/experts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatDate } from '#web/lib/format.ts';
import { call } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { ApplyForm } from './apply-form.tsx';
import styles from './apply-panel.module.css';
import { ApplyWaiting } from './apply-waiting.tsx';

/** How to begin, for whoever may. */
function Begin({ application }: { application: Application | null }) {
  return (
    <div className="stack gap-5">
      <Notice tone="ok">
        {application?.status === APPLICATION_STATUS.approved
          ? `申请已在 ${formatDate(application.decidedAt)} 通过，你现在是作者了。`
          : '你已经是作者，不用再申请。'}
      </Notice>
      <p>
        点右上角的「写文章」就能开始：左边写 Markdown，右边是读者看到的样子。写好后提交，审核通过就会发布。
      </p>
      <div className="flex wraps gap-3">
        <Link to="/essay/create.html" className={buttonClass({ look: 'primary' })}>
          写第一篇
        </Link>
        <Link to="/account/center.html" className={buttonClass()}>
          我的文章
        </Link>
      </div>
    </div>
  );
}

function Waiting({ application }: { application: Application }) {
  const { realName, field, intro, works, contact, createdAt } = application;
  return (
    <div className="stack gap-5">
      <Notice tone="info">
        申请已收到（
        <Time at={createdAt} />
        ），正在等工作人员处理。有了结果会通知你。
      </Notice>
      <dl className={styles.sent}>
        <dt>姓名</dt>
        <dd>{realName}</dd>
        <dt>联系方式</dt>
        <dd>{contact}</dd>
        <dt>擅长领域</dt>
        <dd>{field}</dd>
        <dt>自我介绍</dt>
        <dd className={styles.lines}>{intro}</dd>
        {works.length === 0 ? null : (
          <>
            <dt>代表作</dt>
            <dd>
              {works.map((work) => (
                <a key={work} className="link" href={work} target="_blank" rel="nofollow noopener noreferrer">
                  {work}
                </a>
              ))}
            </dd>
          </>
        )}
      </dl>
    </div>
  );
}

/** The reader's own application: to be made, waiting, or decided. */
export function ApplyPanel() {
  const api = useApi();
  const queryClient = useQueryClient();
  const user = useCurrentUser();
  const own = call(api, 'GET core/user/apply');
  const { data, error, refetch } = useQuery({ ...own, enabled: user !== null });
  const isWriter = user?.curIdentity === IDENTITY.writer;
  const isBehind = data?.status === APPLICATION_STATUS.approved && !isWriter;

  // Decided since this tab was opened: what is known of the reader is out of date.
  useEffect(() => {
    if (isBehind) void queryClient.invalidateQueries({ queryKey: call(api, 'GET core/user/').queryKey });
  }, [isBehind, api, queryClient]);

  if (user === null) return null;
  if (isWriter) return <Begin application={data ?? null} />;
  if (data === undefined)
    return error === null ? <ApplyWaiting /> : <LoadFailed level="h3" error={error} onRetry={refetch} />;
  if (data?.status === APPLICATION_STATUS.waiting) return <Waiting application={data} />;
  return (
    <div className="stack gap-5">
      {data?.status === APPLICATION_STATUS.refused ? (
        <Notice tone="warn">
          <p>
            {formatDate(data.decidedAt)} 的申请没有通过：{data.reason}
          </p>
          <p>改好以后可以再次提交。</p>
        </Notice>
      ) : null}
      <ApplyForm
        key={user.id}
        userId={user.id}
        before={data}
        onSent={(application) => queryClient.setQueryData(own.queryKey, application)}
        onRefused={() => void queryClient.invalidateQueries({ queryKey: own.queryKey })}
      />
    </div>
  );
}
