import { storeUser } from '@mozhan/client/session.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PasswordChange } from '#web/features/credentials/password-change.tsx';
import { AlreadySignedIn } from '#web/features/sign-in/already-signed-in.tsx';
import { QrConfirm } from '#web/features/sign-in/qr-confirm.tsx';
import { safeRedirect } from '#web/features/sign-in/redirect.ts';
import { RegisterForm } from '#web/features/sign-in/register-form.tsx';
import { ResetForm } from '#web/features/sign-in/reset-form.tsx';
import { resetPersonalQueries } from '#web/features/sign-in/reset-personal-queries.ts';
import { SignIn } from '#web/features/sign-in/sign-in.tsx';
import { UndoAccountChange, UndoAccountChangeSkeleton } from '#web/features/sign-in/undo-account-change.tsx';
import { Footer } from '#web/features/site/footer.tsx';
import { Head } from '#web/features/site/head.tsx';
import { SkipLink } from '#web/features/site/skip-link.tsx';
import { ThemeButton } from '#web/features/site/theme-button.tsx';
import { useApp } from '#web/lib/app-context.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './login.module.css';

function WithHeading({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
  return (
    <>
      <div className={styles.heading}>
        <h1>{title}</h1>
        {text ? <p>{text}</p> : null}
      </div>
      {children}
    </>
  );
}

interface PasswordChangeState {
  user: CurrentUser;
  password: string | undefined;
}

function Forms({ search }: { search: URLSearchParams }) {
  const { basePath } = useApp();
  const { settings, features, switches } = useSite();
  const router = useRouter();
  const queryClient = useQueryClient();
  const stored = useCurrentUser();
  const [passwordChange, setPasswordChange] = useState<PasswordChangeState>();
  /** Signed in, while the next page loads: the form stays visible until then. */
  const [leaving, setLeaving] = useState(false);

  const mode = search.get('mode');
  const ticket = search.get('ticket');
  const redirect = search.get('redirect') ?? undefined;
  const invite = search.get('invite') ?? undefined;
  const linkSearch = { redirect, invite, ticket: ticket ?? undefined };
  const continueToRedirect = () =>
    router.navigate(safeRedirect(redirect ?? null, basePath), { replace: true });

  const modeLink = (question: string, label: string, mode?: string) => (
    <>
      {question}
      <Link className="link" to="/login.html" search={{ ...linkSearch, mode }}>
        {label}
      </Link>
    </>
  );

  async function completeSignIn(user: CurrentUser): Promise<void> {
    setLeaving(ticket === null);
    storeUser(user);
    resetPersonalQueries(queryClient);
    setPasswordChange(undefined);
    // A phone that scanned a QR code stays here to confirm it.
    if (ticket === null) await continueToRedirect();
  }

  async function onSignedIn(user: CurrentUser, password?: string): Promise<void> {
    if (user.mustChangePassword) setPasswordChange({ user, password });
    else await completeSignIn(user);
  }

  if (passwordChange !== undefined) {
    const { user, password } = passwordChange;
    return (
      <WithHeading title="设置新密码" text="当前的密码是初始密码，换成自己的再继续。">
        <PasswordChange account={user.account} oldPassword={password} onDone={() => completeSignIn(user)} />
      </WithHeading>
    );
  }
  if (stored !== null && !leaving) {
    if (ticket !== null) return <QrConfirm key={ticket} ticket={ticket} user={stored} />;
    return <AlreadySignedIn user={stored} onContinue={continueToRedirect} />;
  }
  const canRegister = switches.registration !== 'closed';
  if (mode === 'register' && !canRegister)
    return (
      <WithHeading title="现在不开放注册" text={modeLink('已有账号？', '去登录')}>
        <Alert>本站暂时不接受新的注册。不用登录也可以阅读文章，等开放以后再来注册。</Alert>
      </WithHeading>
    );
  if (mode === 'register') {
    const onRegistered = async (user: CurrentUser) => {
      await completeSignIn(user);
      toast(`欢迎你，${user.displayName}`);
    };
    return (
      <WithHeading title={`加入${settings.title}`} text={modeLink('已有账号？', '去登录')}>
        <RegisterForm
          onSignedIn={onRegistered}
          invite={invite ?? ''}
          isInviteRequired={switches.registration === 'invited'}
        />
      </WithHeading>
    );
  }
  if (mode === 'reset' && (features.mail || features.sms)) {
    const onDone = () => {
      toast('密码已更新，请用新密码登录');
      void router.navigate(pathTo({ to: '/login.html', search: { redirect } }), { replace: true });
    };
    return (
      <WithHeading title="找回密码" text={modeLink('想起来了？', '去登录')}>
        <ResetForm features={features} onDone={onDone} />
      </WithHeading>
    );
  }
  return (
    <WithHeading
      title={ticket === null ? '欢迎回来' : '先在手机上登录'}
      text={canRegister ? modeLink('还没有账号？', '现在注册', 'register') : undefined}
    >
      {ticket === null ? null : (
        <div className={styles.above}>
          <Alert>登录之后，就可以确认另一台设备的扫码登录。</Alert>
        </div>
      )}
      <SignIn
        onSignedIn={onSignedIn}
        linkSearch={linkSearch}
        features={features}
        passwordOnly={ticket !== null}
        passwordFirst={search.get('way') === 'password'}
      />
    </WithHeading>
  );
}

export function Page({ search }: PageProps<'/login.html'>) {
  const { settings } = useSite();
  const hydrated = useHydrated();
  const isRegister = search.get('mode') === 'register';
  // Opened from a link in a mail, signed in or not.
  const isNotMe = search.get('mode') === 'not-me';
  return (
    <>
      <Head
        title={isNotMe ? '这不是我本人操作' : isRegister ? '注册' : '登录'}
        description={`${isRegister ? '注册' : '登录'}${settings.title}，${settings.tagline}`}
        path="/login.html"
        hidden={isNotMe}
      />
      <SkipLink>跳到登录</SkipLink>
      <div className={styles.page}>
        <div className={styles.scene} aria-hidden="true">
          <Landscape seed="写下代码背后的思考" hue={245} sun={[214, 62]} anchor="bottom" />
          <div className={styles.words}>
            <p>{settings.tagline}</p>
            <small>安静地读，认真地写。</small>
          </div>
        </div>
        <div className={styles.panel}>
          <header className="row apart">
            <Link to="/home" aria-label={`${settings.title}首页`}>
              <Logo title={settings.title} image={settings.logo} />
            </Link>
            <ThemeButton />
          </header>
          <main id="main" tabIndex={-1} className={styles.box}>
            <noscript>
              <Alert>登录和注册需要启用 JavaScript；阅读不需要。</Alert>
            </noscript>
            {/* The server's HTML contains the form; it is hidden from signed-in readers until hydration */}
            {isNotMe ? (
              // The secret is in the URL fragment, which browsers never send to a server
              hydrated ? (
                <UndoAccountChange token={location.hash.slice(1)} id={search.get('id') ?? ''} />
              ) : (
                <UndoAccountChangeSkeleton />
              )
            ) : (
              <div className="stack" data-for={hydrated ? undefined : 'guest'}>
                <Forms search={search} />
              </div>
            )}
          </main>
        </div>
      </div>
      <Footer />
    </>
  );
}
