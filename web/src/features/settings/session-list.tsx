import { errorMessageOf } from '@mozhan/client/errors.ts';
import type { OwnSession } from '@mozhan/contract/sessions.ts';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import { toast } from '#web/ui/toast.tsx';
import settings from './settings.module.css';
import styles from './tokens.module.css';

const signInLabels: Record<OwnSession['via'], string> = {
  register: '注册',
  password: '密码登录',
  code: '验证码登录',
  qrcode: '扫码登录',
};

const locationOf = ({ region, address }: OwnSession): string =>
  [region, address].filter((part) => part !== '').join(' · ');

function SessionRow({ session, onEnded }: { session: OwnSession; onEnded: () => void }) {
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const { id, device, via, createdAt, usedAt, isCurrent } = session;

  async function endSession(): Promise<void> {
    const text = '它会立即退出，之后需要重新登录。';
    if (!(await confirm({ title: `退出「${device}」？`, text, action: '退出', danger: true }))) return;
    setBusy(true);
    try {
      await api('DELETE core/account/session/', { id });
      toast('已退出');
    } catch (error) {
      toast(`没能退出：${errorMessageOf(error)}`, 'bad');
    }
    setBusy(false);
    onEnded();
  }

  return (
    <li className={settings.row}>
      <div>
        <h4>
          {device} {isCurrent ? <Badge tone="ok">这台设备</Badge> : null}
        </h4>
        <p>{locationOf(session)}</p>
        <p className={styles.facts}>
          <span>
            {isCurrent ? (
              '正在使用'
            ) : (
              <>
                <RelativeTime at={usedAt} />
                用过
              </>
            )}
          </span>
          <span>
            {signInLabels[via]} · <RelativeTime at={createdAt} />
          </span>
        </p>
      </div>
      {isCurrent ? null : (
        <Button size="small" busy={busy} aria-label={`退出 ${device}`} onClick={endSession}>
          退出
        </Button>
      )}
    </li>
  );
}

const SessionsSkeleton = () => (
  <section className={settings.part}>
    <div aria-hidden="true" className={settings.form}>
      {(['50', '70', '30'] as const).map((width) => (
        <Skeleton key={width} width={width} height="m" />
      ))}
    </div>
    <p className="sr" role="status">
      正在载入…
    </p>
  </section>
);

export function SessionList() {
  const api = useApi();
  const queryClient = useQueryClient();
  const options = callPagesQuery(api, 'GET core/account/session/');
  const query = useInfiniteQuery(options);
  const { data, error, refetch } = query;
  const [busy, setBusy] = useState(false);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: options.queryKey });

  async function endOthers(): Promise<void> {
    const isConfirmed = await confirm({
      title: '退出其他设备？',
      text: '这台设备以外的都会立即退出，之后需要重新登录。',
      action: '退出其他设备',
      danger: true,
    });
    if (!isConfirmed) return;
    setBusy(true);
    try {
      await api('DELETE core/account/session/', {});
      toast('其他设备都已退出');
    } catch (error) {
      toast(`没能退出：${errorMessageOf(error)}`, 'bad');
    }
    setBusy(false);
    refresh();
  }

  if (data === undefined && error === null) return <SessionsSkeleton />;
  const rows = data?.pages.flatMap(({ list }) => list) ?? [];
  const others = (data?.pages[0]?.total ?? 1) - 1;
  return (
    <section className={settings.part} aria-labelledby="sessions">
      <div className={styles.head}>
        <h3 id="sessions">登录的设备</h3>
        {others > 0 ? (
          <Button busy={busy} onClick={endOthers}>
            退出其他设备
          </Button>
        ) : null}
      </div>
      <p>{others > 0 ? '有不认识的设备？让它退出，然后修改密码。' : '除了这台设备，你没有在别处登录。'}</p>
      {error === null ? null : <LoadFailed error={error} onRetry={refetch} />}
      {rows.length === 0 ? null : (
        <ul className={styles.list} aria-label="登录的设备">
          {rows.map((session) => (
            <SessionRow key={session.id} session={session} onEnded={refresh} />
          ))}
        </ul>
      )}
      {query.hasNextPage ? (
        <div className={styles.more}>
          <Button block busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            显示更多
          </Button>
        </div>
      ) : null}
    </section>
  );
}
