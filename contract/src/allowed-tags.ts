/** The elements of Markdown and harmless inline HTML. */
export const allowedTags: readonly string[] = [
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'blockquote', 'pre', 'hr', 'ul', 'ol', 'li', 'section'],
  ...['div', 'figure', 'figcaption', 'details', 'summary', 'dl', 'dt', 'dd'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['a', 'img', 'em', 'strong', 'del', 'code', 'br', 'sup', 'input'],
  ...['span', 'b', 'i', 'u', 's', 'small', 'sub', 'ins', 'mark', 'kbd', 'samp', 'var', 'q', 'cite', 'abbr'],
  ...['ruby', 'rt', 'rp'],
];
