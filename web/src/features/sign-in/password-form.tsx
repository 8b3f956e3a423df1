import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useState } from 'react';
import { AccountField } from '#web/features/credentials/account-field.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { normalizeTarget } from '#web/features/credentials/phone.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Link } from '#web/router/router.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import type { SiteFeatures } from './field-labels.ts';

/** `password` is passed when it was typed, because an initial password must be changed at once. */
export type OnSignedIn = (user: CurrentUser, password?: string) => Promise<void>;

interface PasswordFormProps {
  onSignedIn: OnSignedIn;
  linkSearch: Record<string, string | undefined>;
  features: SiteFeatures;
}

export function PasswordForm({ onSignedIn, linkSearch, features }: PasswordFormProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  /** The account has two-factor authentication. */
  const [needsTotp, setNeedsTotp] = useState(false);
  const [isProving, setProving] = useState(false);

  const form = useForm({
    names: ['account', 'password', 'totp'],
    check: (values) =>
      requiredFieldErrors(values, {
        account: '请填写账号',
        password: '请填写密码',
        ...(needsTotp ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ account, password, totp }) {
      try {
        const user = await send((challenge) => {
          setProving(challenge !== undefined);
          return api('POST core/account/login', {
            account: normalizeTarget(account),
            password,
            totp: totp || undefined,
            challenge,
          });
        });
        await onSignedIn(user, password);
      } catch (error) {
        if (!hasErrorCode(error, 'TOTP_REQUIRED')) throw error;
        setNeedsTotp(true);
      } finally {
        setProving(false);
      }
    },
    fieldOfError(error) {
      if (hasErrorCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED')) return 'password';
      return hasErrorCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });

  const resetLink =
    features.mail || features.sms ? (
      <Link className="link" to="/login.html" search={{ ...linkSearch, mode: 'reset' }}>
        忘记密码？
      </Link>
    ) : undefined;
  return (
    <form className="stack gap-5" {...form.props}>
      <AccountField
        {...form.field('account')}
        {...(features.sms ? { placeholder: '用户名、邮箱或手机号' } : {})}
      />
      <PasswordField
        {...form.field('password')}
        label="密码"
        autoComplete="current-password"
        aside={resetLink}
      />
      {needsTotp ? (
        <CodeField {...form.field('totp')} label="动态验证码" hint="打开手机上的验证器应用查看" autoFocus />
      ) : null}
      <FormFooter form={form} large action="登录" busyLabel={isProving ? '正在进行安全验证…' : '正在登录…'} />
    </form>
  );
}
