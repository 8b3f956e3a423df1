import { type ComponentType, lazy, type ReactNode, useEffect, useState } from 'react';

type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props : never;

/** Like a resolved promise, but resolved in the same turn, so that React need not suspend. */
const resolved = <Value>(value: Value) =>
  ({
    // biome-ignore lint/suspicious/noThenProperty: React.lazy accepts any thenable
    then: (onFulfilled: (value: Value) => void) => onFulfilled(value),
  }) as Promise<Value>;

/**
 * `React.lazy` for a named export of a module. If `preload` has ended before the first render, it appears at once; what
 * is suspended may appear as late as 300 ms after it was loaded, so that placeholders do not flicker.
 */
export function lazyComponent<Module, Name extends keyof Module>(load: () => Promise<Module>, name: Name) {
  type Loaded = { default: ComponentType<PropsOf<Module[Name]>> };
  let loaded: Loaded | undefined;
  const preload = async () => {
    loaded = { default: (await load())[name] as Loaded['default'] };
    return loaded;
  };
  return Object.assign(
    lazy(() => (loaded === undefined ? preload() : resolved(loaded))),
    { preload },
  );
}

interface Loadable {
  preload: () => Promise<unknown>;
}

/** Whether a lazy component is needed and loaded, to render it only then. One that cannot be loaded fails when rendered. */
export function useLoaded({ preload }: Loadable, isNeeded: boolean): boolean {
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const onEnd = () => setLoaded(true);
    if (isNeeded) preload().then(onEnd, onEnd);
  }, [isNeeded, preload]);
  return isNeeded && isLoaded;
}
