import type { ReactNode } from 'react';
import { useSite } from '#web/lib/queries.ts';
import { Link, useView } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Logo } from '#web/ui/logo.tsx';
import styles from './header.module.css';
import { Places } from './places.tsx';
import { ThemeButton } from './theme-button.tsx';

export interface HeaderProps {
  search: ReactNode;
  /** Notices of a signed-in reader; the room is kept before it is there. */
  bell: ReactNode;
  /** The menu of a signed-in reader; the room is kept as well. */
  account: ReactNode;
}

/** Back to where one was, except from where nobody wants to return to. */
function SignInLink() {
  const { url } = useView();
  const isAway = !/^\/(home|login\.html)(\?|$)/.test(url);
  return (
    <Link
      to="/login.html"
      search={{ redirect: isAway ? url : undefined }}
      className={`${buttonClass({ look: 'ghost' })} ${styles.signIn}`}
      data-for="guest"
    >
      登录 / 注册
    </Link>
  );
}

/** A bar along the top or, from 1024 px on and with the layout `side`, a column at the left. */
export function Header({ search, bell, account }: HeaderProps) {
  const { title, logo, navTheme } = useSite().settings;
  return (
    <header className={`no-print ${styles.header}`} data-theme={navTheme === 'dark' ? 'dark' : undefined}>
      <div className={`wrap row gap-2 ${styles.bar}`}>
        <Link to="/home" className={styles.logo} aria-label={`${title}首页`}>
          <Logo title={title} image={logo} compact />
        </Link>
        <Places />
        <div className={`row gap-2 ${styles.tools}`}>
          <div className={styles.search}>{search}</div>
          <span className="not-on-phone">
            <ThemeButton />
          </span>
          <span className={`not-on-phone ${styles.bell}`} data-for="member">
            {bell}
          </span>
          <Link
            to="/essay/create.html"
            target="_blank"
            rel="noopener"
            className={`not-on-phone ${buttonClass({ look: 'primary' })} ${styles.write}`}
            data-for="writer"
          >
            <Icon name="pen" small />
            写文章
          </Link>
          <SignInLink />
          <div className={styles.account} data-for="member">
            {account}
          </div>
        </div>
      </div>
    </header>
  );
}
