import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import type { Output } from '@mozhan/contract/client.ts';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { useApi } from '#web/lib/app-context.ts';
import { formatDateTime } from '#web/lib/format.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { SkeletonLines } from '#web/ui/loading-skeleton.tsx';
import styles from './undo-account-change.module.css';

type Change = Output<'POST core/account/change'>;

const changeDescriptions: Record<Change['kind'], (value: string) => string> = {
  email: (value) => `绑定了邮箱 ${value}`,
  phone: (value) => `绑定了手机号 ${value}`,
  'totp-on': () => '开启了两步验证',
  'totp-off': () => '关闭了两步验证',
  token: (value) => `新建了 API 令牌「${value}」`,
  password: () => '修改了密码',
};

export const UndoAccountChangeSkeleton = () => (
  <div className={styles.panel}>
    <h1>这不是我本人操作</h1>
    <p className="sr" role="status">
      正在载入…
    </p>
    <SkeletonLines lines={['82', '70', '100 l']} />
  </div>
);

function UndoRefused({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const needsSignIn = hasErrorCode(error, 'SIGN_IN_REQUIRED');
  const isInvalid = hasErrorCode(error, 'GONE', 'NOT_FOUND', 'INVALID');
  return (
    <div className={styles.panel}>
      <h1>{needsSignIn ? '请先登录' : isInvalid ? '链接不能用了' : '没能打开'}</h1>
      <Alert tone="warn">
        {needsSignIn
          ? '从站内通知打开这一页要先登录，再点一次通知；从邮件里的链接打开则不用。'
          : isInvalid
            ? '它已经用过、已过期，或者没有复制完整。如果担心账号安全，请重置密码，所有设备会随之退出。'
            : errorMessageOf(error)}
      </Alert>
      {needsSignIn ? (
        <Link
          to="/login.html"
          search={{ redirect: '/account/center.html?tab=notice' }}
          className={buttonClass({ variant: 'primary', size: 'large', block: true })}
        >
          登录
        </Link>
      ) : isInvalid ? (
        <Link
          to="/login.html"
          search={{ mode: 'reset' }}
          className={buttonClass({ size: 'large', block: true })}
        >
          重置密码
        </Link>
      ) : (
        <Button size="large" block onClick={onRetry}>
          再试一次
        </Button>
      )}
    </div>
  );
}

function UndoDone({ reset }: { reset: boolean }) {
  return (
    <div className={styles.panel}>
      {/* The pressed button is gone, so the focus moves here and screen readers announce the result. */}
      <h1 tabIndex={-1} ref={(heading) => heading?.focus()}>
        已撤销
      </h1>
      <Alert tone="ok">所有设备和 API 令牌已退出，24 小时内不能再做同样的变更。</Alert>
      <p>
        {reset
          ? '原来的密码不能再用了。请用原来的邮箱或手机号设置一个新密码，再登录。'
          : '账号里没有别的邮箱或手机号，所以密码没有变。请登录后马上修改密码。'}
      </p>
      <Link
        to="/login.html"
        search={reset ? { mode: 'reset' } : {}}
        className={buttonClass({ variant: 'primary', size: 'large', block: true })}
      >
        {reset ? '设置新密码' : '去登录'}
      </Link>
    </div>
  );
}

interface UndoAccountChangeProps {
  /** From the link in the mail. */
  token: string;
  /** From the notice on the site, for signed-in users. */
  id: string;
}

/** Shows a change of the account and lets its owner undo it. */
export function UndoAccountChange({ token, id }: UndoAccountChangeProps) {
  const api = useApi();
  const changeRef = token === '' ? { id } : { token };
  const { data, error, refetch } = useQuery({
    queryKey: ['account-change', changeRef],
    queryFn: () => api('POST core/account/change', changeRef),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  const withReauth = useReauth();
  const undo = useMutation({ mutationFn: () => withReauth(() => api('PUT core/account/change', changeRef)) });

  if (undo.data !== undefined) return <UndoDone reset={undo.data.reset} />;
  const failure = undo.error ?? error;
  if (failure !== null)
    return (
      <UndoRefused error={failure} onRetry={() => (undo.error === null ? void refetch() : undo.reset())} />
    );
  if (data === undefined) return <UndoAccountChangeSkeleton />;
  return (
    <div className={styles.panel}>
      <h1>这不是我本人操作</h1>
      <p>
        你的账号<strong>{changeDescriptions[data.kind](data.value)}</strong>。
      </p>
      <dl className={`sunken stack gap-2 ${styles.facts}`}>
        <div>
          <dt>时间</dt>
          <dd>{formatDateTime(data.at)}</dd>
        </div>
        <div>
          <dt>设备</dt>
          <dd>{[data.device, data.place].filter(Boolean).join('，')}</dd>
        </div>
      </dl>
      <div>
        <p>如果不是你本人，确认之后：</p>
        <ul className={`stack gap-2 ink-2 ${styles.effects}`}>
          <li>这次、之后以及同一次登录一天内的变更全部撤销；两步验证保持现在的样子。</li>
          <li>所有设备和 API 令牌立即退出。</li>
          <li>要用原来的邮箱或手机号重置密码。</li>
        </ul>
      </div>
      <Button variant="primary" size="large" block busy={undo.isPending} onClick={() => undo.mutate()}>
        {undo.isPending ? '正在撤销…' : '不是我，确认撤销'}
      </Button>
      <p className="ink-3 text-s text-center">是你本人操作的？关掉这一页就好，什么都不会变。</p>
    </div>
  );
}
