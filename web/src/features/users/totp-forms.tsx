import { hasCode } from '@mozhan/client/errors.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense } from 'react';
import { useApi } from '#web/lib/app-context.ts';
import { missing, useForm } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';
import { CodeField } from './code-field.tsx';
import { CopyField } from './copy-field.tsx';
import styles from './form.module.css';
import { useReauth } from './use-reauth.ts';

const QrCode = lazy(() => import('#web/ui/qr-code.tsx').then((module) => ({ default: module.QrCode })));

interface CodeFormProps {
  action: string;
  send: (code: string) => Promise<void>;
  children: ReactNode;
}

/** A number of the authenticator decides; it serves once. */
function CodeForm({ action, send, children }: CodeFormProps) {
  const { busy, errors, problem, props } = useForm({
    names: ['code'],
    check: (values) => missing(values, { code: '请填写 6 位动态验证码' }),
    submit: ({ code }) => send(code),
    place: (error) => (hasCode(error, 'WRONG_TOTP') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...props}>
      {children}
      <CodeField label="动态验证码" hint="打开验证器应用查看，每个只能用一次" error={errors.code} />
      {problem ? <Notice tone="bad">{problem}</Notice> : null}
      <Button type="submit" look="primary" block busy={busy}>
        {busy ? '正在核对…' : action}
      </Button>
    </form>
  );
}

interface TotpProps {
  onDone: () => void;
}

export function TotpEnrolment({ onDone }: TotpProps) {
  const api = useApi();
  const withReauth = useReauth();
  // A query only in form: each asking makes a new secret, so it is asked for once while the dialog is open.
  const { data, error, refetch } = useQuery({
    queryKey: ['totp-enrolment'],
    queryFn: () => withReauth(() => api('POST core/account/totp')),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
  if (error !== null) return <LoadFailed error={error} onRetry={refetch} />;
  if (data === undefined) return <p role="status">正在准备密钥…</p>;

  async function send(code: string): Promise<void> {
    await withReauth(() => api('PUT core/account/totp', { code }));
    onDone();
  }
  return (
    <CodeForm action="开启" send={send}>
      <p>用手机上的验证器应用（如 Google Authenticator、1Password）扫描二维码，或把密钥抄进去。</p>
      <div className={styles.centre}>
        <QrFrame large>
          <Suspense>
            <QrCode text={data.url} label="两步验证二维码" />
          </Suspense>
        </QrFrame>
      </div>
      <CopyField label="密钥" value={data.secret} />
    </CodeForm>
  );
}

export function TotpRemoval({ onDone }: TotpProps) {
  const api = useApi();
  const withReauth = useReauth();
  async function send(code: string): Promise<void> {
    await withReauth(() => api('DELETE core/account/totp', { code }));
    onDone();
  }
  return (
    <CodeForm action="关闭" send={send}>
      <p>关闭以后，登录只凭密码。</p>
    </CodeForm>
  );
}
