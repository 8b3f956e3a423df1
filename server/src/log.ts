interface LoggedError {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/** What of an error goes to the log: where and what kind, never the values of a query, which may be secret. */
export function loggedError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const query = 'query' in error && typeof error.query === 'string' ? error.query : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    // A failed query names its parameters in its message.
    message: query === undefined ? error.message : 'query failed',
    ...(query === undefined ? {} : { query }),
    ...('code' in error ? { code: error.code } : {}),
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: loggedError(error.cause) }),
  };
}
