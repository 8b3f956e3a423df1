import { hasCode } from '@mozhan/client/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useState } from 'react';
import { AccountField } from '#web/features/credentials/account-field.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormEnd } from '#web/features/credentials/form-end.tsx';
import { tidyTarget } from '#web/features/credentials/phone.ts';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Link } from '#web/router/router.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import type { Features } from './ways.ts';

/** With the password where one was typed: a first password is to be changed at once. */
export type OnSignedIn = (user: CurrentUser, password?: string) => Promise<void>;

interface PasswordFormProps {
  onSignedIn: OnSignedIn;
  carry: Record<string, string | undefined>;
  features: Features;
}

export function PasswordForm({ onSignedIn, carry, features }: PasswordFormProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  /** The account asks for the number of its authenticator as well. */
  const [asksCode, setAsksCode] = useState(false);
  const [proving, setProving] = useState(false);

  const form = useForm({
    names: ['account', 'password', 'totp'],
    check: (values) =>
      missing(values, {
        account: '请填写账号',
        password: '请填写密码',
        ...(asksCode ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ account, password, totp }) {
      try {
        const user = await send((challenge) => {
          setProving(challenge !== undefined);
          return api('POST core/account/login', {
            account: tidyTarget(account),
            password,
            totp: totp || undefined,
            challenge,
          });
        });
        await onSignedIn(user, password);
      } catch (error) {
        if (!hasCode(error, 'TOTP_REQUIRED')) throw error;
        setAsksCode(true);
      } finally {
        setProving(false);
      }
    },
    place(error) {
      if (hasCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED')) return 'password';
      return hasCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });

  const forgotten =
    features.mail || features.sms ? (
      <Link className="link" to="/login.html" search={{ ...carry, mode: 'reset' }}>
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
        aside={forgotten}
      />
      {asksCode ? (
        <CodeField {...form.field('totp')} label="动态验证码" hint="打开手机上的验证器应用查看" autoFocus />
      ) : null}
      <FormEnd form={form} large action="登录" doing={proving ? '正在做安全验证…' : '正在登录…'} />
    </form>
  );
}
