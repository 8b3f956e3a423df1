import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { infoPages } from '#web/lib/info-pages.ts';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import styles from './footer.module.css';

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

export const Footer = () => (
  <CachedFragment name="footer" input={null}>
    <FooterContent />
  </CachedFragment>
);

function FooterContent() {
  const { settings, year } = useSite();
  const { title, icp, psb } = settings;
  return (
    <footer className={`no-print ${styles.footer}`}>
      <div className={`wrap flex wraps apart ${styles.rows}`}>
        <nav aria-label="站点说明">
          <ul className={`row wraps ${styles.row}`}>
            {infoPages.map(({ path, label, wideOnly }) => (
              <li key={path} className={wideOnly ? 'not-on-phone' : undefined}>
                <Link to={path}>{label}</Link>
              </li>
            ))}
          </ul>
        </nav>
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
