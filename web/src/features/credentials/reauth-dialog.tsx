import { hasCode, messageOf } from '@mozhan/client/errors.ts';
import type { Client, Output } from '@mozhan/contract/client.ts';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { missing, useForm } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { PasswordField } from '#web/ui/field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NotReceived } from './ask-form.tsx';
import { useChallenge } from './challenge.ts';
import { CodeField } from './code-field.tsx';
import { FormEnd } from './form-end.tsx';
import { isPhone } from './phone.ts';

type Ways = Output<'GET core/account/reauth'>;

interface FormProps {
  api: Client;
  ways: Ways;
  onDone: () => void;
}

const totpWords = { label: '动态验证码', hint: '打开验证器应用查看，每个只能用一次' };

/** For both forms: the second factor, where the account has one. */
const missingTotp = (ways: Ways) => (ways.totp ? { totp: '请填写 6 位动态验证码' } : {});

interface PasswordWayProps extends FormProps {
  onSent: (target: string) => void;
}

function PasswordWay({ api, ways, onDone, onSent }: PasswordWayProps) {
  const { send } = useChallenge(api);
  const [sending, setSending] = useState(false);
  const [unsent, setUnsent] = useState('');
  const form = useForm({
    names: ['password', 'totp'],
    check: (values) => missing(values, { password: '请填写密码', ...missingTotp(ways) }),
    async submit({ password, totp }) {
      await send((challenge) =>
        api('POST core/account/reauth', { method: 'password', password, totp: totp || undefined, challenge }),
      );
      onDone();
    },
    place(error) {
      if (hasCode(error, 'WRONG_PASSWORD', 'ACCOUNT_LOCKED')) return 'password';
      return hasCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });

  async function sendCode(target: string): Promise<void> {
    setSending(true);
    setUnsent('');
    try {
      await send((challenge) => api('POST core/account/code', { purpose: 'reauth', target, challenge }));
      onSent(target);
    } catch (error) {
      setUnsent(messageOf(error));
      setSending(false);
    }
  }

  return (
    <form className="stack gap-5" {...form.props}>
      <input type="hidden" name="username" autoComplete="username" value={ways.account} readOnly />
      <PasswordField {...form.field('password')} label="登录密码" autoComplete="current-password" autoFocus />
      {ways.totp ? <CodeField {...form.field('totp')} {...totpWords} /> : null}
      <FormEnd form={form} action="确认" doing="正在核对…" />
      {ways.targets.map((target) => (
        <p key={target} className="ink-3 text-s text-center">
          <button type="button" className="link" disabled={sending} onClick={() => void sendCode(target)}>
            {sending ? '正在发送…' : `改用验证码，发到 ${target}`}
          </button>
        </p>
      ))}
      {unsent ? <Notice tone="bad">{unsent}</Notice> : null}
    </form>
  );
}

interface CodeWayProps extends FormProps {
  target: string;
  onPassword: () => void;
}

function CodeWay({ api, ways, target, onDone, onPassword }: CodeWayProps) {
  const { send } = useChallenge(api);
  const form = useForm({
    names: ['code', 'totp'],
    check: (values) => missing(values, { code: '请填写 6 位验证码', ...missingTotp(ways) }),
    async submit({ code, totp }) {
      const given = { method: 'code', target, code, totp: totp || undefined } as const;
      await send((challenge) => api('POST core/account/reauth', { ...given, challenge }));
      onDone();
    },
    place(error) {
      if (hasCode(error, 'WRONG_CODE')) return 'code';
      return hasCode(error, 'WRONG_TOTP') ? 'totp' : undefined;
    },
  });
  return (
    <form className="stack gap-5" {...form.props}>
      <Notice>
        验证码已发到 <strong>{target}</strong>，10 分钟内有效。
      </Notice>
      <CodeField
        {...form.field('code')}
        label="验证码"
        hint={isPhone(target) ? '短信里的 6 位数字' : '邮件里的 6 位数字，也许在垃圾邮件里'}
        autoFocus
      />
      {ways.totp ? <CodeField {...form.field('totp')} {...totpWords} /> : null}
      <FormEnd form={form} action="确认" doing="正在核对…" />
      <NotReceived onBack={onPassword}>改用密码</NotReceived>
    </form>
  );
}

interface ReauthDialogProps {
  api: Client;
  ways: Ways;
  onAnswer: (isDone: boolean) => void;
  onClosed: () => void;
}

function ReauthDialog({ api, ways, onAnswer, onClosed }: ReauthDialogProps) {
  const [open, setOpen] = useState(true);
  const [target, setTarget] = useState('');

  function answer(isDone: boolean): void {
    setOpen(false);
    onAnswer(isDone);
  }

  const done = () => answer(true);
  return (
    <Dialog
      open={open}
      onOpenChange={() => answer(false)}
      onClosed={onClosed}
      title="确认是你本人"
      description="这项操作关系到账号安全，请再验证一次。之后 10 分钟内不用重复。"
    >
      {target === '' ? (
        <PasswordWay api={api} ways={ways} onDone={done} onSent={setTarget} />
      ) : (
        <CodeWay api={api} ways={ways} target={target} onDone={done} onPassword={() => setTarget('')} />
      )}
    </Dialog>
  );
}

/** In a place of its own, above the dialog whose call asked for it; false: the reader changed their mind. */
export function askForReauth(api: Client, ways: Ways): Promise<boolean> {
  const root = createRoot(document.createElement('div'));
  return new Promise((resolve) => {
    root.render(<ReauthDialog api={api} ways={ways} onAnswer={resolve} onClosed={() => root.unmount()} />);
  });
}
