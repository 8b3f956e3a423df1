import { useEffect, useState } from 'react';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { type Tab, Tabs, tabPanel } from '#web/ui/tabs.tsx';
import { CodeForm } from './code-form.tsx';
import { type OnSignedIn, PasswordForm } from './password-form.tsx';
import { QrPanel } from './qr-panel.tsx';
import styles from './sign-in.module.css';
import type { Features } from './ways.ts';

type Way = 'qr' | 'password' | 'code';

const ways: readonly Tab<Way>[] = [
  { key: 'qr', label: '扫码登录', icon: 'qr' },
  { key: 'password', label: '密码登录', icon: 'lock' },
];
const byCode: Tab<Way> = { key: 'code', label: '验证码登录', icon: 'chat' };

const ID = 'sign-in';

interface SignInProps {
  onSignedIn: OnSignedIn;
  /** Search parameters for links to the other forms of the page. */
  carry: Record<string, string | undefined>;
  /** What codes can be sent by. */
  features: Features;
  /** The phone that scanned a code signs in by password. */
  passwordOnly: boolean;
  /** Staff come with it. */
  passwordFirst: boolean;
}

/** A phone cannot scan itself: it starts with the password, and so does its style sheet before any script has run. */
export function SignIn({ onSignedIn, carry, features, passwordOnly, passwordFirst }: SignInProps) {
  const hydrated = useHydrated();
  const [chosen, setChosen] = useState<Way | undefined>(passwordFirst ? 'password' : undefined);
  useEffect(
    () => setChosen((way) => way ?? (matchMedia('(min-width: 768px)').matches ? 'qr' : 'password')),
    [],
  );

  const canSend = features.mail || features.sms;
  const form = <PasswordForm onSignedIn={onSignedIn} carry={carry} features={features} />;
  if (passwordOnly) return form;
  const way = chosen ?? 'qr';
  return (
    <div className={styles.ways} data-way={chosen ?? 'by-width'}>
      <Tabs
        id={ID}
        label="登录方式"
        tabs={canSend ? [...ways, byCode] : ways}
        selected={way}
        onSelect={setChosen}
      />
      <section className={styles.qr} {...tabPanel(ID, 'qr')}>
        <QrPanel active={hydrated && chosen === 'qr'} onSignedIn={onSignedIn} />
      </section>
      <section className={styles.password} {...tabPanel(ID, 'password')}>
        {form}
      </section>
      {canSend ? (
        <section className={styles.code} {...tabPanel(ID, 'code')}>
          <CodeForm features={features} onSignedIn={onSignedIn} />
        </section>
      ) : null}
    </div>
  );
}
