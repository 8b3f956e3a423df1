import { asCallError } from '@mozhan/client/errors.ts';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useApp } from '#admin/lib/app-context.ts';
import type { FieldList } from '#admin/ui/fields.tsx';
import { FormModal } from '#admin/ui/form-modal.tsx';

interface Values {
  password: string;
  totp: string;
}

const blank: Values = { password: '', totp: '' };

/** Calls that ask the caller to prove again who they are; `dialog` is where that happens, and belongs on the screen. */
export function useReauth(): { withReauth: <T>(send: () => Promise<T>) => Promise<T>; dialog: ReactNode } {
  const { api } = useApp();
  const [asked, setAsked] = useState<{ asksTotp: boolean; answer: (isDone: boolean) => void }>();

  async function withReauth<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (asCallError(error)?.code !== 'REAUTH_REQUIRED') throw error;
      const { totp: asksTotp } = await api('GET core/account/reauth');
      const isDone = await new Promise<boolean>((answer) => setAsked({ asksTotp, answer }));
      setAsked(undefined);
      if (!isDone) throw error;
      return send();
    }
  }

  async function submit({ password, totp }: Values): Promise<void> {
    await api('POST core/account/reauth', { method: 'password', password, ...(totp !== '' && { totp }) });
    asked?.answer(true);
  }

  const fields: FieldList<Values> = [
    {
      name: 'password',
      kind: 'own',
      label: '登录密码',
      rules: [{ required: true, message: '请填写登录密码' }],
      control: <Input.Password autoComplete="current-password" maxLength={128} autoFocus />,
    },
    asked?.asksTotp === true && {
      name: 'totp',
      kind: 'text',
      label: '动态验证码',
      required: true,
      maxLength: 6,
      help: '打开验证器应用查看，每个只能用一次',
    },
  ];
  const dialog = (
    <FormModal<Values>
      title="确认是你本人"
      open={asked !== undefined}
      onClose={() => asked?.answer(false)}
      values={blank}
      fields={fields}
      submit={submit}
      codes={{ WRONG_PASSWORD: 'password', ACCOUNT_LOCKED: 'password', WRONG_TOTP: 'totp' }}
      action="确认"
    />
  );
  return { withReauth, dialog };
}
