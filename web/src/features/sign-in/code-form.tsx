import { hasCode } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { AskForm, NotReceived } from '#web/features/credentials/ask-form.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormEnd } from '#web/features/credentials/form-end.tsx';
import { isPhone } from '#web/features/credentials/phone.ts';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Notice } from '#web/ui/notice.tsx';
import type { OnSignedIn } from './password-form.tsx';
import { codeWords, type Features } from './ways.ts';

interface CodeFormProps {
  features: Features;
  onSignedIn: OnSignedIn;
}

/** First the address or number, to which a code is sent; then the code, which signs in. */
export function CodeForm({ features, onSignedIn }: CodeFormProps) {
  const api = useApi();
  const [target, setTarget] = useState('');
  const { name, hint } = codeWords(features);
  if (target !== '')
    return <AnswerForm target={target} onSignedIn={onSignedIn} onBack={() => setTarget('')} />;
  return (
    <AskForm
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

interface AnswerFormProps {
  target: string;
  onSignedIn: OnSignedIn;
  onBack: () => void;
}

function AnswerForm({ target, onSignedIn, onBack }: AnswerFormProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  /** The account asks for the number of its authenticator as well. */
  const [asksTotp, setAsksTotp] = useState(false);
  const form = useForm({
    names: ['code', 'totp'],
    check: (values) =>
      missing(values, {
        code: '请填写 6 位验证码',
        ...(asksTotp ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ code, totp }) {
      try {
        const input = { purpose: 'login' as const, target, code, totp: totp || undefined };
        await onSignedIn(await send((challenge) => api('PUT core/account/code', { ...input, challenge })));
      } catch (error) {
        if (!hasCode(error, 'TOTP_REQUIRED')) throw error;
        setAsksTotp(true);
      }
    },
    place(error) {
      if (hasCode(error, 'WRONG_CODE')) return 'code';
      return hasCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });
  const { field, props } = form;
  return (
    <form className="stack gap-5" {...props}>
      <Notice>
        如果有账号绑定了 <strong>{target}</strong>，验证码已经发出，10 分钟内有效。
      </Notice>
      <CodeField
        {...field('code')}
        label="验证码"
        hint={isPhone(target) ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        autoFocus
      />
      {asksTotp ? (
        <CodeField {...field('totp')} label="动态验证码" hint="打开手机上的验证器应用查看" autoFocus />
      ) : null}
      <FormEnd form={form} large action="登录" doing="正在登录…" />
      <NotReceived onBack={onBack}>换个{isPhone(target) ? '手机号' : '邮箱'}或重新发送</NotReceived>
    </form>
  );
}
