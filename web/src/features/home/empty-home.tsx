import { useSite } from '#web/lib/queries.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { CategoryIcon } from '#web/ui/icon.tsx';
import { Landscape } from '#web/ui/landscape.tsx';
import styles from './empty-home.module.css';

/** Descriptions of the initial categories; those that operators add have none. */
const categoryDescriptions: Record<string, string> = {
  program: '一段代码为什么这样写，又为什么推倒重来。',
  tech: '系统怎样长大，事故怎样收场，取舍怎样做。',
  app: '把工具用在日子里，把想法做成东西。',
};

const HUE = 28;

/** Explains that nothing has been published yet, and what to do meanwhile. */
function Invitation() {
  const { switches } = useSite();
  return (
    <section className={styles.beginning} data-hue={HUE} aria-labelledby="beginning">
      <div className={styles.picture}>
        <Landscape seed="纸已铺好，等第一笔" hue={HUE} sun={[232, 58]} drop={150} />
      </div>
      <div className={styles.words}>
        <h2 id="beginning">纸已铺好，等第一笔</h2>
        <p className="ink-2 pretty">
          这里还没有文章。第一篇写成之后，它会出现在这一页的最上面，谁都可以读，不用登录。
        </p>
        <div className={`flex wraps gap-3 ${styles.actions}`} data-for="guest">
          {switches.registration === 'closed' ? null : (
            <Link
              to="/login.html"
              search={{ mode: 'register' }}
              className={buttonClass({ variant: 'primary' })}
            >
              注册账号
            </Link>
          )}
          <Link to="/login.html" className={buttonClass()}>
            登录
          </Link>
        </div>
        <p className="ink-3" data-for="member">
          你已登录。等有了新文章，回到这里就能看到。
        </p>
      </div>
    </section>
  );
}

function CategoryList() {
  const { categories } = useSite();
  return (
    <section aria-labelledby="shelves">
      <h2 id="shelves" className={`divided text-l ${styles.subtitle}`}>
        栏目
      </h2>
      <ul className={styles.shelves}>
        {categories.map(({ id, slug, name, icon }) => (
          <li key={id}>
            <Link to="/essay/:slug.html" params={{ slug }}>
              <CategoryIcon name={icon} />
              <h3>{name}</h3>
              {slug in categoryDescriptions ? (
                <p className="ink-2 text-m">{categoryDescriptions[slug]}</p>
              ) : null}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The home page before the first essay is published. */
export const EmptyHome = () => (
  <div className={`stack grow ${styles.main}`}>
    <Invitation />
    <CategoryList />
  </div>
);
