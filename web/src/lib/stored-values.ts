import { readItem, writeItem } from '@mozhan/client/storage.ts';

/** Named values in localStorage, limited to the `maxEntries` most recently saved. */
export function storedValues<T>(key: string, maxEntries: number) {
  function readAll(): [name: string, value: T][] {
    try {
      const all: unknown = JSON.parse(readItem(key) ?? '[]');
      return Array.isArray(all) ? all : [];
    } catch {
      return [];
    }
  }

  return {
    read: (name: string): T | undefined => readAll().find(([each]) => each === name)?.[1],
    /** Undefined removes the entry. */
    save(name: string, value: T | undefined): void {
      const all = readAll().filter(([each]) => each !== name);
      if (value !== undefined) all.push([name, value]);
      writeItem(key, all.length === 0 ? null : JSON.stringify(all.slice(-maxEntries)));
    },
  };
}
