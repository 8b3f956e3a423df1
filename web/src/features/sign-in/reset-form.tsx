import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useState } from 'react';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { NewPasswordField } from '#web/features/credentials/new-password-field.tsx';
import { isPhone } from '#web/features/credentials/phone.ts';
import { CodeNotReceived, RequestCodeForm } from '#web/features/credentials/request-code-form.tsx';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Field } from '#web/ui/field.tsx';
import { resetFieldLabels, type SiteFeatures } from './field-labels.ts';

interface ResetFormProps {
  features: SiteFeatures;
  onDone: () => void;
}

/** First asks for the account, to which a code is sent; then for the code and a new password. */
export function ResetForm({ features, onDone }: ResetFormProps) {
  const api = useApi();
  const [account, setAccount] = useState('');
  const { name, placeholder, hint } = resetFieldLabels(features);
  if (account !== '')
    return (
      <ResetCodeForm
        account={account}
        isBySms={features.sms && isPhone(account)}
        onDone={onDone}
        onBack={() => setAccount('')}
      />
    );
  return (
    <RequestCodeForm
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

interface ResetCodeFormProps {
  account: string;
  /** The code was sent by text message instead of mail. */
  isBySms: boolean;
  onDone: () => void;
  onBack: () => void;
}

function ResetCodeForm({ account, isBySms, onDone, onBack }: ResetCodeFormProps) {
  const api = useApi();
  const { send } = useChallenge(api);
  const form = useForm({
    names: ['code', 'newPassword'],
    check: (values) =>
      requiredFieldErrors(values, { code: '请填写 6 位验证码', newPassword: '请填写新密码' }),
    async submit(values) {
      await send((challenge) => api('PUT core/account/reset', { account, ...values, challenge }));
      onDone();
    },
    fieldOfError: (error) => (hasErrorCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  const { field, props } = form;
  return (
    <form className="stack gap-5" {...props}>
      <Alert>
        {isBySms ? '如果有账号绑定了手机号 ' : '如果账号 '}
        <strong>{account}</strong>
        {isBySms ? '，验证码已经发出，请看短信。' : ' 绑定了邮箱，验证码已经发出，请到邮箱查看。'}
      </Alert>
      <Field
        {...field('code')}
        label="验证码"
        placeholder={isBySms ? '短信里的 6 位数字' : '邮件里的 6 位数字'}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
      />
      <NewPasswordField {...field('newPassword')} label="新密码" account={account} />
      <FormFooter form={form} large action="更新密码" busyLabel="正在更新…" />
      <CodeNotReceived onBack={onBack}>换个账号或重新发送</CodeNotReceived>
    </form>
  );
}
