import type { DehydratedState } from '@tanstack/react-query';

/** What travels in the page beside its HTML. */
export interface PageData {
  /** The address the server rendered: without parameters that matter in the browser only. */
  url: string;
  status: 200 | 404 | 500;
  basePath: string;
  siteUrl: string;
  state: DehydratedState;
}

export const DATA_ID = 'data';
export const ROOT_ID = 'root';
