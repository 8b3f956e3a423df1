import { hasCode } from '@mozhan/client/errors.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useRef, useState } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { createChallengeSolver, sendWithChallenge } from './challenge.ts';
import { CodeField } from './code-field.tsx';
import { tidyTarget } from './phone.ts';
import { useReauth } from './use-reauth.ts';

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
type Kind = keyof typeof kinds;

interface BindingProps {
  kind: Kind;
  onDone: (user: CurrentUser) => void;
}

/** First the address or number, to which a code is sent; then the code, which proves that it is the reader's. */
export function Binding({ kind, onDone }: BindingProps) {
  const [target, setTarget] = useState('');
  return target === '' ? (
    <AskForm kind={kind} onSent={setTarget} />
  ) : (
    <AnswerForm kind={kind} target={target} onDone={onDone} onBack={() => setTarget('')} />
  );
}

function AskForm({ kind, onSent }: { kind: Kind; onSent: (target: string) => void }) {
  const api = useApi();
  const withReauth = useReauth();
  const solver = useRef(createChallengeSolver(api));
  const { label, hint, input } = kinds[kind];
  const { busy, errors, problem, props } = useForm({
    names: ['target'],
    check: (values) => missing(values, { target: `请填写${label}` }),
    async submit(values) {
      const target = tidyTarget(values.target);
      const first = await solver.current.take();
      await withReauth(() =>
        sendWithChallenge(
          solver.current,
          (challenge) => api('POST core/account/code', { purpose: 'bind', target, challenge }),
          first,
        ),
      );
      onSent(target);
    },
    place: (error) => (hasCode(error, 'ACCOUNT_TAKEN') ? 'target' : undefined),
  });
  return (
    <form className="stack gap-5" {...props} onFocus={() => solver.current.prepare()}>
      <Field name="target" label={label} hint={hint} {...input} error={errors.target} />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" block busy={busy}>
        {busy ? '正在发送…' : '发送验证码'}
      </Button>
    </form>
  );
}

interface AnswerFormProps extends BindingProps {
  target: string;
  onBack: () => void;
}

function AnswerForm({ kind, target, onDone, onBack }: AnswerFormProps) {
  const api = useApi();
  const withReauth = useReauth();
  const solver = useRef(createChallengeSolver(api));
  const { label, late } = kinds[kind];
  const { busy, errors, problem, props } = useForm({
    names: ['code'],
    check: (values) => missing(values, { code: '请填写 6 位验证码' }),
    async submit({ code }) {
      const user = await withReauth(() =>
        sendWithChallenge(solver.current, (challenge) =>
          api('PUT core/account/code', { purpose: 'bind', target, code, challenge }),
        ),
      );
      onDone(user);
    },
    place: (error) => (hasCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...props}>
      <Notice>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Notice>
      <CodeField label="验证码" hint={late} error={errors.code} autoFocus />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" block busy={busy}>
        {busy ? '正在绑定…' : '绑定'}
      </Button>
      <p className="ink-3 text-s text-center">
        没有收到？
        <button type="button" className="link" onClick={onBack}>
          换个{label}或重新发送
        </button>
      </p>
    </form>
  );
}
