import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { useView } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './offline.module.css';
import { openWholePages } from './whole-pages.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Browsers give none to a site on plain HTTP. */
const hasWorkers = 'serviceWorker' in navigator;

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Registers the worker; gives back the one that waits for its turn, once there is a newer one. */
function useWaitingWorker(basePath: string): ServiceWorker | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!hasWorkers) return;
    const stop = new AbortController();
    const { signal } = stop;

    function watch(registration: ServiceWorkerRegistration): void {
      // The very first worker waits for nobody.
      const look = () => setWaiting(registration.active === null ? null : registration.waiting);
      const check = () => {
        if (document.visibilityState === 'visible') registration.update().catch(() => {});
      };
      registration.addEventListener(
        'updatefound',
        () => registration.installing?.addEventListener('statechange', look, { signal }),
        { signal },
      );
      document.addEventListener('visibilitychange', check, { signal });
      addEventListener('online', check, { signal });
      look();
    }

    navigator.serviceWorker
      .register(`${basePath}/service-worker.js`, { scope: `${basePath}/`, updateViaCache: 'none' })
      .then((registration) => {
        if (!signal.aborted) watch(registration);
      })
      // Not allowed here, or no connection: the pages work without it.
      .catch(() => {});
    return () => stop.abort();
  }, [basePath]);

  return waiting;
}

async function keep(addresses: string[]): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ keep: addresses });
}

/** Asks the worker to keep what was opened without it: the page as a document, and the files this tab loads. */
function useKeeping(): void {
  const { url } = useView();

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (hasWorkers) void keep([location.href.replace(/#.*/, '')]);
  }, [url]);

  useEffect(() => {
    if (!hasWorkers) return;
    const observer = new PerformanceObserver((list) => {
      const files = list.getEntries().map(({ name }) => name);
      void keep(files.filter((file) => file.includes('/assets/')));
    });
    observer.observe({ type: 'resource', buffered: true });
    return () => observer.disconnect();
  }, []);
}

function activate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.postMessage('skipWaiting');
}

/** Only where the operator has switched offline support on. */
export function Offline() {
  const { basePath } = useApp();
  const online = useOnline();
  const waiting = useWaitingWorker(basePath);
  const [dismissed, setDismissed] = useState<ServiceWorker | null>(null);
  useKeeping();

  useEffect(() => {
    const onOnline = () => toast('已恢复连接');
    addEventListener('online', onOnline);
    const stopOpening = openWholePages(basePath);
    return () => {
      removeEventListener('online', onOnline);
      stopOpening();
    };
  }, [basePath]);

  return (
    <div className={styles.region} role="status">
      {online ? null : (
        <div className={`popup row gap-2-5 text-m ${styles.notice}`}>
          <Icon name="offline" />
          当前处于离线状态
        </div>
      )}
      {waiting === null || waiting === dismissed ? null : (
        <div className={`popup row gap-2-5 text-m ${styles.notice}`}>
          <Icon name="refresh" />
          有新内容
          <Button look="primary" onClick={() => activate(waiting)}>
            刷新
          </Button>
          <Button look="ghost" square aria-label="关闭提示" onClick={() => setDismissed(waiting)}>
            <Icon name="close" small />
          </Button>
        </div>
      )}
    </div>
  );
}
