import type { z } from 'zod';
import type { calls } from './calls.ts';

type AnyCall = (typeof calls)[number];

/** `'GET core/user/public'` and so on: a call is named by its method and path, so the browser needs no table. */
export type Route = { [C in AnyCall as `${C['method']} ${C['path']}`]: C };
export type RouteName = keyof Route;
export type ReadRoute = Extract<RouteName, `GET ${string}`>;

/** What staff hold through the menus of their roles. */
export type Permission =
  | Extract<AnyCall['who'], `${string}:${string}`>
  | NonNullable<AnyCall['orStaff']>[number];

export type Input<R extends RouteName> = z.input<Route[R]['input']>;
export type Output<R extends RouteName> = z.output<Route[R]['output']>;

/** Optional exactly when the call can be made with an empty input. */
type Args<R extends RouteName> =
  Record<never, never> extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions];

/** Of an AbortSignal what a transport uses: the contract knows neither the browser's type nor Node's. */
export interface CallSignal {
  readonly aborted: boolean;
  addEventListener: (type: 'abort', listener: () => void) => void;
  removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** A Blob, likewise. */
export interface CallFile {
  readonly size: number;
  readonly type: string;
  arrayBuffer: () => Promise<ArrayBuffer>;
}

export interface CallOptions {
  signal?: CallSignal;
  /** A file call's body. */
  file?: CallFile;
  onProgress?: (fraction: number) => void;
  /** A visitor's read may be answered from the last minute. */
  useCache?: boolean;
  /** Small and worth finishing when the page is left meanwhile. */
  keepalive?: boolean;
  /** True unless said otherwise: whoever calls shows the error where it belongs. */
  skipErrorHandler?: boolean;
}

export interface TransportRequest extends CallOptions {
  method: string;
  /** Below `/api/`, path parameters filled in. */
  path: string;
  /** What is left of the input: query for GET and DELETE, JSON body otherwise. */
  input: Record<string, unknown>;
  route: RouteName;
  /** The input as it was given, path parameters included. */
  given: Record<string, unknown>;
}

/** Carries one call: over HTTP in the browser, in process when the server renders. Throws CallError when refused. */
export type Transport = (request: TransportRequest) => Promise<unknown>;

export type Client = <R extends RouteName>(route: R, ...args: Args<R>) => Promise<Output<R>>;

export function createClient(transport: Transport): Client {
  return async (route, ...[input = {}, options]) => {
    const given = input as Record<string, unknown>;
    const rest = { ...given };
    const [method = '', template = ''] = route.split(' ');
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    return (await transport({ method, path, input: rest, route, given, ...options })) as Output<typeof route>;
  };
}
