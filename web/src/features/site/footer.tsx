import { useSite } from '#web/lib/queries.ts';
import styles from './footer.module.css';

const FIRST_YEAR = 2022;

export function Footer() {
  const { settings, year } = useSite();
  const { title, icp, psb } = settings;
  return (
    <footer className={styles.footer}>
      <div className={`wrap ${styles.row}`}>
        <span>
          © {year > FIRST_YEAR ? `${FIRST_YEAR}–${year}` : FIRST_YEAR} {title}
        </span>
        {icp === '' && psb === '' ? null : (
          <ul className={styles.numbers}>
            {icp === '' ? null : (
              <li>
                <a href="https://beian.miit.gov.cn/" rel="noopener">
                  {icp}
                </a>
              </li>
            )}
            {psb === '' ? null : (
              <li className={styles.wide}>
                <a href="https://beian.mps.gov.cn/" rel="noopener">
                  {psb}
                </a>
              </li>
            )}
          </ul>
        )}
      </div>
    </footer>
  );
}
