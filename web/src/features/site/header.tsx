import type { ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { Link, useView } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';
import styles from './header.module.css';
import { ThemeButton } from './theme-button.tsx';

const places = [{ to: '/home', name: '首页' }] as const;

/** `account` is what a signed-in reader sees at the end; its room is kept before it is there. */
export function Header({ account }: { account: ReactNode }) {
  const { settings } = useSite();
  const path = useView().url.replace(/\?.*/, '');
  return (
    <header className={styles.header}>
      <div className={`wrap ${styles.bar}`}>
        <Link to="/home" className={styles.logo} aria-label={`${settings.title}首页`}>
          <Logo title={settings.title} image={settings.logo} compact />
        </Link>
        <nav className={styles.places} aria-label="主导航">
          {places.map(({ to, name }) => (
            <Link key={to} to={to} className={styles.place} aria-current={path === to ? 'page' : undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <ThemeButton />
        <Link to="/login.html" className={buttonClass({ look: 'ghost' })} data-for="guest">
          登录 / 注册
        </Link>
        <div className={styles.account} data-for="member">
          {account}
        </div>
      </div>
    </header>
  );
}
