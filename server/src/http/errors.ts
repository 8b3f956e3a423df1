import type { Socket } from 'node:net';
import { CallError, type ErrorCode } from '@mozhan/contract/errors.ts';
import type { FastifyError } from 'fastify';
import { mapDatabaseError } from '../db/errors.ts';
import { newId } from '../db/id.ts';
import { FileMissing } from '../files/files.ts';

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'NOT_FOUND',
  FST_ERR_CTP_BODY_TOO_LARGE: 'TOO_LARGE',
  FST_REQ_FILE_TOO_LARGE: 'TOO_LARGE',
  FST_FILES_LIMIT: 'INVALID',
  FST_PARTS_LIMIT: 'INVALID',
  FST_FIELDS_LIMIT: 'INVALID',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'UNSUPPORTED_TYPE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_TYPE',
};

/** Converts any thrown value to a CallError; unknown errors become INTERNAL. */
export function toCallError(thrown: unknown): CallError {
  const error = mapDatabaseError(thrown);
  if (error instanceof CallError) return error;
  if (error instanceof FileMissing) return new CallError('GONE', { cause: error });
  if (error instanceof Error) {
    const { code, statusCode } = error as Partial<FastifyError>;
    const known = code === undefined ? undefined : fastifyCodes[code];
    if (known !== undefined) return new CallError(known, { cause: error });
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
      return new CallError('MALFORMED', { cause: error });
  }
  return new CallError('INTERNAL', { cause: error });
}

/** Whether a requested range is beyond the end of the file; the headers contain its length. */
export const isRangeNotSatisfiable = (
  thrown: unknown,
): thrown is Error & { headers: Record<string, string> } =>
  thrown instanceof Error && 'headers' in thrown && (thrown as Partial<FastifyError>).statusCode === 416;

/** Responds to requests that Node cannot parse and that reach no handler. */
export function respondToMalformedRequest(thrown: Error & { code?: string }, socket: Socket): void {
  // The client disconnected, or a response was already sent.
  if (thrown.code === 'ECONNRESET' || !socket.writable) return;
  const isTooLarge = thrown.code === 'HPE_HEADER_OVERFLOW';
  const isSlow = thrown.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const error = new CallError(
    isTooLarge ? 'TOO_LARGE' : 'MALFORMED',
    isTooLarge ? { message: '请求头太大' } : {},
  );
  const requestId = newId();
  const body = JSON.stringify(toFailure(error, requestId));
  const status = isTooLarge
    ? '431 Request Header Fields Too Large'
    : isSlow
      ? '408 Request Timeout'
      : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `cache-control: no-store\r\nx-request-id: ${requestId}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export interface Failure {
  success: false;
  errorCode: ErrorCode;
  errorMessage: string;
  showType: number;
  data?: { fields: Record<string, string> };
  requestId?: string;
}

export function toFailure(error: CallError, requestId: string): Failure {
  return {
    success: false,
    errorCode: error.code,
    errorMessage: error.message,
    showType: error.showType,
    ...(error.fields === undefined ? {} : { data: { fields: error.fields } }),
    ...(error.status >= 500 ? { requestId } : {}),
  };
}
