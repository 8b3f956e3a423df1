import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { isPhone } from '#web/features/credentials/phone.ts';
import { CodeNotReceived, RequestCodeForm } from '#web/features/credentials/request-code-form.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { codeFieldLabels, type SiteFeatures } from './field-labels.ts';
import type { OnSignedIn } from './password-form.tsx';

interface CodeFormProps {
  features: SiteFeatures;
  onSignedIn: OnSignedIn;
}

/** First asks for the address or number, to which a code is sent; then for the code, which signs in. */
export function CodeForm({ features, onSignedIn }: CodeFormProps) {
  const api = useApi();
  const [target, setTarget] = useState('');
  const { name, hint } = codeFieldLabels(features);
  if (target !== '')
    return <CodeEntryForm target={target} onSignedIn={onSignedIn} onBack={() => setTarget('')} />;
  return (
    <RequestCodeForm
      name="target"
      label={name}
      inputMode={features.mail ? 'email' : 'tel'}
      autoComplete={features.mail ? 'username' : 'tel'}
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      hint={hint}
      large
      send={(target, challenge) => api('POST core/account/code', { purpose: 'login', target, challenge })}
      onSent={setTarget}
    />
  );
}

interface CodeEntryFormProps {
  target: string;
  onSignedIn: OnSignedIn;
  onBack: () => void;
}

function CodeEntryForm({ target, onSignedIn, onBack }: CodeEntryFormProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  /** The account has two-factor authentication. */
  const [needsTotp, setNeedsTotp] = useState(false);
  const form = useForm({
    names: ['code', 'totp'],
    check: (values) =>
      requiredFieldErrors(values, {
        code: '请填写 6 位验证码',
        ...(needsTotp ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ code, totp }) {
      try {
        const input = { purpose: 'login' as const, target, code, totp: totp || undefined };
        await onSignedIn(await send((challenge) => api('PUT core/account/code', { ...input, challenge })));
      } catch (error) {
        if (!hasErrorCode(error, 'TOTP_REQUIRED')) throw error;
        setNeedsTotp(true);
      }
    },
    fieldOfError(error) {
      if (hasErrorCode(error, 'WRONG_CODE')) return 'code';
      return hasErrorCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });
  const { field, props } = form;
  return (
    <form className="stack gap-5" {...props}>
      <Alert>
        如果有账号绑定了 <strong>{target}</strong>，验证码已经发出，10 分钟内有效。
      </Alert>
      <CodeField
        {...field('code')}
        label="验证码"
        hint={isPhone(target) ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        autoFocus
      />
      {needsTotp ? (
        <CodeField {...field('totp')} label="动态验证码" hint="打开手机上的验证器应用查看" autoFocus />
      ) : null}
      <FormFooter form={form} large action="登录" busyLabel="正在登录…" />
      <CodeNotReceived onBack={onBack}>换个{isPhone(target) ? '手机号' : '邮箱'}或重新发送</CodeNotReceived>
    </form>
  );
}
