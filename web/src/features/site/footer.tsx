import type { VisibleNavigation } from '@mozhan/contract/navigation.ts';
import { FRIEND_LINKS_PATH } from '@mozhan/contract/page-address.ts';
import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { infoPages } from '#web/lib/info-pages.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import styles from './footer.module.css';
import { NavAnchor } from './nav-anchor.tsx';

const FIRST_YEAR = 2022;

function Registration({ number, register, wide }: { number: string; register: string; wide?: boolean }) {
  if (number === '') return null;
  return (
    <li className={wide ? 'not-on-phone' : undefined}>
      <a href={register} rel="noopener">
        {number}
      </a>
    </li>
  );
}

/** The links of the footer until operators edit them. */
const DefaultLinks = ({ hasFriendLinks }: { hasFriendLinks: boolean }) => (
  <nav aria-label="站点说明">
    <ul className={`row wraps ${styles.row}`}>
      {infoPages.map(({ path, label, wideOnly }) => (
        <li key={path} className={wideOnly ? 'not-on-phone' : undefined}>
          <Link to={path}>{label}</Link>
        </li>
      ))}
      {hasFriendLinks ? (
        <li>
          <Link to={FRIEND_LINKS_PATH}>友情链接</Link>
        </li>
      ) : null}
    </ul>
  </nav>
);

type FooterGroup = NonNullable<VisibleNavigation['footer']>[number];

const GroupLinks = ({ links, className }: { links: FooterGroup['links']; className: string | undefined }) => (
  <ul className={className}>
    {links.map(({ label, to }, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: operators may list a link twice
      <li key={at}>
        <NavAnchor to={to}>{label}</NavAnchor>
      </li>
    ))}
  </ul>
);

/** One group without a title is a row like the default; several are columns. */
function EditedLinks({ groups }: { groups: readonly FooterGroup[] }) {
  const [first, ...others] = groups;
  if (first === undefined) return null;
  if (others.length === 0 && first.title === '')
    return (
      <nav aria-label="页脚导航">
        <GroupLinks links={first.links} className={`row wraps ${styles.row}`} />
      </nav>
    );
  return (
    <nav aria-label="页脚导航" className={styles.groups}>
      {groups.map(({ title, links }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups may have the same title
        <section key={at}>
          {title === '' ? null : <h2>{title}</h2>}
          <GroupLinks links={links} className={styles.column} />
        </section>
      ))}
    </nav>
  );
}

export const Footer = () => (
  <CachedFragment name="footer" input={null}>
    <FooterContent />
  </CachedFragment>
);

function FooterContent() {
  const { settings, year, navigation, hasFriendLinks = false } = useSite();
  const { title, icp, psb } = settings;
  return (
    <footer className={`no-print ${styles.footer}`}>
      <div className={`wrap flex wraps apart ${styles.rows}`}>
        {navigation?.footer === undefined ? (
          <DefaultLinks hasFriendLinks={hasFriendLinks} />
        ) : (
          <EditedLinks groups={navigation.footer} />
        )}
        <ul className={`row wraps ${styles.row}`}>
          <li>
            © {year > FIRST_YEAR ? `${FIRST_YEAR}–${year}` : FIRST_YEAR} {title}
          </li>
          <Registration number={icp} register="https://beian.miit.gov.cn/" />
          <Registration number={psb} register="https://beian.mps.gov.cn/" wide={icp !== ''} />
        </ul>
      </div>
    </footer>
  );
}
