import { hasErrorCode } from '@mozhan/client/errors.ts';
import { queryFilterOf } from '@mozhan/client/query-filter.ts';
import { clearSession } from '@mozhan/client/session.ts';
import { FLAG } from '@mozhan/contract/enums.ts';
import { formatYuan } from '@mozhan/contract/money.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import type { Wallet } from '@mozhan/contract/wallet.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { resetPersonalQueries } from '#web/features/sign-in/reset-personal-queries.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { formatShortDate } from '#web/lib/format.ts';
import { useCall } from '#web/lib/queries.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { confirm } from '#web/ui/confirm.tsx';
import { FieldError, PasswordField } from '#web/ui/field.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { notify } from '#web/ui/toast.tsx';
import styles from './account-closing.module.css';

/** 2026-12-01… becomes 12 月 1 日. */
const formatDay = (at: string): string => formatShortDate(at).replace(/^\d+-(\d+)-(\d+)$/, '$1 月 $2 日');

/** A balance can be negative after refunds; then there is nothing to waive. */
const remainingSums = ({ balance, earnings }: Wallet): string[] => [
  ...(balance > 0 ? [`余额 ${formatYuan(balance)}`] : []),
  ...(earnings > 0 ? [`收益 ${formatYuan(earnings)}`] : []),
];

const WAIVE_ERROR = 'waive-error';

interface WaiveFieldProps {
  sums: readonly string[];
  checked: boolean;
  error: string | undefined;
  onChange: (checked: boolean) => void;
}

const WaiveField = ({ sums, checked, error, onChange }: WaiveFieldProps) => (
  <div className={styles.waive}>
    <Alert tone="warn">钱包里还有{sums.join('、')}，注销以后拿不回来。可以先处理好，再来注销。</Alert>
    <label>
      <input
        type="checkbox"
        name="waive"
        required
        checked={checked}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? WAIVE_ERROR : undefined}
        onChange={({ target }) => onChange(target.checked)}
      />
      放弃{sums.join('与')}
    </label>
    <FieldError id={WAIVE_ERROR} error={error} />
  </div>
);

interface ClosingFormProps {
  me: CurrentUser;
  wallet: Wallet;
}

/** Signs in again to prove the user's identity, then closes the account. */
function ClosingForm({ me: { account, totpOn }, wallet }: ClosingFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const { send } = useChallenge(api);
  const [needsTotp, setNeedsTotp] = useState(totpOn);
  const [waived, setWaived] = useState(false);
  /** True after the confirmation. */
  const [isClosing, setClosing] = useState(false);
  const sums = remainingSums(wallet);

  async function close(password: string, totp: string): Promise<void> {
    await send((challenge) =>
      api('POST core/account/login', { account, password, totp: totp || undefined, challenge }),
    );
    const { closesAt } = await api('DELETE core/account/', waived ? { waive: FLAG.on } : {});
    // The route requires sign-in, so the router leads to the login page.
    clearSession();
    resetPersonalQueries(queryClient);
    notify({ tone: 'ok', title: `账号将在 ${formatDay(closesAt)}注销`, text: '其间登录即撤销。' });
  }

  const { busy, errors, formError, field, props } = useForm({
    names: ['waive', 'password', 'totp'],
    check: (values) =>
      requiredFieldErrors(values, {
        password: '请填写密码',
        ...(needsTotp ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ password, totp }) {
      const isConfirmed = await confirm({
        title: '注销账号？',
        text: '所有设备立即退出；15 天后账号注销，不能恢复。',
        action: '注销账号',
        danger: true,
      });
      if (!isConfirmed) return;
      setClosing(true);
      try {
        await close(password, totp);
      } catch (error) {
        if (hasErrorCode(error, 'TOTP_REQUIRED')) return setNeedsTotp(true);
        // The wallet has changed since it was loaded.
        if (hasErrorCode(error, 'INVALID'))
          await queryClient.invalidateQueries(queryFilterOf('GET core/user/wallet'));
        throw error;
      } finally {
        setClosing(false);
      }
    },
    fieldOfError(error) {
      if (hasErrorCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED')) return 'password';
      return hasErrorCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });

  return (
    <form className="stack gap-5" {...props}>
      <input type="hidden" name="username" autoComplete="username" value={account} readOnly />
      {sums.length === 0 ? null : (
        <WaiveField sums={sums} checked={waived} error={errors.waive} onChange={setWaived} />
      )}
      <PasswordField
        {...field('password')}
        label="登录密码"
        autoComplete="current-password"
        hint="确认是你本人"
      />
      {needsTotp ? (
        <CodeField
          {...field('totp')}
          label="动态验证码"
          hint="打开验证器应用查看，每个只能用一次"
          autoFocus={!totpOn}
        />
      ) : null}
      {formError ? <Alert tone="bad">{formError}</Alert> : null}
      <div className={styles.last}>
        <Button
          type="submit"
          variant="danger"
          size="large"
          block
          busy={busy}
          disabled={sums.length > 0 && !waived}
        >
          {isClosing ? '正在注销…' : '注销账号'}
        </Button>
      </div>
    </form>
  );
}

function ClosingStep({ me }: { me: CurrentUser }) {
  const { data, error, refetch } = useCall('GET core/user/wallet');
  if (me.access === 'admin')
    return <Alert tone="warn">你还有后台的角色，请先让管理员收回，再注销账号。</Alert>;
  if (data === undefined)
    return error === null ? (
      <p role="status">正在查询钱包…</p>
    ) : (
      <LoadFailed level="h3" error={error} onRetry={refetch} />
    );
  if (data.withdrawing > 0)
    return (
      <Alert tone="warn">还有 {formatYuan(data.withdrawing)} 正在提现，等打款或退回以后才能注销。</Alert>
    );
  return <ClosingForm me={me} wallet={data} />;
}

interface AccountClosingProps {
  me: CurrentUser;
  onDownload: () => void;
}

export const AccountClosing = ({ me, onDownload }: AccountClosingProps) => (
  <div className="stack gap-5">
    <ul className={`stack gap-1-5 ink-2 text-m ${styles.facts}`}>
      <li>所有设备立即退出。</li>
      <li>15 天内登录即撤销。</li>
      <li>
        之后不能恢复：昵称、头像与资料清除，评论的文字清除，文章下架，关注与收藏删除，账号名可由他人注册。
      </li>
      <li>订单与账目依法保留。</li>
      <li>
        建议先
        <button type="button" className="link" onClick={onDownload}>
          下载我的数据
        </button>
        。
      </li>
    </ul>
    <ClosingStep me={me} />
  </div>
);
