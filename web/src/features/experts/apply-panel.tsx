import { APPLICATION_STATUS, IDENTITY } from '@mozhan/contract/enums.ts';
import type { Application } from '@mozhan/contract/experts.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { formatDate } from '#web/lib/format.ts';
import { callQuery } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { ApplyForm } from './apply-form.tsx';
import styles from './apply-panel.module.css';
import { ApplySkeleton } from './apply-skeleton.tsx';

function AlreadyWriter({ application }: { application: Application | null }) {
  return (
    <div className="stack gap-5">
      <Alert tone="ok">
        {application?.status === APPLICATION_STATUS.approved
          ? `申请已在 ${formatDate(application.decidedAt)} 通过，你现在是作者了。`
          : '你已经是作者，不用再申请。'}
      </Alert>
      <p>
        点右上角的「写文章」就能开始：左边写 Markdown，右边是读者看到的样子。写好后提交，审核通过就会发布。
      </p>
      <div className="flex wraps gap-3">
        <Link to="/essay/create.html" className={buttonClass({ variant: 'primary' })}>
          写第一篇
        </Link>
        <Link to="/account/center.html" className={buttonClass()}>
          我的文章
        </Link>
      </div>
    </div>
  );
}

function SubmittedApplication({ application }: { application: Application }) {
  const { realName, field, intro, works, contact, createdAt } = application;
  return (
    <div className="stack gap-5">
      <Alert tone="info">
        申请已收到（
        <RelativeTime at={createdAt} />
        ），正在等工作人员处理。有了结果会通知你。
      </Alert>
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

/** Shows the reader's own application: the form, the waiting one, or the decision. */
export function ApplyPanel() {
  const api = useApi();
  const queryClient = useQueryClient();
  const user = useCurrentUser();
  const applicationQuery = callQuery(api, 'GET core/user/apply');
  const { data, error, refetch } = useQuery({ ...applicationQuery, enabled: user !== null });
  const isWriter = user?.curIdentity === IDENTITY.writer;
  const isUserOutdated = data?.status === APPLICATION_STATUS.approved && !isWriter;

  // The application was decided after this tab was opened, so the stored user is outdated.
  useEffect(() => {
    if (isUserOutdated)
      void queryClient.invalidateQueries({ queryKey: callQuery(api, 'GET core/user/').queryKey });
  }, [isUserOutdated, api, queryClient]);

  if (user === null) return null;
  if (isWriter) return <AlreadyWriter application={data ?? null} />;
  if (data === undefined)
    return error === null ? <ApplySkeleton /> : <LoadFailed level="h3" error={error} onRetry={refetch} />;
  if (data?.status === APPLICATION_STATUS.waiting) return <SubmittedApplication application={data} />;
  return (
    <div className="stack gap-5">
      {data?.status === APPLICATION_STATUS.refused ? (
        <Alert tone="warn">
          <p>
            {formatDate(data.decidedAt)} 的申请没有通过：{data.reason}
          </p>
          <p>改好以后可以再次提交。</p>
        </Alert>
      ) : null}
      <ApplyForm
        key={user.id}
        userId={user.id}
        previousApplication={data}
        onSubmitted={(application) => queryClient.setQueryData(applicationQuery.queryKey, application)}
        onOutdated={() => void queryClient.invalidateQueries({ queryKey: applicationQuery.queryKey })}
      />
    </div>
  );
}
