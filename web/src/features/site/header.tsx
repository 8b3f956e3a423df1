import { AccountCorner } from '#web/features/account/account-corner.tsx';
import { SearchBox } from '#web/features/search/search-box.tsx';
import { lazyPart } from '#web/lib/lazy-part.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './header.module.css';
import { Places } from './places.tsx';
import { ThemeButton } from './theme-button.tsx';

const NoticeBell = lazyPart(() => import('#web/features/notices/notice-bell.tsx'), 'NoticeBell');

/** Only who is signed in has notices, and needs the code for them; the room is kept before it is there. */
function Bell() {
  if (useCurrentUser() === null) return null;
  return (
    <Optional>
      <NoticeBell />
    </Optional>
  );
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
export function Header() {
  const { title, logo, navTheme } = useSite().settings;
  return (
    <header className={`no-print ${styles.header}`} data-theme={navTheme === 'dark' ? 'dark' : undefined}>
      <div className={`wrap row gap-2 ${styles.bar}`}>
        <Link to="/home" className={styles.logo} aria-label={`${title}首页`}>
          <Logo title={title} image={logo} compact />
        </Link>
        <Places />
        <div className={`row gap-2 ${styles.tools}`}>
          <div className={styles.search}>
            <SearchBox />
          </div>
          <span className="not-on-phone">
            <ThemeButton />
          </span>
          <span className={`not-on-phone ${styles.bell}`} data-for="member">
            <Bell />
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
            <AccountCorner />
          </div>
        </div>
      </div>
    </header>
  );
}
