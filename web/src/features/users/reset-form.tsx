import { hasCode } from '@mozhan/client/errors.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AccountField } from './account-field.tsx';
import { createChallengeSolver, sendWithChallenge } from './challenge.ts';
import { NewPasswordField } from './new-password-field.tsx';
import { isPhone, tidyTarget } from './phone.ts';
import { type Features, resetWords } from './ways.ts';

interface ResetFormProps {
  features: Features;
  onDone: () => void;
}

/** First the account, to which a code is sent; then the code and a new password. */
export function ResetForm({ features, onDone }: ResetFormProps) {
  const [account, setAccount] = useState('');
  return account === '' ? (
    <AskForm features={features} onSent={setAccount} />
  ) : (
    <AnswerForm
      account={account}
      byText={features.sms && isPhone(account)}
      onDone={onDone}
      onBack={() => setAccount('')}
    />
  );
}

function AskForm({ features, onSent }: { features: Features; onSent: (account: string) => void }) {
  const api = useApi();
  const solver = useRef(createChallengeSolver(api));
  const { name, placeholder, hint } = resetWords(features);
  const { busy, errors, problem, props } = useForm({
    names: ['account'],
    check: (values) => missing(values, { account: `请填写${name}` }),
    async submit(values) {
      const account = tidyTarget(values.account);
      const first = await solver.current.take();
      await sendWithChallenge(
        solver.current,
        (challenge) => api('POST core/account/reset', { account, challenge }),
        first,
      );
      onSent(account);
    },
  });
  return (
    <form className="stack gap-5" {...props} onFocus={() => solver.current.prepare()}>
      <AccountField label={name} placeholder={placeholder} hint={hint} error={errors.account} />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {busy ? '正在发送…' : '发送验证码'}
      </Button>
    </form>
  );
}

interface AnswerFormProps {
  account: string;
  /** Or by mail. */
  byText: boolean;
  onDone: () => void;
  onBack: () => void;
}

function AnswerForm({ account, byText, onDone, onBack }: AnswerFormProps) {
  const api = useApi();
  const solver = useRef(createChallengeSolver(api));
  const { busy, errors, problem, props } = useForm({
    names: ['code', 'newPassword'],
    check: (values) => missing(values, { code: '请填写 6 位验证码', newPassword: '请填写新密码' }),
    async submit({ code, newPassword }) {
      await sendWithChallenge(solver.current, (challenge) =>
        api('PUT core/account/reset', { account, code, newPassword, challenge }),
      );
      onDone();
    },
    place: (error) => (hasCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...props}>
      <Notice>
        {byText ? '如果有账号绑定了手机号 ' : '如果账号 '}
        <strong>{account}</strong>
        {byText ? '，验证码已经发出，请看短信。' : ' 绑定了邮箱，验证码已经发出，请到邮箱查看。'}
      </Notice>
      <Field
        name="code"
        label="验证码"
        placeholder={byText ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        error={errors.code}
      />
      <NewPasswordField name="newPassword" label="新密码" account={account} error={errors.newPassword} />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" size="large" block busy={busy}>
        {busy ? '正在更新…' : '更新密码'}
      </Button>
      <p className="ink-3 text-s text-center">
        没有收到？
        <button type="button" className="link" onClick={onBack}>
          换个账号或重新发送
        </button>
      </p>
    </form>
  );
}
