import { useQuery } from '@tanstack/react-query';
import type { Client } from '#contract/client.ts';
import { useApi } from '#web/lib/app-context.ts';
import { call } from '#web/lib/queries.ts';
import { Link } from '#web/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import styles from './farmer-facts.module.css';

export const farmerQuery = (api: Client, userId: string) =>
  call(api, 'GET core/code/farmer/card', { userId });

/** What somebody does, where they have made a card of it; each skill leads to others who have it. */
export function FarmerFacts({ userId }: { userId: string }) {
  const farmer = useQuery(farmerQuery(useApi(), userId)).data ?? null;
  if (farmer === null) return null;
  const { skills, skillNames, years, openToWork, intro } = farmer;
  return (
    <section className={styles.farmer} aria-label="码农名片">
      <ul>
        <li className={styles.years}>
          <Icon name="code" small />
          {years === 0 ? '刚开始写代码' : `写了 ${years} 年代码`}
        </li>
        {openToWork ? <li className={styles.open}>看机会</li> : null}
        {skills.map((skill, index) => (
          <li key={skill}>
            <Link className={styles.skill} to="/home" search={{ view: 'farmers', skill }}>
              {skillNames[index] ?? skill}
            </Link>
          </li>
        ))}
      </ul>
      {intro === '' ? null : <p>{intro}</p>}
    </section>
  );
}
