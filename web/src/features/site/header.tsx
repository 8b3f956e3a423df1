import { IDENTITY } from '@mozhan/contract/enums.ts';
import { SearchBox } from '#web/features/search/search-box.tsx';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useSite } from '#web/lib/queries.ts';
import { useCurrentUser } from '#web/lib/session.ts';
import { Link, useView } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Optional } from '#web/ui/optional.tsx';
import { AccountCorner } from './account-corner.tsx';
import styles from './header.module.css';
import { DraftsMenu, NoticeBell } from './lazy-member-parts.ts';
import { MainNavigation } from './main-navigation.tsx';
import { ThemeButton } from './theme-button.tsx';

/** Loaded for signed-in users only; the header reserves its space. */
function HeaderBell() {
  if (useCurrentUser() === null) return null;
  return (
    <Optional>
      <NoticeBell />
    </Optional>
  );
}

/** Loaded for writers only; the header reserves its space. */
function HeaderDrafts() {
  if (useCurrentUser()?.curIdentity !== IDENTITY.writer) return null;
  return (
    <Optional>
      <DraftsMenu />
    </Optional>
  );
}

/** Returns to the current page after sign-in, except from the home and login pages. */
function SignInLink() {
  const { url } = useView();
  const shouldReturn = !/^\/(home|login\.html)(\?|$)/.test(url);
  return (
    <Link
      to="/login.html"
      search={{ redirect: shouldReturn ? url : undefined }}
      className={`${buttonClass({ variant: 'ghost' })} ${styles.signIn}`}
      data-for="guest"
    >
      登录 / 注册
    </Link>
  );
}

/** A bar at the top or, from 1024 px with the layout `side`, a column on the left. */
export function Header() {
  const { title, logo, navTheme } = useSite().settings;
  const keyword = useView().search.get('keyword') ?? '';
  return (
    <header className={`no-print ${styles.header}`} data-theme={navTheme === 'dark' ? 'dark' : undefined}>
      <div className={`wrap row gap-2 ${styles.bar}`}>
        <CachedFragment name="logo" input="">
          <Link to="/home" className={styles.logo} aria-label={`${title}首页`}>
            <Logo title={title} image={logo} compact />
          </Link>
        </CachedFragment>
        <MainNavigation />
        <div className={`row gap-2 ${styles.tools}`}>
          <CachedFragment name="tools" input={keyword}>
            <div className={styles.search}>
              <SearchBox keyword={keyword} />
            </div>
            <span className="not-on-phone">
              <ThemeButton />
            </span>
            <span className={`not-on-phone ${styles.bell}`} data-for="member">
              <HeaderBell />
            </span>
            <Link
              to="/essay/create.html"
              target="_blank"
              rel="noopener"
              className={`not-on-phone ${buttonClass({ variant: 'primary' })} ${styles.write}`}
              data-for="writer"
            >
              <Icon name="pen" small />
              写文章
            </Link>
            <span className={`not-on-phone ${styles.drafts}`} data-for="writer">
              <HeaderDrafts />
            </span>
          </CachedFragment>
          <SignInLink />
          <div className={styles.account} data-for="member">
            <AccountCorner />
          </div>
        </div>
      </div>
    </header>
  );
}
