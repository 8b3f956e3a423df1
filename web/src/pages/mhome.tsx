import { Head } from '#web/features/site/head.tsx';
import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/picture.tsx';
import styles from './mhome.module.css';

/** Home without the site's frame, for browsers inside other apps. */
export function Page() {
  const { settings, categories } = useSite();
  const { title, tagline } = settings;
  return (
    <main id="main" tabIndex={-1} className={`wrap ${styles.page}`}>
      <Head title={tagline} path="/home" description={`${title}，${tagline}。写给程序员的中文文章。`} />
      <h1 className={styles.title}>{title}</h1>
      <nav className={styles.shelves} aria-label="栏目">
        {categories.map(({ id, slug, name, icon }) => (
          <Link key={id} to="/essay/:slug.html" params={{ slug }}>
            <CategoryIcon name={icon} />
            {name}
          </Link>
        ))}
      </nav>
      <Empty title="纸已铺好，等第一笔" picture={<Landscape seed="纸已铺好，等第一笔" hue={28} />}>
        <p>这里还没有文章。第一篇写成之后，它会出现在这一页的最上面，谁都可以读，不用登录。</p>
      </Empty>
    </main>
  );
}
