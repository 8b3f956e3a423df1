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

/** Re-authenticates and retries a call that fails with REAUTH_REQUIRED; the screen must render `dialog`. */
export function useReauth(): { withReauth: <T>(send: () => Promise<T>) => Promise<T>; dialog: ReactNode } {
  const { api } = useApp();
  const [prompt, setPrompt] = useState<{ needsTotp: boolean; answer: (isDone: boolean) => void }>();

  async function withReauth<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (asCallError(error)?.code !== 'REAUTH_REQUIRED') throw error;
      const { totp: needsTotp } = await api('GET core/account/reauth');
      const isDone = await new Promise<boolean>((answer) => setPrompt({ needsTotp, answer }));
      setPrompt(undefined);
      if (!isDone) throw error;
      return send();
    }
  }

  async function submit({ password, totp }: Values): Promise<void> {
    await api('POST core/account/reauth', { method: 'password', password, ...(totp !== '' && { totp }) });
    prompt?.answer(true);
  }

  const fields: FieldList<Values> = [
    {
      name: 'password',
      kind: 'own',
      label: '登录密码',
      rules: [{ required: true, message: '请填写登录密码' }],
      control: <Input.Password autoComplete="current-password" maxLength={128} autoFocus />,
    },
    prompt?.needsTotp === true && {
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
      open={prompt !== undefined}
      onClose={() => prompt?.answer(false)}
      values={blank}
      fields={fields}
      submit={submit}
      codes={{ WRONG_PASSWORD: 'password', ACCOUNT_LOCKED: 'password', WRONG_TOTP: 'totp' }}
      action="确认"
    />
  );
  return { withReauth, dialog };
}
