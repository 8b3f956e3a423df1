import type { Farmer } from '@mozhan/contract/code-farmers.ts';
import type { ReactNode } from 'react';
import { Link, useRouter } from '#web/router/router.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { farmersPath } from './address.ts';
import styles from './farmer-card.module.css';

const hostOf = (url: string): string => /^https?:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? url;

export function FarmerDetails({ farmer }: { farmer: Pick<Farmer, 'years' | 'city' | 'homepage'> }) {
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

export function FarmerSkills({ skills, skillNames }: Pick<Farmer, 'skills' | 'skillNames'>) {
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

export const OpenToWorkBadge = () => <span className={styles.looking}>看机会</span>;

interface FarmerCardProps {
  farmer: Omit<Farmer, 'updatedAt'>;
  level?: 'h2' | 'h3' | 'h4';
  foot?: ReactNode;
}

export function FarmerCard({ farmer, level: Name = 'h2', foot }: FarmerCardProps) {
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
          {openToWork ? <OpenToWorkBadge /> : null}
        </div>
        <FarmerDetails farmer={farmer} />
        {intro === '' ? null : <p className={`ink-2 text-m pretty ${styles.intro}`}>{intro}</p>}
        <FarmerSkills {...farmer} />
        {foot}
      </div>
    </article>
  );
}
