import { CallError, type ErrorCode } from '@mozhan/contract/errors.ts';

/** Constraints whose violation means something to the caller. */
const constraints: Record<string, ErrorCode> = {
  accounts_name_key: 'ACCOUNT_TAKEN',
  accounts_email_key: 'ACCOUNT_TAKEN',
  accounts_phone_key: 'ACCOUNT_TAKEN',
  roles_code_key: 'ROLE_CODE_TAKEN',
  menus_permission_key: 'PERMISSION_TAKEN',
  categories_slug_key: 'CATEGORY_TAKEN',
  essays_category_id_fkey: 'CATEGORY_IN_USE',
  words_key_key: 'WORD_TAKEN',
  dicts_code_key: 'DICT_TAKEN',
  dict_items_value_key: 'DICT_VALUE_TAKEN',
  dict_items_dict_fkey: 'DICT_HAS_ITEMS',
  price_tiers_amount_key: 'TIER_TAKEN',
  backups_open: 'BACKUP_RUNNING',
  purchases_pkey: 'ALREADY_OWNED',
  ledger_accounts_not_negative: 'BALANCE_TOO_LOW',
};

interface DatabaseError {
  code?: unknown;
  constraint?: unknown;
}

/** Drizzle wraps the driver's error; the driver's own is the innermost cause that carries a code. */
function innermost(error: unknown): DatabaseError | null {
  for (let current = error; current instanceof Error; current = current.cause) {
    if ('code' in current) return current;
  }
  return null;
}

/** Two transactions waited for each other, and this one was chosen to end. */
export const isDeadlock = (error: unknown): boolean => innermost(error)?.code === '40P01';

/** Something points to what was to be removed. */
export const isStillUsed = (error: unknown): boolean => innermost(error)?.code === '23503';

// Connection lost or refused, the server shutting down or starting, too many clients, no pool slot in time.
const GONE = /^(08|57P0|53300|ECONN|ENOENT|EPIPE|ETIMEDOUT)/;

/** The database's refusal as one of ours, or the error itself. */
export function fromDatabase(error: unknown): unknown {
  if (error instanceof CallError) return error;
  const cause = innermost(error);
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
  if (GONE.test(String(cause.code))) return new CallError('UNAVAILABLE', { cause: error, retryAfter: 5 });
  if (cause.code === '57014') return new CallError('TIMEOUT', { cause: error });
  return error;
}
