import type { SignIn } from '@mozhan/contract/sign-ins.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { callPagesQuery } from '#web/lib/queries.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { RelativeTime } from '#web/ui/time.tsx';
import settings from './settings.module.css';
import styles from './tokens.module.css';

const ways: Record<SignIn['via'], string> = {
  password: '密码登录',
  code: '验证码登录',
  qrcode: '扫码登录',
  register: '注册',
  change: '修改密码',
  reset: '重置密码',
  reauth: '再次验证身份',
  bind: '绑定邮箱或手机号',
  token: 'API 令牌',
};

const reasons: Record<NonNullable<SignIn['reason']>, string> = {
  password: '密码不对',
  totp: '动态验证码不对',
  code: '验证码不对',
  locked: '失败太多，暂时锁定',
  disabled: '账号已停用',
  qrcode: '二维码不属于那台设备',
  token: '令牌无效',
};

function SignInRow({ signIn: { via, reason, device, region, address, createdAt } }: { signIn: SignIn }) {
  return (
    <li className={settings.row}>
      <div>
        <h4>
          {ways[via]} {reason === null ? null : <Badge tone="bad">没有成功：{reasons[reason]}</Badge>}
        </h4>
        <p className={styles.facts}>
          <span>{device}</span>
          <span>{[region, address].filter((part) => part !== '').join(' · ')}</span>
          <span>
            <RelativeTime at={createdAt} />
          </span>
        </p>
      </div>
    </li>
  );
}

/** Recent sign-ins of the own account and failed attempts at it. */
export function SignInList() {
  const query = useInfiniteQuery(callPagesQuery(useApi(), 'GET core/account/sign-in/', { pageSize: 5 }));
  const { data, error, refetch } = query;
  const rows = data?.pages.flatMap(({ list }) => list) ?? [];
  if (data === undefined && error === null) return null;
  return (
    <section className={settings.part} aria-labelledby="sign-ins">
      <h3 id="sign-ins">登录记录</h3>
      <p>最近六个月登录你账号的尝试，包括没有成功的。有不是你做的？尽快修改密码。</p>
      {error === null ? null : <LoadFailed error={error} onRetry={refetch} />}
      {rows.length === 0 ? null : (
        <ul className={styles.list} aria-label="登录记录">
          {rows.map((signIn) => (
            <SignInRow key={signIn.id} signIn={signIn} />
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
