interface SerializedError {
  [key: string]: unknown;
  type: string;
  message: string;
  stack: string;
}

/** Serializes an error for the log without the parameter values of a query, which may be secret. */
export function serializeError(error: unknown): SerializedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' };
  const query = 'query' in error && typeof error.query === 'string' ? error.query : undefined;
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '));
  return {
    type: error.name === 'Error' ? error.constructor.name : error.name,
    // The message of a failed query contains its parameters.
    message: query === undefined ? error.message : 'query failed',
    ...(query === undefined ? {} : { query }),
    ...('code' in error ? { code: error.code } : {}),
    stack: frames.join('\n'),
    ...(error.cause === undefined ? {} : { cause: serializeError(error.cause) }),
  };
}
