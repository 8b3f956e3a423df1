import { attributeOf, type Element, firstAttribute } from './tree.ts';

/** A card of 语雀 stores its content as JSON in an attribute. */
export function readCard(element: Element): { name: string; value: Record<string, unknown> } | null {
  const name = firstAttribute(element, ['dataCardName', 'dataLakeCard', 'name']);
  const given = firstAttribute(element, ['dataCardValue', 'value']);
  if (!/^(?:card|ne-card|div|span)$/.test(element.tagName) || !given.startsWith('data:')) return null;
  try {
    const value: unknown = JSON.parse(decodeURIComponent(given.slice('data:'.length)));
    return typeof value === 'object' && value !== null
      ? { name, value: value as Record<string, unknown> }
      : null;
  } catch {
    return null;
  }
}

export const isCard = (element: Element): boolean =>
  element.tagName === 'card' || attributeOf(element, 'dataCardValue') !== '';
