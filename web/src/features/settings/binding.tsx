import { hasCode } from '@mozhan/client/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useState } from 'react';
import { AskForm, NotReceived } from '#web/features/credentials/ask-form.tsx';
import { useChallenge } from '#web/features/credentials/challenge.ts';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import { FormEnd } from '#web/features/credentials/form-end.tsx';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Notice } from '#web/ui/notice.tsx';

const kinds = {
  email: {
    label: '邮箱',
    hint: '验证码会发到这个邮箱',
    late: '没有看到？去垃圾邮件里找找',
    input: { type: 'email', inputMode: 'email', autoComplete: 'email', maxLength: 254 },
  },
  phone: {
    label: '手机号',
    hint: '验证码会用短信发到这个手机号',
    late: '短信有时会晚一两分钟',
    input: { type: 'tel', inputMode: 'tel', autoComplete: 'tel', maxLength: 20 },
  },
} as const;

interface BindingProps {
  kind: keyof typeof kinds;
  onDone: (user: CurrentUser) => void;
}

/** First the address or number, to which a code is sent; then the code, which proves that it is the reader's. */
export function Binding({ kind, onDone }: BindingProps) {
  const api = useApi();
  const withReauth = useReauth();
  const [target, setTarget] = useState('');
  const { label, hint, input } = kinds[kind];
  if (target !== '')
    return <AnswerForm kind={kind} target={target} onDone={onDone} onBack={() => setTarget('')} />;
  return (
    <AskForm
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

interface AnswerFormProps extends BindingProps {
  target: string;
  onBack: () => void;
}

function AnswerForm({ kind, target, onDone, onBack }: AnswerFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const { send } = useChallenge(api);
  const { label, late } = kinds[kind];
  const form = useForm({
    names: ['code'],
    check: (values) => missing(values, { code: '请填写 6 位验证码' }),
    async submit({ code }) {
      const given = { purpose: 'bind', target, code } as const;
      onDone(
        await withReauth(() => send((challenge) => api('PUT core/account/code', { ...given, challenge }))),
      );
    },
    place: (error) => (hasCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <Notice>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Notice>
      <CodeField {...form.field('code')} label="验证码" hint={late} autoFocus />
      <FormEnd form={form} action="绑定" doing="正在绑定…" />
      <NotReceived onBack={onBack}>换个{label}或重新发送</NotReceived>
    </form>
  );
}
