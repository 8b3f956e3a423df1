const isBroken = (picture: HTMLImageElement): boolean => picture.complete && picture.naturalWidth === 0;

/** Calls `draw` with the figures that have no stored drawing, and with those whose drawing cannot be loaded. */
export function watchDiagrams(
  root: HTMLElement,
  draw: (figures: HTMLElement[]) => void,
  signal: AbortSignal,
): void {
  const figures = [...root.querySelectorAll<HTMLElement>('[data-diagram]')];
  const missing = figures.filter(
    (figure) => figure.dataset.diagram === '' || [...figure.querySelectorAll('img')].some(isBroken),
  );
  if (missing.length > 0) draw(missing);
  // Errors of pictures do not bubble.
  const onError = ({ target }: Event) => {
    const figure = target instanceof Element ? target.closest<HTMLElement>('[data-diagram="stored"]') : null;
    if (figure !== null) draw([figure]);
  };
  root.addEventListener('error', onError, { signal, capture: true });
}
