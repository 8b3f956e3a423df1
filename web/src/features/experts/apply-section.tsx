import { lazyComponent } from '#web/lib/lazy-component.ts';
import { useHydrated } from '#web/lib/use-hydrated.ts';
import { Link } from '#web/router/router.tsx';
import { Alert } from '#web/ui/alert.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Optional } from '#web/ui/optional.tsx';
import styles from './apply-section.module.css';
import { ApplySkeleton } from './apply-skeleton.tsx';

const ApplyPanel = lazyComponent(() => import('./apply-panel.tsx'), 'ApplyPanel');

/** Asks visitors to sign in and shows everybody else their application. */
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
          className={buttonClass({ variant: 'primary' })}
        >
          登录后申请
        </Link>
      </div>
      {isHydrated ? (
        <Optional fallback={<ApplySkeleton />}>
          <ApplyPanel />
        </Optional>
      ) : (
        <ApplySkeleton />
      )}
      <noscript>
        <Alert tone="warn">填写申请需要启用 JavaScript。</Alert>
      </noscript>
    </section>
  );
}
