import { IDENTITY } from '@mozhan/contract/enums.ts';
import type { CurrentUser } from '@mozhan/contract/users.ts';
import type { ReactNode } from 'react';
import { AccountNav, findTab, type NavGroup } from '#web/features/account/account-nav.tsx';
import { WithMe } from '#web/features/account/with-me.tsx';
import { AppearancePanel } from '#web/features/settings/appearance-panel.tsx';
import { BlockedList } from '#web/features/settings/blocked-list.tsx';
import { ProfileForm } from '#web/features/settings/profile-form.tsx';
import { SecurityPanel } from '#web/features/settings/security-panel.tsx';
import { SettingsSkeleton } from '#web/features/settings/settings-skeleton.tsx';
import { DigestSwitch, Switches } from '#web/features/settings/switches.tsx';
import { Head } from '#web/features/site/head.tsx';
import { lazyComponent } from '#web/lib/lazy-component.ts';
import type { PageProps } from '#web/router/navigation.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './account.module.css';

const OwnData = lazyComponent(() => import('#web/features/settings/own-data.tsx'), 'OwnData');
const OwnStorage = lazyComponent(() => import('#web/features/settings/own-storage.tsx'), 'OwnStorage');
const SignInList = lazyComponent(() => import('#web/features/settings/sign-in-list.tsx'), 'SignInList');
const SessionList = lazyComponent(() => import('#web/features/settings/session-list.tsx'), 'SessionList');
/** For writers only. */
const TokenList = lazyComponent(() => import('#web/features/settings/token-list.tsx'), 'TokenList');
const OwnExport = lazyComponent(() => import('#web/features/settings/own-export.tsx'), 'OwnExport');

export const title = '设置';

type Tab = 'profile' | 'security' | 'notify' | 'privacy' | 'look';

const DEFAULT_TAB: Tab = 'profile';

const groups: readonly NavGroup<Tab>[] = [
  {
    items: [
      { key: 'profile', label: '个人资料', icon: 'user' },
      { key: 'security', label: '账号与安全', icon: 'shield' },
      { key: 'notify', label: '通知', icon: 'bell' },
      { key: 'privacy', label: '隐私', icon: 'eyeOff' },
      { key: 'look', label: '阅读与外观', icon: 'book' },
    ],
  },
];

interface Panel {
  title: string;
  text: string;
  /** Omitted for panels that do not need account data. */
  body?: (me: CurrentUser) => ReactNode;
}

const panels: Record<Tab, Panel> = {
  profile: {
    title: '个人资料',
    text: '这些会出现在你的主页上，性别除外。',
    body: (me) => <ProfileForm me={me} />,
  },
  security: {
    title: '账号与安全',
    text: '管理登录方式，保护账号安全。',
    body: (me) => (
      <>
        <SecurityPanel me={me} />
        <Optional>
          <SessionList />
          <SignInList />
        </Optional>
        {me.curIdentity === IDENTITY.writer ? (
          <Optional>
            <TokenList />
            <OwnExport />
          </Optional>
        ) : null}
        <Optional>
          <OwnStorage hasAttachments={me.curIdentity === IDENTITY.writer} />
          <OwnData me={me} />
        </Optional>
      </>
    ),
  },
  notify: {
    title: '通知',
    text: '关掉的那一类，以后不再通知你。改动马上生效。',
    body: (me) => (
      <>
        <Switches group="notify" me={me} />
        <DigestSwitch me={me} />
      </>
    ),
  },
  privacy: {
    title: '隐私',
    text: '别人在你的主页上能看到什么。改动马上生效。',
    body: (me) => (
      <>
        <Switches group="privacy" me={me} />
        <BlockedList />
      </>
    ),
  },
  look: {
    title: '阅读与外观',
    text: '只保存在当前浏览器，换一台设备要重新选。',
  },
};

export function Page({ search }: PageProps<'/account/settings.html'>) {
  const tab = findTab(groups, search.get('tab'), DEFAULT_TAB);
  const panel = panels[tab];
  return (
    <main id="main" tabIndex={-1} className="wrap">
      <Head title={`${panel.title} · ${title}`} path="/account/settings.html" hidden />
      <div className={`row apart ${styles.title}`}>
        <h1>{title}</h1>
        <Link to="/account/center.html" className={buttonClass()}>
          我的主页
        </Link>
      </div>
      <div className={styles.columns}>
        <AccountNav
          label="设置"
          to="/account/settings.html"
          groups={groups}
          selected={tab}
          defaultKey={DEFAULT_TAB}
        />
        <section className={styles.panel} aria-labelledby="panel">
          <header className={styles.head}>
            <h2 id="panel">{panel.title}</h2>
            <p>{panel.text}</p>
          </header>
          {panel.body === undefined ? (
            <AppearancePanel />
          ) : (
            <WithMe key={tab} skeleton={<SettingsSkeleton />}>
              {panel.body}
            </WithMe>
          )}
        </section>
      </div>
    </main>
  );
}
