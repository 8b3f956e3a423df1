import { hasErrorCode } from '@mozhan/client/errors.ts';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { CodeField } from '#web/features/credentials/code-field.tsx';
import styles from '#web/features/credentials/form.module.css';
import { FormFooter } from '#web/features/credentials/form-footer.tsx';
import { useReauth } from '#web/features/credentials/use-reauth.ts';
import { useApi } from '#web/lib/app-context.ts';
import { requiredFieldErrors, useForm } from '#web/lib/form.ts';
import { CopyField } from '#web/ui/copy-field.tsx';
import { QrCode } from '#web/ui/lazy-qr-code.ts';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { QrFrame } from '#web/ui/qr-frame.tsx';

interface CodeFormProps {
  action: string;
  send: (code: string) => Promise<void>;
  children: ReactNode;
}

/** Asks for a code of the authenticator app, which is valid once. */
function CodeForm({ action, send, children }: CodeFormProps) {
  const form = useForm({
    names: ['code'],
    check: (values) => requiredFieldErrors(values, { code: '请填写 6 位动态验证码' }),
    submit: ({ code }) => send(code),
    fieldOfError: (error) => (hasErrorCode(error, 'WRONG_TOTP') ? 'code' : undefined),
  });
  return (
    <form className="stack gap-5" {...form.props}>
      {children}
      <CodeField {...form.field('code')} label="动态验证码" hint="打开验证器应用查看，每个只能用一次" />
      <FormFooter form={form} action={action} busyLabel="正在核对…" />
    </form>
  );
}

interface TotpProps {
  onDone: () => void;
}

export function TotpEnrolment({ onDone }: TotpProps) {
  const api = useApi();
  const withReauth = useReauth();
  // Each call creates a new secret, so the query runs only once while the dialog is open.
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
