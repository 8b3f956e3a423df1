import { useState } from 'react';
import type { CurrentUser } from '#contract/users.ts';
import { useApi } from '#web/lib/app-context.ts';
import { hasCode } from '#web/lib/errors.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { CodeField } from './code-field.tsx';
import styles from './form.module.css';

interface EmailBindingProps {
  onDone: (user: CurrentUser) => void;
}

/** First the address, to which a code is mailed; then the code, which proves that it is the reader's. */
export function EmailBinding({ onDone }: EmailBindingProps) {
  const [target, setTarget] = useState('');
  return target === '' ? (
    <AskForm onSent={setTarget} />
  ) : (
    <AnswerForm target={target} onDone={onDone} onBack={() => setTarget('')} />
  );
}

function AskForm({ onSent }: { onSent: (target: string) => void }) {
  const api = useApi();
  const { busy, errors, problem, props } = useForm({
    names: ['target'],
    check: (values) => missing(values, { target: '请填写邮箱' }),
    async submit({ target }) {
      await api('POST core/account/code', { purpose: 'bind', target });
      onSent(target.trim());
    },
    place: (error) => (hasCode(error, 'ACCOUNT_TAKEN') ? 'target' : undefined),
  });
  return (
    <form className={styles.form} {...props}>
      <Field
        name="target"
        label="邮箱"
        type="email"
        inputMode="email"
        autoComplete="email"
        maxLength={254}
        hint="验证码会发到这个邮箱"
        error={errors.target}
      />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" block busy={busy}>
        {busy ? '正在发送…' : '发送验证码'}
      </Button>
    </form>
  );
}

interface AnswerFormProps {
  target: string;
  onDone: (user: CurrentUser) => void;
  onBack: () => void;
}

function AnswerForm({ target, onDone, onBack }: AnswerFormProps) {
  const api = useApi();
  const { busy, errors, problem, props } = useForm({
    names: ['code'],
    check: (values) => missing(values, { code: '请填写 6 位验证码' }),
    async submit({ code }) {
      onDone(await api('PUT core/account/code', { purpose: 'bind', target, code }));
    },
    place: (error) => (hasCode(error, 'WRONG_CODE') ? 'code' : undefined),
  });
  return (
    <form className={styles.form} {...props}>
      <Notice>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Notice>
      <CodeField label="验证码" hint="没有看到？去垃圾邮件里找找" error={errors.code} autoFocus />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" block busy={busy}>
        {busy ? '正在绑定…' : '绑定'}
      </Button>
      <p className={styles.quiet}>
        没有收到？
        <button type="button" className="link" onClick={onBack}>
          换个邮箱或重新发送
        </button>
      </p>
    </form>
  );
}
