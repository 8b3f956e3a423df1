/** Sends a call that may first ask the reader to prove again who they are; then sends it once more. */
export type WithReauth = <T>(send: () => Promise<T>) => Promise<T>;
