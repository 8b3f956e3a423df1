import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { Link, pathTo, useRouter } from '#web/router/router.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { farmersPath } from './address.ts';
import styles from './farmers-invite.module.css';

const OWN_CARD_PATH = pathTo({ to: '/account/center.html', search: { tab: 'farmer' } });

export function FarmersInvite({ isOnDirectory = false }: { isOnDirectory?: boolean }) {
  const { href } = useRouter();
  return (
    <CachedFragment name="invite" input={isOnDirectory}>
      <section className={styles.invite} aria-labelledby="farmers">
        <h2 id="farmers" className="row gap-2 text-l">
          <Icon name="code" />
          {isOnDirectory ? '让人找到你' : '码农'}
        </h2>
        <p className="ink-2 pretty">
          {isOnDirectory
            ? '填一张名片：会什么、写了几年、在哪座城市、看不看机会。随时可以撤下。'
            : '愿意被找到的程序员，按技能和城市查。'}
        </p>
        <p className={styles.ways}>
          {isOnDirectory ? null : <a href={href(farmersPath())}>看名录</a>}
          <a href={href(OWN_CARD_PATH)} data-for="member">
            我的名片
          </a>
          <Link to="/login.html" search={{ redirect: OWN_CARD_PATH }} rel="nofollow" data-for="guest">
            填写名片
          </Link>
        </p>
      </section>
    </CachedFragment>
  );
}
