import { hasCode } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { AskForm, NotReceived } from '#web/features/credentials/ask-form.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { FormEnd } from '#web/features/credentials/form-end.tsx';
import { NewPasswordField } from '#web/features/credentials/new-password-field.tsx';
import { isPhone } from '#web/features/credentials/phone.ts';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { type Features, resetWords } from './ways.ts';

interface ResetFormProps {
  features: Features;
  onDone: () => void;
}

/** First the account, to which a code is sent; then the code and a new password. */
export function ResetForm({ features, onDone }: ResetFormProps) {
  const api = useApi();
  const [account, setAccount] = useState('');
  const { name, placeholder, hint } = resetWords(features);
  if (account !== '')
    return (
      <AnswerForm
        account={account}
        byText={features.sms && isPhone(account)}
        onDone={onDone}
        onBack={() => setAccount('')}
      />
    );
  return (
    <AskForm
      name="account"
      label={name}
      placeholder={placeholder}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      hint={hint}
      large
      send={(account, challenge) => api('POST core/account/reset', { account, challenge })}
      onSent={setAccount}
    />
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
  const { send } = useChallenge(api);
  const form = useForm({
    names: ['code', 'newPassword'],
    check: (values) => missing(values, { code: '请填写 6 位验证码', newPassword: '请填写新密码' }),
    async submit(values) {
      await send((challenge) => api('PUT core/account/reset', { account, ...values, challenge }));
      onDone();
    },
    place: (error) => (hasCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  const { field, props } = form;
  return (
    <form className="stack gap-5" {...props}>
      <Notice>
        {byText ? '如果有账号绑定了手机号 ' : '如果账号 '}
        <strong>{account}</strong>
        {byText ? '，验证码已经发出，请看短信。' : ' 绑定了邮箱，验证码已经发出，请到邮箱查看。'}
      </Notice>
      <Field
        {...field('code')}
        label="验证码"
        placeholder={byText ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
      />
      <NewPasswordField {...field('newPassword')} label="新密码" account={account} />
      <FormEnd form={form} large action="更新密码" doing="正在更新…" />
      <NotReceived onBack={onBack}>换个账号或重新发送</NotReceived>
    </form>
  );
}
