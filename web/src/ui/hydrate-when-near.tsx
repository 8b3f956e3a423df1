import { type ComponentType, lazy, memo, Suspense } from 'react';

/** Distance below the viewport at which the code is loaded. */
const ROOT_MARGIN = '800px 0px';

/** Returns a ref callback and a promise that resolves when its element comes near the viewport. */
function createNearSignal() {
  let onNear = () => {};
  const near = new Promise<void>((resolve) => {
    onNear = resolve;
  });
  function watch(element: Element | null): (() => void) | undefined {
    if (element === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) onNear();
      },
      { rootMargin: ROOT_MARGIN },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }
  return { near, watch };
}

/**
 * A component far down a page: rendered on the server, hydrated in the browser when it comes near the viewport.
 * `serverComponent` is the component itself and is set only on the server. A change of its props before hydration would
 * replace its HTML with an empty fallback.
 */
export function hydrateWhenNear<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  serverComponent: ComponentType<Props> | undefined,
) {
  const { near, watch } = createNearSignal();
  const LazyComponent: ComponentType<Props> =
    serverComponent ??
    lazy(async () => {
      await near;
      return { default: await load() };
    });
  // biome-ignore lint/correctness/noComponentHookFactories: called once, at module level
  return memo(function HydrateWhenNear(props: Props) {
    return (
      <div ref={watch}>
        <Suspense>
          <LazyComponent {...props} />
        </Suspense>
      </div>
    );
  });
}
