import { lazyPart } from '#web/lib/lazy-part.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Link } from '#web/router/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './apply-section.module.css';
import { ApplyWaiting } from './apply-waiting.tsx';

const ApplyPanel = lazyPart(() => import('./apply-panel.tsx'), 'ApplyPanel');

/** Below the text about it: visitors are asked to sign in, everybody else gets what their application needs. */
export function ApplySection() {
  const isHydrated = useHydrated();
  return (
    <section className={styles.apply} aria-labelledby="apply">
      <h2 id="apply">我要申请</h2>
      <div data-for="guest">
        <p>登录以后在这里填写申请，也在这里看进展。</p>
        <Link
          to="/login.html"
          search={{ redirect: '/apply.html' }}
          className={buttonClass({ look: 'primary' })}
        >
          登录后申请
        </Link>
      </div>
      {isHydrated ? (
        <Optional fallback={<ApplyWaiting />}>
          <ApplyPanel />
        </Optional>
      ) : (
        <ApplyWaiting />
      )}
      <noscript>
        <Notice tone="warn">填写申请需要打开浏览器的脚本。</Notice>
      </noscript>
    </section>
  );
}
