import { errorMessageOf, hasErrorCode } from '@mozhan/client/errors.ts';
import type { Client, Output } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { useChallenge } from './challenge.ts';
import { CodeField } from './code-field.tsx';
import { FormFooter } from './form-footer.tsx';
import { isPhone } from './phone.ts';
import { CodeNotReceived } from './request-code-form.tsx';

type ReauthMethods = Output<'GET core/account/reauth'>;

interface FormProps {
  api: Client;
  methods: ReauthMethods;
  onDone: () => void;
}

const totpLabels = { label: '动态验证码', hint: '打开验证器应用查看，每个只能用一次' };

/** Both forms require the second factor if the account has one. */
const requiredTotp = (methods: ReauthMethods) => (methods.totp ? { totp: '请填写 6 位动态验证码' } : {});

interface PasswordFormProps extends FormProps {
  onSent: (target: string) => void;
}

function PasswordForm({ api, methods, onDone, onSent }: PasswordFormProps) {
  const { send } = useChallenge(api);
  const [sending, setSending] = useState(false);
  const [sendError, setSendError] = useState('');
  const form = useForm({
    names: ['password', 'totp'],
    check: (values) => requiredFieldErrors(values, { password: '请填写密码', ...requiredTotp(methods) }),
    async submit({ password, totp }) {
      await send((challenge) =>
        api('POST core/account/reauth', { method: 'password', password, totp: totp || undefined, challenge }),
      );
      onDone();
    },
    fieldOfError(error) {
      if (hasErrorCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED')) return 'password';
      return hasErrorCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });

  async function sendCode(target: string): Promise<void> {
    setSending(true);
    setSendError('');
    try {
      await send((challenge) => api('POST core/account/code', { purpose: 'reauth', target, challenge }));
      onSent(target);
    } catch (error) {
      setSendError(errorMessageOf(error));
      setSending(false);
    }
  }

  return (
    <form className="stack gap-5" {...form.props}>
      <input type="hidden" name="username" autoComplete="username" value={methods.account} readOnly />
      <PasswordField {...form.field('password')} label="登录密码" autoComplete="current-password" autoFocus />
      {methods.totp ? <CodeField {...form.field('totp')} {...totpLabels} /> : null}
      <FormFooter form={form} action="确认" busyLabel="正在核对…" />
      {methods.targets.map((target) => (
        <p key={target} className="ink-3 text-s text-center">
          <button type="button" className="link" disabled={sending} onClick={() => void sendCode(target)}>
            {sending ? '正在发送…' : `改用验证码，发到 ${target}`}
          </button>
        </p>
      ))}
      {sendError ? <Alert tone="bad">{sendError}</Alert> : null}
    </form>
  );
}

interface CodeFormProps extends FormProps {
  target: string;
  onPassword: () => void;
}

function CodeForm({ api, methods, target, onDone, onPassword }: CodeFormProps) {
  const { send } = useChallenge(api);
  const form = useForm({
    names: ['code', 'totp'],
    check: (values) => requiredFieldErrors(values, { code: '请填写 6 位验证码', ...requiredTotp(methods) }),
    async submit({ code, totp }) {
      const credentials = { method: 'code', target, code, totp: totp || undefined } as const;
      await send((challenge) => api('POST core/account/reauth', { ...credentials, challenge }));
      onDone();
    },
    fieldOfError(error) {
      if (hasErrorCode(error, 'WRONG_CODE')) return 'code';
      return hasErrorCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <Alert>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Alert>
      <CodeField
        {...form.field('code')}
        label="验证码"
        hint={isPhone(target) ? '短信里的 6 位数字' : '邮件里的 6 位数字，也许在垃圾邮件里'}
        autoFocus
      />
      {methods.totp ? <CodeField {...form.field('totp')} {...totpLabels} /> : null}
      <FormFooter form={form} action="确认" busyLabel="正在核对…" />
      <CodeNotReceived onBack={onPassword}>改用密码</CodeNotReceived>
    </form>
  );
}

interface ReauthDialogProps {
  api: Client;
  methods: ReauthMethods;
  onResult: (isDone: boolean) => void;
  onClosed: () => void;
}

function ReauthDialog({ api, methods, onResult, onClosed }: ReauthDialogProps) {
  const [open, setOpen] = useState(true);
  const [target, setTarget] = useState('');

  function close(isDone: boolean): void {
    setOpen(false);
    onResult(isDone);
  }

  const done = () => close(true);
  return (
    <Dialog
      open={open}
      onOpenChange={() => close(false)}
      onClosed={onClosed}
      title="确认是你本人"
      description="这项操作关系到账号安全，请再验证一次。之后 10 分钟内不用重复。"
    >
      {target === '' ? (
        <PasswordForm api={api} methods={methods} onDone={done} onSent={setTarget} />
      ) : (
        <CodeForm
          api={api}
          methods={methods}
          target={target}
          onDone={done}
          onPassword={() => setTarget('')}
        />
      )}
    </Dialog>
  );
}

/** Renders into its own React root, above the dialog whose call requires it; resolves to false when cancelled. */
export function showReauthDialog(api: Client, methods: ReauthMethods): Promise<boolean> {
  const root = createRoot(document.createElement('div'));
  return new Promise((resolve) => {
    root.render(
      <ReauthDialog api={api} methods={methods} onResult={resolve} onClosed={() => root.unmount()} />,
    );
  });
}
