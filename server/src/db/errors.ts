import { CallError, type ErrorCode } from '@mozhan/contract/errors.ts';

/** Error codes of constraint violations that the caller can act on. */
const constraints: Record<string, ErrorCode> = {
  accounts_name_key: 'ACCOUNT_TAKEN',
  accounts_email_key: 'ACCOUNT_TAKEN',
  accounts_phone_key: 'ACCOUNT_TAKEN',
  roles_code_key: 'ROLE_CODE_TAKEN',
  menus_permission_key: 'PERMISSION_TAKEN',
  categories_slug_key: 'CATEGORY_TAKEN',
  pages_slug_key: 'PAGE_TAKEN',
  essays_category_id_fkey: 'CATEGORY_IN_USE',
  words_key_key: 'WORD_TAKEN',
  dicts_code_key: 'DICT_TAKEN',
  dict_items_value_key: 'DICT_VALUE_TAKEN',
  dict_items_dict_fkey: 'DICT_HAS_ITEMS',
  price_tiers_amount_key: 'TIER_TAKEN',
  backups_open: 'BACKUP_RUNNING',
  reindex_runs_running: 'REINDEX_RUNNING',
  purchases_pkey: 'ALREADY_OWNED',
  ledger_accounts_not_negative: 'BALANCE_TOO_LOW',
};

const REMOVED_FILE = '用到的图片或附件刚被清理，请重新上传';
/** Violations that are explained better than by the message of a code. */
const messages: Record<string, string> = {
  uploads_removed: REMOVED_FILE,
  upload_uses_upload_id_fkey: REMOVED_FILE,
  upload_uses_attachment_id_fkey: REMOVED_FILE,
};

interface DatabaseError {
  code?: unknown;
  constraint?: unknown;
}

/** Drizzle wraps the driver's error, which is the first cause with a code. */
function driverErrorOf(error: unknown): DatabaseError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current) return current;
  }
  return null;
}

export const isDeadlock = (error: unknown): boolean => driverErrorOf(error)?.code === '40P01';

export const isForeignKeyViolation = (error: unknown): boolean => driverErrorOf(error)?.code === '23503';

// Connection lost or refused, server starting or shutting down, too many clients, pool timeout.
const CONNECTION_ERROR = /^(08|57P0|53300|ECONN|ENOENT|EPIPE|ETIMEDOUT)/;

/** Converts a known database error to a `CallError`; returns other errors unchanged. */
export function mapDatabaseError(error: unknown): unknown {
  if (error instanceof CallError) return error;
  const cause = driverErrorOf(error);
  if (cause === null) {
    return error instanceof Error &&
      /Connection terminated|timeout exceeded when trying to connect/.test(
        `${error.message} ${String(error.cause)}`,
      )
      ? new CallError('UNAVAILABLE', { cause: error, retryAfter: 5 })
      : error;
  }
  const mapped = typeof cause.constraint === 'string' ? constraints[cause.constraint] : undefined;
  if (mapped !== undefined) return new CallError(mapped, { cause: error });
  const message = typeof cause.constraint === 'string' ? messages[cause.constraint] : undefined;
  if (message !== undefined) return new CallError('INVALID', { message, cause: error });
  if (CONNECTION_ERROR.test(String(cause.code)))
    return new CallError('UNAVAILABLE', { cause: error, retryAfter: 5 });
  if (cause.code === '57014') return new CallError('TIMEOUT', { cause: error });
  return error;
}
