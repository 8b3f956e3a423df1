import { storeUser } from '@mozhan/client/session.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { PasswordChange } from '#web/features/credentials/password-change.tsx';
import { NotMe, NotMeWaiting } from '#web/features/sign-in/not-me.tsx';
import { forgetPersonal } from '#web/features/sign-in/personal.ts';
import { QrConfirm } from '#web/features/sign-in/qr-confirm.tsx';
import { safeRedirect } from '#web/features/sign-in/redirect.ts';
import { RegisterForm } from '#web/features/sign-in/register-form.tsx';
import { ResetForm } from '#web/features/sign-in/reset-form.tsx';
import { SignIn } from '#web/features/sign-in/sign-in.tsx';
import { SignedIn } from '#web/features/sign-in/signed-in.tsx';
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
import { Logo } from '#web/ui/logo.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './login.module.css';

/** The heading of a form and the way to the other one. */
function Titled({ title, text, children }: { title: string; text?: ReactNode; children: ReactNode }) {
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

interface FirstPassword {
  user: CurrentUser;
  password: string | undefined;
}

function Forms({ search }: { search: URLSearchParams }) {
  const { basePath } = useApp();
  const { settings, features } = useSite();
  const router = useRouter();
  const queryClient = useQueryClient();
  const stored = useCurrentUser();
  const [first, setFirst] = useState<FirstPassword>();
  /** Signed in just now, with the next page on its way: the form stays in sight until then. */
  const [leaving, setLeaving] = useState(false);

  const mode = search.get('mode');
  const ticket = search.get('ticket');
  const redirect = search.get('redirect') ?? undefined;
  const invite = search.get('invite') ?? undefined;
  const carry = { redirect, invite, ticket: ticket ?? undefined };
  const goOn = () => router.navigate(safeRedirect(redirect ?? null, basePath), { replace: true });

  const toOther = (question: string, words: string, mode?: string) => (
    <>
      {question}
      <Link className="link" to="/login.html" search={{ ...carry, mode }}>
        {words}
      </Link>
    </>
  );

  async function enter(user: CurrentUser): Promise<void> {
    setLeaving(ticket === null);
    storeUser(user);
    forgetPersonal(queryClient);
    setFirst(undefined);
    // A phone that scanned a code stays, to confirm it.
    if (ticket === null) await goOn();
  }

  async function onSignedIn(user: CurrentUser, password?: string): Promise<void> {
    if (user.mustChangePassword) setFirst({ user, password });
    else await enter(user);
  }

  if (first !== undefined) {
    const { user, password } = first;
    return (
      <Titled title="设置新密码" text="当前的密码是初始密码，换成自己的再继续。">
        <PasswordChange account={user.account} oldPassword={password} onDone={() => enter(user)} />
      </Titled>
    );
  }
  if (stored !== null && !leaving) {
    if (ticket !== null) return <QrConfirm key={ticket} ticket={ticket} user={stored} />;
    return <SignedIn user={stored} onContinue={goOn} />;
  }
  if (mode === 'register') {
    const onRegistered = async (user: CurrentUser) => {
      await enter(user);
      toast(`欢迎你，${user.displayName}`);
    };
    return (
      <Titled title={`加入${settings.title}`} text={toOther('已有账号？', '去登录')}>
        <RegisterForm onSignedIn={onRegistered} invite={invite ?? ''} />
      </Titled>
    );
  }
  if (mode === 'reset' && (features.mail || features.sms)) {
    const onDone = () => {
      toast('密码已更新，请用新密码登录');
      void router.navigate(pathTo({ to: '/login.html', search: { redirect } }), { replace: true });
    };
    return (
      <Titled title="找回密码" text={toOther('想起来了？', '去登录')}>
        <ResetForm features={features} onDone={onDone} />
      </Titled>
    );
  }
  return (
    <Titled
      title={ticket === null ? '欢迎回来' : '先在手机上登录'}
      text={toOther('还没有账号？', '现在注册', 'register')}
    >
      {ticket === null ? null : (
        <div className={styles.above}>
          <Notice>登录之后，就可以确认另一台设备的扫码登录。</Notice>
        </div>
      )}
      <SignIn
        onSignedIn={onSignedIn}
        carry={carry}
        features={features}
        passwordOnly={ticket !== null}
        passwordFirst={search.get('way') === 'password'}
      />
    </Titled>
  );
}

export function Page({ search }: PageProps<'/login.html'>) {
  const { settings } = useSite();
  const hydrated = useHydrated();
  const isRegister = search.get('mode') === 'register';
  // From the link of a mail, by whoever reads it, signed in or not.
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
              <Notice>登录和注册需要浏览器运行本站的脚本；阅读不需要。</Notice>
            </noscript>
            {/* The server's page has the form in it; a signed-in reader is not to see it flash by */}
            {isNotMe ? (
              // The secret stands behind the #, which browsers send to no server
              hydrated ? (
                <NotMe token={location.hash.slice(1)} id={search.get('id') ?? ''} />
              ) : (
                <NotMeWaiting />
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
