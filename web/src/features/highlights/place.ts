const MARGIN = 8;

/** Places a floating element above a part of the text, or below if there is no room; on phones the style decides. */
export function placeBeside(element: HTMLElement, rect: DOMRect): void {
  const { width, height } = element.getBoundingClientRect();
  const header = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--bar')) || 0;
  const hasRoom = rect.top - height - MARGIN > header;
  const middle = rect.left + rect.width / 2 - width / 2;
  const maxLeft = document.documentElement.clientWidth - width - MARGIN;
  const left = Math.max(MARGIN, Math.min(middle, maxLeft));
  const below = Math.min(rect.bottom + MARGIN, innerHeight - height - MARGIN);
  const top = hasRoom ? rect.top - height - MARGIN : below;
  element.style.setProperty('--left', `${left + scrollX}px`);
  element.style.setProperty('--top', `${top + scrollY}px`);
}
