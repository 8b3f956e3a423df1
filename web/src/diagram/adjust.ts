/** Corrections of Mermaid's output, before it is flattened. */
import { type Theme, tokenOf } from './theme.ts';

/** Labels of states are left-aligned when they are SVG text. */
function centreStateLabels(root: SVGSVGElement): void {
  for (const label of root.querySelectorAll<SVGGElement>('.statediagram-state > .label')) {
    const text = label.querySelector('text');
    const offset = /translate\(\s*(-?[\d.]+)[\s,]+(-?[\d.]+)/.exec(label.getAttribute('transform') ?? '');
    if (text === null || offset === null) continue;
    const { x, width } = text.getBBox();
    if (width > 0) label.setAttribute('transform', `translate(${-(x + width / 2)}, ${offset[2]})`);
  }
}

/** Relative luminance from 0 to 1, or null if the paint is not an opaque colour. */
function luminanceOf(paint: string): number | null {
  const [red, green, blue, opacity = 1] = (paint.match(/[\d.]+/g) ?? []).map(Number);
  if (!paint.startsWith('rgb') || red === undefined || green === undefined || blue === undefined) return null;
  if (opacity < 0.5) return null;
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((value) => (value / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const DARK_ENOUGH = 0.18;

/** A writer who fills a box with a colour sees it in one theme only, so its label gets the ink that is readable on it. */
function adaptLabels(root: SVGSVGElement): void {
  for (const node of root.querySelectorAll<SVGGElement>('.node')) {
    const shape = node.querySelector<SVGElement>('rect, path, polygon, circle, ellipse');
    const label = node.querySelector<SVGElement>('.label');
    if (shape === null || label === null || !/fill/.test(shape.getAttribute('style') ?? '')) continue;
    const light = luminanceOf(getComputedStyle(shape).fill);
    if (light === null || /color|fill/.test(label.getAttribute('style') ?? '')) continue;
    const theme: Theme = light < DARK_ENOUGH ? 'dark' : 'light';
    for (const part of label.querySelectorAll<SVGElement>('text, tspan'))
      part.style.setProperty('fill', tokenOf('--ink', theme), 'important');
  }
}

export function adjust(root: SVGSVGElement): void {
  centreStateLabels(root);
  adaptLabels(root);
}
