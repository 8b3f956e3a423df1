import { useEffect, useState } from 'react';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { type Tab, Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { CodeForm } from './code-form.tsx';
import type { SiteFeatures } from './field-labels.ts';
import { type OnSignedIn, PasswordForm } from './password-form.tsx';
import { QrPanel } from './qr-panel.tsx';
import styles from './sign-in.module.css';

type SignInMethod = 'qr' | 'password' | 'code';

const methods: readonly Tab<SignInMethod>[] = [
  { key: 'qr', label: '扫码登录', icon: 'qr' },
  { key: 'password', label: '密码登录', icon: 'lock' },
];
const codeMethod: Tab<SignInMethod> = { key: 'code', label: '验证码登录', icon: 'chat' };

const ID = 'sign-in';

interface SignInProps {
  onSignedIn: OnSignedIn;
  /** Search parameters for links to the other forms of the page. */
  linkSearch: Record<string, string | undefined>;
  /** The channels by which codes can be sent. */
  features: SiteFeatures;
  /** For a phone that scanned a QR code. */
  passwordOnly: boolean;
  /** For staff. */
  passwordFirst: boolean;
}

/** A phone cannot scan its own screen, so it starts with the password, as the style sheet does without scripts. */
export function SignIn({ onSignedIn, linkSearch, features, passwordOnly, passwordFirst }: SignInProps) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<SignInMethod | undefined>(passwordFirst ? 'password' : undefined);
  useEffect(
    () => setChosen((method) => method ?? (matchMedia('(min-width: 768px)').matches ? 'qr' : 'password')),
    [],
  );

  const canSendCodes = features.mail || features.sms;
  const form = <PasswordForm onSignedIn={onSignedIn} linkSearch={linkSearch} features={features} />;
  if (passwordOnly) return form;
  const method = chosen ?? 'qr';
  return (
    <div className={styles.ways} data-way={chosen ?? 'by-width'}>
      <Tabs
        id={ID}
        label="登录方式"
        tabs={canSendCodes ? [...methods, codeMethod] : methods}
        selected={method}
        onSelect={setChosen}
      />
      <section className={styles.qr} {...tabPanel(ID, 'qr')}>
        <QrPanel active={hydrated && chosen === 'qr'} onSignedIn={onSignedIn} />
      </section>
      <section className={styles.password} {...tabPanel(ID, 'password')}>
        {form}
      </section>
      {canSendCodes ? (
        <section className={styles.code} {...tabPanel(ID, 'code')}>
          <CodeForm features={features} onSignedIn={onSignedIn} />
        </section>
      ) : null}
    </div>
  );
}
