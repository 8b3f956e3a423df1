/** A fragment's HTML in UTF-8, and what it was rendered from. */
interface CachedHtml {
  input: string;
  bytes: Uint8Array;
}

export interface FragmentCache {
  /** Undefined if it was rendered from another input. */
  find: (key: string, input: string) => Uint8Array | undefined;
  /** Replaces what was rendered from another input. */
  add: (key: string, entry: CachedHtml) => void;
  clear: () => void;
  bytes: () => number;
}

/** Strings take two bytes for each character; the rest is for the objects. */
const sizeOf = (key: string, { input, bytes }: CachedHtml) =>
  256 + 2 * (key.length + input.length) + bytes.length;

/** Evicts the least recently used entries above `maxBytes`. */
export function createFragmentCache(maxBytes: number): FragmentCache {
  const entries = new Map<string, CachedHtml>();
  let total = 0;

  function remove(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    total -= sizeOf(key, entry);
  }

  return {
    find(key, input) {
      const entry = entries.get(key);
      if (entry?.input !== input) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.bytes;
    },
    add(key, entry) {
      remove(key);
      entries.set(key, entry);
      total += sizeOf(key, entry);
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        remove(oldest);
      }
    },
    clear() {
      entries.clear();
      total = 0;
    },
    bytes: () => total,
  };
}
