/** What the server wrote into the document. */
export interface StartData {
  /** '' or '/blog'. */
  basePath: string;
  title: string;
  logo: string;
  colorPrimary: string;
}

export function readStartData(): StartData {
  const text = document.getElementById('data')?.textContent;
  if (!text) throw new Error('the document carries no data');
  return JSON.parse(text) as StartData;
}

/** Lets this document's style elements through the content security policy. */
export const readNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Parts of antd (scroll lock, scroll bar width) make style elements without asking for the nonce. */
export function giveNonceToStyles(nonce: string): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}
