import { CachedFragment } from '#web/lib/cached-fragment.ts';
import { useSite } from '#web/lib/queries.ts';
import { Icon, type IconName } from '#web/ui/icon.tsx';
import styles from './promise-card.module.css';

const promises: readonly { icon: IconName; title: string; text: string }[] = [
  { icon: 'copy', title: '随意复制', text: '选中就能复制，后面不会多出一截尾巴。' },
  { icon: 'quiet', title: '没有弹窗', text: '不催登录，不用关注才能往下读。' },
  { icon: 'shield', title: '没有外人', text: '不载入第三方的脚本、字体和统计。' },
];

export function PromiseCard() {
  const { title, tagline } = useSite().settings;
  return (
    <CachedFragment name="promise" input="">
      <section className={`card ${styles.card}`} aria-labelledby="about-site">
        <h2 id="about-site">{tagline}</h2>
        <p className="ink-2 text-m pretty">
          {title}写给写程序的人：想看明白别人怎么想的，也愿意把自己的想法写清楚。
        </p>
        <h3 className="ink-3 text-s">对读者的承诺</h3>
        <ul className="stack gap-4">
          {promises.map((promise) => (
            <li key={promise.title} className="flex gap-3 text-m">
              <Icon name={promise.icon} />
              <div>
                <strong>{promise.title}</strong>
                <p className="ink-2 pretty">{promise.text}</p>
              </div>
            </li>
          ))}
        </ul>
      </section>
    </CachedFragment>
  );
}
