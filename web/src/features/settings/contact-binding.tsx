import { hasErrorCode } from '@mozhan/client/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useState } from 'react';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { CodeNotReceived, RequestCodeForm } from '#web/features/credentials/request-code-form.tsx';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';

const bindingKinds = {
  email: {
    label: '邮箱',
    hint: '验证码会发到这个邮箱',
    lateHint: '没有看到？去垃圾邮件里找找',
    input: { type: 'email', inputMode: 'email', autoComplete: 'email', maxLength: 254 },
  },
  phone: {
    label: '手机号',
    hint: '验证码会用短信发到这个手机号',
    lateHint: '短信有时会晚一两分钟',
    input: { type: 'tel', inputMode: 'tel', autoComplete: 'tel', maxLength: 20 },
  },
} as const;

interface ContactBindingProps {
  kind: keyof typeof bindingKinds;
  onDone: (user: CurrentUser) => void;
}

/** First asks for the address or number, to which a code is sent; then for the code. */
export function ContactBinding({ kind, onDone }: ContactBindingProps) {
  const api = useApi();
  const withReauth = useReauth();
  const [target, setTarget] = useState('');
  const { label, hint, input } = bindingKinds[kind];
  if (target !== '')
    return <ContactCodeForm kind={kind} target={target} onDone={onDone} onBack={() => setTarget('')} />;
  return (
    <RequestCodeForm
      name="target"
      label={label}
      hint={hint}
      {...input}
      send={(target, challenge) =>
        withReauth(() => api('POST core/account/code', { purpose: 'bind', target, challenge }))
      }
      onSent={setTarget}
    />
  );
}

interface ContactCodeFormProps extends ContactBindingProps {
  target: string;
  onBack: () => void;
}

function ContactCodeForm({ kind, target, onDone, onBack }: ContactCodeFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const { send } = useChallenge(api);
  const { label, lateHint } = bindingKinds[kind];
  const form = useForm({
    names: ['code'],
    check: (values) => requiredFieldErrors(values, { code: '请填写 6 位验证码' }),
    async submit({ code }) {
      const binding = { purpose: 'bind', target, code } as const;
      onDone(
        await withReauth(() => send((challenge) => api('PUT core/account/code', { ...binding, challenge }))),
      );
    },
    fieldOfError: (error) => (hasErrorCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <Alert>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Alert>
      <CodeField {...form.field('code')} label="验证码" hint={lateHint} autoFocus />
      <FormFooter form={form} action="绑定" busyLabel="正在绑定…" />
      <CodeNotReceived onBack={onBack}>换个{label}或重新发送</CodeNotReceived>
    </form>
  );
}
