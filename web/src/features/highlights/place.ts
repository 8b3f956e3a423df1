const MARGIN = 8;

/** Places a floating element beside a part of the text, where there is room; on phones the style decides. */
export function placeBeside(element: HTMLElement, rect: DOMRect, side: 'above' | 'below'): void {
  const { width, height } = element.getBoundingClientRect();
  const header = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bar')) || 0;
  const hasRoomAbove = rect.top - height - MARGIN > header;
  const hasRoomBelow = rect.bottom + height + MARGIN < innerHeight;
  const isAbove = hasRoomAbove && (side === 'above' || !hasRoomBelow);
  const middle = rect.left + rect.width / 2 - width / 2;
  const maxLeft = document.documentElement.clientWidth - width - MARGIN;
  const left = Math.max(MARGIN, Math.min(middle, maxLeft));
  const below = Math.min(rect.bottom + MARGIN, innerHeight - height - MARGIN);
  const top = isAbove ? rect.top - height - MARGIN : below;
  element.style.setProperty('--left', `${left + scrollX}px`);
  element.style.setProperty('--top', `${top + scrollY}px`);
}

/** Scrolls the text when a panel at the bottom of the screen, which may grow, covers its passage. */
export function keepUncovered(panel: HTMLElement, passage: DOMRect): () => void {
  if (getComputedStyle(panel).position !== 'fixed') return () => {};
  const bottom = passage.bottom + scrollY;
  const observer = new ResizeObserver(() => {
    const hidden = bottom - scrollY - panel.getBoundingClientRect().top + MARGIN;
    if (hidden > 0) scrollBy({ top: hidden, behavior: 'instant' });
  });
  observer.observe(panel);
  return () => observer.disconnect();
}
