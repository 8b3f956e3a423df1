export interface StartData {
  /** '' or '/blog'. */
  basePath: string;
  title: string;
  logo: string;
  colorPrimary: string;
  /** Readers see only the maintenance page. */
  isInMaintenance: boolean;
}

export function readStartData(): StartData {
  const text = document.getElementById('data')?.textContent;
  if (!text) throw new Error('the document contains no start data');
  return JSON.parse(text) as StartData;
}

/** Nonce that allows style elements under the content security policy. */
export const readNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** Some parts of antd (scroll lock, scroll bar width) create style elements without a nonce. */
export function addNonceToStyles(nonce: string): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions) => {
    const element = create(name, options);
    if (element instanceof HTMLStyleElement) element.nonce = nonce;
    return element;
  };
}
