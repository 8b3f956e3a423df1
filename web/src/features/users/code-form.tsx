import { hasCode } from '@mozhan/client/errors.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { createChallengeSolver, sendWithChallenge } from './challenge.ts';
import { CodeField } from './code-field.tsx';
import type { OnSignedIn } from './password-form.tsx';
import { isPhone, tidyTarget } from './phone.ts';
import { codeWords, type Features } from './ways.ts';

interface CodeFormProps {
  features: Features;
  onSignedIn: OnSignedIn;
}

/** First the address or number, to which a code is sent; then the code, which signs in. */
export function CodeForm({ features, onSignedIn }: CodeFormProps) {
  const [target, setTarget] = useState('');
  return target === '' ? (
    <AskForm features={features} onSent={setTarget} />
  ) : (
    <AnswerForm target={target} onSignedIn={onSignedIn} onBack={() => setTarget('')} />
  );
}

function AskForm({ features, onSent }: { features: Features; onSent: (target: string) => void }) {
  const api = useApi();
  const solver = useRef(createChallengeSolver(api));
  const { name, hint } = codeWords(features);
  const { busy, errors, problem, props } = useForm({
    names: ['target'],
    check: (values) => missing(values, { target: `请填写${name}` }),
    async submit(values) {
      const target = tidyTarget(values.target);
      const first = await solver.current.take();
      await sendWithChallenge(
        solver.current,
        (challenge) => api('POST core/account/code', { purpose: 'login', target, challenge }),
        first,
      );
      onSent(target);
    },
  });
  return (
    <form className="stack gap-5" {...props} onFocus={() => solver.current.prepare()}>
      <Field
        name="target"
        label={name}
        inputMode={features.mail ? 'email' : 'tel'}
        autoComplete={features.mail ? 'username' : 'tel'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
        hint={hint}
        error={errors.target}
      />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {busy ? '正在发送…' : '发送验证码'}
      </Button>
    </form>
  );
}

interface AnswerFormProps {
  target: string;
  onSignedIn: OnSignedIn;
  onBack: () => void;
}

function AnswerForm({ target, onSignedIn, onBack }: AnswerFormProps) {
  const api = useApi();
  const solver = useRef(createChallengeSolver(api));
  /** The account asks for the number of its authenticator as well. */
  const [asksTotp, setAsksTotp] = useState(false);
  const { busy, errors, problem, props } = useForm({
    names: ['code', 'totp'],
    check: (values) =>
      missing(values, {
        code: '请填写 6 位验证码',
        ...(asksTotp ? { totp: '请填写 6 位动态验证码' } : {}),
      }),
    async submit({ code, totp }) {
      try {
        const input = { purpose: 'login' as const, target, code, totp: totp || undefined };
        const user = await sendWithChallenge(solver.current, (challenge) =>
          api('PUT core/account/code', { ...input, challenge }),
        );
        await onSignedIn(user);
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
  const what = isPhone(target) ? '手机号' : '邮箱';
  return (
    <form className="stack gap-5" {...props}>
      <Notice>
        如果有账号绑定了 <strong>{target}</strong>，验证码已经发出，10 分钟内有效。
      </Notice>
      <CodeField
        label="验证码"
        hint={isPhone(target) ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        error={errors.code}
        autoFocus
      />
      {asksTotp ? (
        <CodeField
          name="totp"
          label="动态验证码"
          hint="打开手机上的验证器应用查看"
          error={errors.totp}
          autoFocus
        />
      ) : null}
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {busy ? '正在登录…' : '登录'}
      </Button>
      <p className="ink-3 text-s text-center">
        没有收到？
        <button type="button" className="link" onClick={onBack}>
          换个{what}或重新发送
        </button>
      </p>
    </form>
  );
}
