import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { useRouter } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { farmersPath } from './address.ts';
import { farmerQuery } from './farmer-query.ts';
import { Details, Looking, Skills } from './farmer-sheet.tsx';
import styles from './person-farmer.module.css';

/** The card of the person whose page it is on, which says the name already. */
export function PersonFarmer({ userId }: { userId: string }) {
  const { href } = useRouter();
  const farmer = useQuery(farmerQuery(useApi(), userId)).data;
  if (!farmer) return null;
  return (
    <section className={`card ${styles.card}`} aria-labelledby="farmer">
      <header className="row gap-3">
        <h2 id="farmer" className="row gap-2 text-l">
          <Icon name="code" />
          码农名片
        </h2>
        {farmer.openToWork ? <Looking /> : null}
        <a className="brand-hover ink-3 text-s" href={href(farmersPath())}>
          看名录
        </a>
      </header>
      {farmer.intro === '' ? null : <p className="ink-2 text-m pretty">{farmer.intro}</p>}
      <Details farmer={farmer} />
      <Skills {...farmer} />
    </section>
  );
}
