import type { z } from 'zod';
import type { ExactCalls } from './calls.ts';

type AnyCall = ExactCalls[number];

/** Maps `'GET core/user/public'` and so on to the call; a name contains method and path, so browsers need no table. */
export type Route = { [C in AnyCall as `${C['method']} ${C['path']}`]: C };
export type RouteName = keyof Route;
export type ReadRoute = Extract<RouteName, `GET ${string}`>;

/** Staff get permissions through the menus of their roles. */
export type Permission =
  | Extract<AnyCall['access'], `${string}:${string}`>
  | NonNullable<AnyCall['staffPermissions']>[number];

export type Input<R extends RouteName> = z.input<Route[R]['input']>;
export type Output<R extends RouteName> = z.output<Route[R]['output']>;

/** The input argument is optional when an empty object is valid input. */
type Args<R extends RouteName> =
  Record<never, never> extends Input<R>
    ? [input?: Input<R>, options?: CallOptions]
    : [input: Input<R>, options?: CallOptions];

/** The part of AbortSignal that transports use; the contract has neither the DOM types nor Node's. */
export interface CallSignal {
  readonly aborted: boolean;
  addEventListener: (type: 'abort', listener: () => void) => void;
  removeEventListener: (type: 'abort', listener: () => void) => void;
}

/** The part of Blob that transports use. */
export interface CallFile {
  readonly size: number;
  readonly type: string;
  arrayBuffer: () => Promise<ArrayBuffer>;
}

export interface CallOptions {
  signal?: CallSignal;
  file?: CallFile;
  onProgress?: (fraction: number) => void;
  /** Lets a visitor's read use a cached response that is up to one minute old. */
  useCache?: boolean;
  /** Lets the request finish after the page is closed. */
  keepalive?: boolean;
  /** Default true: the caller displays the error itself. */
  skipErrorHandler?: boolean;
}

export interface TransportRequest extends CallOptions {
  method: string;
  /** Relative to `/api/`, with path parameters filled in. */
  path: string;
  /** Input without path parameters: query for GET and DELETE, JSON body otherwise. */
  input: Record<string, unknown>;
  route: RouteName;
  fullInput: Record<string, unknown>;
}

/** Executes one call: over HTTP in the browser, in process during server rendering. Throws CallError on failure. */
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
    return (await transport({ method, path, input: rest, route, fullInput: given, ...options })) as Output<
      typeof route
    >;
  };
}
