import { type RefObject, useEffect, useState } from 'react';

/** How far below the screen something is fetched already. */
const AHEAD = '600px 0px';

/** Whether the element has come near the screen, once for all. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false);

  useEffect(() => {
    if (element.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);

  return isNear;
}
