import { type ComponentType, lazy, memo, Suspense } from 'react';

/** How far below the screen the code of a part is fetched already. */
const AHEAD = '800px 0px';

/** A function to be used as a ref, and when what it is given comes near the screen. */
function nearness() {
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
      { rootMargin: AHEAD },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }
  return { near, watch };
}

/**
 * A part far down a page: rendered by the server with the rest, in the browser taken over when it comes near. `ready`
 * is the part itself, which only the server has. A change of what it is given, before that, would show a gap instead.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  ready: ComponentType<Props> | undefined,
) {
  const { near, watch } = nearness();
  const Part: ComponentType<Props> =
    ready ??
    lazy(async () => {
      await near;
      return { default: await load() };
    });
  // biome-ignore lint/correctness/noComponentHookFactories: made once, where a module begins
  return memo(function Later(props: Props) {
    return (
      <div ref={watch}>
        <Suspense>
          <Part {...props} />
        </Suspense>
      </div>
    );
  });
}
