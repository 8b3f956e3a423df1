/** The built-in mark: a drop of ink over layers of stone. */
export const logoMark = {
  box: '0 0 28 28',
  colour: '#ff6968',
  drop: 'M14 4.8c2 2.6 3 4.2 3 5.6a3 3 0 0 1-6 0c0-1.4 1-3 3-5.6z',
  layers: 'M8.5 17.5h11M6 22h16',
};

export const logoSvg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${logoMark.box}"><rect width="28" height="28" rx="7" fill="${logoMark.colour}"/><path d="${logoMark.drop}" fill="#fff"/><path d="${logoMark.layers}" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/></svg>`;

/** Data URL for the favicon. A function, so that page bundles do not contain the string. */
export const logoDataUrl = () =>
  `data:image/svg+xml,${logoSvg.replaceAll('"', "'").replace(/[#<> ]/g, encodeURIComponent)}`;
