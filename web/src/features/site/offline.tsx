import { useEffect, useState, useSyncExternalStore } from 'react';
import { useApp } from '#web/lib/app-context.ts';
import { useView } from '#web/router/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon-set.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './offline.module.css';
import { openDocumentsOffline } from './open-documents-offline.ts';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Browsers do not offer it on plain HTTP. */
const hasServiceWorker = 'serviceWorker' in navigator;

const useOnline = (): boolean => useSyncExternalStore(subscribe, () => navigator.onLine);

/** Registers the worker and returns a newer one that is waiting to be activated. */
function useWaitingWorker(basePath: string): ServiceWorker | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null);

  useEffect(() => {
    if (!hasServiceWorker) return;
    const stop = new AbortController();
    const { signal } = stop;

    function watch(registration: ServiceWorkerRegistration): void {
      // The first worker does not wait.
      const updateWaiting = () => setWaiting(registration.active === null ? null : registration.waiting);
      const check = () => {
        if (document.visibilityState === 'visible') registration.update().catch(() => {});
      };
      registration.addEventListener(
        'updatefound',
        () => registration.installing?.addEventListener('statechange', updateWaiting, { signal }),
        { signal },
      );
      document.addEventListener('visibilitychange', check, { signal });
      addEventListener('online', check, { signal });
      updateWaiting();
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

async function cacheUrls(urls: string[]): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ keep: urls });
}

/** Asks the worker to cache what was opened without it: the page as a document, and the files this tab loads. */
function useCachedPages(): void {
  const { url } = useView();

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per page
  useEffect(() => {
    if (hasServiceWorker) void cacheUrls([location.href.replace(/#.*/, '')]);
  }, [url]);

  useEffect(() => {
    if (!hasServiceWorker) return;
    const observer = new PerformanceObserver((list) => {
      const files = list.getEntries().map(({ name }) => name);
      void cacheUrls(files.filter((file) => file.includes('/assets/')));
    });
    observer.observe({ type: 'resource', buffered: true });
    return () => observer.disconnect();
  }, []);
}

function activate(worker: ServiceWorker): void {
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true });
  worker.postMessage('skipWaiting');
}

/** Rendered only when the operator has enabled offline support. */
export function OfflineStatus() {
  const { basePath } = useApp();
  const online = useOnline();
  const waiting = useWaitingWorker(basePath);
  const [dismissed, setDismissed] = useState<ServiceWorker | null>(null);
  useCachedPages();

  useEffect(() => {
    const onOnline = () => toast('已恢复连接');
    addEventListener('online', onOnline);
    const stopOpeningDocuments = openDocumentsOffline(basePath);
    return () => {
      removeEventListener('online', onOnline);
      stopOpeningDocuments();
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
          <Button variant="primary" onClick={() => activate(waiting)}>
            刷新
          </Button>
          <Button variant="ghost" square aria-label="关闭提示" onClick={() => setDismissed(waiting)}>
            <Icon name="close" small />
          </Button>
        </div>
      )}
    </div>
  );
}
