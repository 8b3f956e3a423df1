import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import type { ReactNode } from 'react';
import { Link, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { farmersPath } from './address.ts';
import styles from './farmer-sheet.module.css';

const hostOf = (url: string): string => /^https?:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? url;

export function Details({ farmer }: { farmer: Pick<Farmer, 'years' | 'city' | 'homepage'> }) {
  const { href } = useRouter();
  const { years, city, homepage } = farmer;
  return (
    <p className={`flex wraps ink-3 text-s ${styles.details}`}>
      <span>{years === 0 ? '入行不满一年' : `写了 ${years} 年代码`}</span>
      {city === '' ? null : (
        <a className="brand-hover ellipsis" href={href(farmersPath({ city }))}>
          {city}
        </a>
      )}
      {homepage === '' ? null : (
        <a
          className="brand-hover ellipsis"
          href={homepage}
          target="_blank"
          rel="nofollow ugc noopener noreferrer"
        >
          <Icon name="link" small />
          {hostOf(homepage)}
        </a>
      )}
    </p>
  );
}

export function Skills({ skills, skillNames }: Pick<Farmer, 'skills' | 'skillNames'>) {
  const { href } = useRouter();
  return (
    <ul className={`flex wraps gap-2 ${styles.skills}`} aria-label="技能">
      {skills.map((skill, index) => (
        <li key={skill}>
          <Chip href={href(farmersPath({ skill }))}>{skillNames[index] ?? skill}</Chip>
        </li>
      ))}
    </ul>
  );
}

export const Looking = () => <span className={styles.looking}>看机会</span>;

interface FarmerSheetProps {
  farmer: Omit<Farmer, 'updatedAt'>;
  level?: 'h2' | 'h3' | 'h4';
  /** After everything else. */
  foot?: ReactNode;
}

/** What somebody says of their work, as others see it. */
export function FarmerSheet({ farmer, level: Name = 'h2', foot }: FarmerSheetProps) {
  const { user, intro, openToWork } = farmer;
  return (
    <article className={styles.sheet}>
      <Avatar name={user.displayName} image={user.headImg} size="face" />
      <div className="grow">
        <div className={`row wraps ${styles.head}`}>
          <Name className="text-l">
            <Link to="/user/home/:id.html" params={{ id: user.id }}>
              {user.displayName}
            </Link>
          </Name>
          {openToWork ? <Looking /> : null}
        </div>
        <Details farmer={farmer} />
        {intro === '' ? null : <p className={`ink-2 text-m pretty ${styles.intro}`}>{intro}</p>}
        <Skills {...farmer} />
        {foot}
      </div>
    </article>
  );
}
