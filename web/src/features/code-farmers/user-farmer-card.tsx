import { useQuery } from '@tanstack/react-query';
import { useApi } from '#web/lib/app-context.ts';
import { useRouter } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { farmersPath } from './address.ts';
import { FarmerDetails, FarmerSkills, OpenToWorkBadge } from './farmer-card.tsx';
import { farmerQuery } from './farmer-query.ts';
import styles from './user-farmer-card.module.css';

/** The card on its owner's public page, which already shows the name. */
export function UserFarmerCard({ userId }: { userId: string }) {
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
        {farmer.openToWork ? <OpenToWorkBadge /> : null}
        <a className="brand-hover ink-3 text-s" href={href(farmersPath())}>
          看名录
        </a>
      </header>
      {farmer.intro === '' ? null : <p className="ink-2 text-m pretty">{farmer.intro}</p>}
      <FarmerDetails farmer={farmer} />
      <FarmerSkills {...farmer} />
    </section>
  );
}
